/** Runs turns, at most one at a time in a conversation across all windows, and stops turns and tool calls. */
import type * as vscode from 'vscode';
import type { TurnStep } from '../../conversation/events.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import type { Holder } from '../../history/leaseRows.ts';
import { type Refused, refuse } from '../../requests/refusal.ts';
import type { TurnContent } from '../../requests/turnContent.ts';
import type { PreparedTurn } from '../../requests/turns.ts';
import type { Log } from '../base/log.ts';

export interface TurnRunner extends vscode.Disposable {
  isRunning(conversationId: string): boolean;
  /** Reserves a conversation for a turn, also against other windows. Returns the reason when that fails. */
  take(conversationId: string): Refused | undefined;
  /** A signal that aborts when the turn of a reserved conversation is stopped, even before it starts. */
  signalOf(conversationId: string): AbortSignal;
  /** Renews a reservation. Another window may have taken it over meanwhile. */
  renew(conversationId: string): Refused | undefined;
  /** Ends a reservation when no turn was started. */
  release(conversationId: string): void;
  /** Runs a turn in a reserved conversation, and ends the reservation when the turn ends. */
  start(conversationId: string, exchangeId: string, prepared: Pick<PreparedTurn<TurnContent>, 'run'>): void;
  /** Stops the running turn: its request and its tool calls. */
  stop(conversationId: string): void;
  /** Stops one running tool call. The model gets this as the result, and the turn continues. */
  stopCall(conversationId: string, callId: string): void;
}

export interface TurnRunnerDeps {
  readonly log: Pick<Log, 'warn'>;
  readonly store: Pick<ConversationStore, 'take' | 'renew' | 'release'>;
  /** A turn changed. If it has ended, its reservation has already ended in this window. */
  onTurn(conversationId: string, exchangeId: string, step: TurnStep): void;
  /** A reservation ended without the end of a turn. */
  onFree(conversationId: string): void;
}

/** The controllers that stop a turn and its tool calls. */
interface Running {
  readonly turn: AbortController;
  /** The controllers of its tool calls, by the ID of the call. A later round can reuse an ID. */
  readonly calls: Map<string, AbortController>;
}

const toRunning = (): Running => ({ turn: new AbortController(), calls: new Map() });

function stopperOf({ calls }: Running, callId: string): AbortController {
  const controller = new AbortController();
  calls.set(callId, controller);
  return controller;
}

export function createTurnRunner({ log, store, onTurn, onFree }: TurnRunnerDeps): TurnRunner {
  const running = new Map<string, Running>();
  let closing = false;

  function release(conversationId: string): void {
    running.delete(conversationId);
    if (closing) return;
    store.release(conversationId);
    onFree(conversationId);
  }

  /**
   * Ends a turn. The reservation is released after the end was written: otherwise, other windows would take this window for
   * closed.
   */
  function end(conversationId: string, exchangeId: string, step: TurnStep): void {
    running.delete(conversationId);
    if (closing) return;
    try {
      onTurn(conversationId, exchangeId, step);
    } finally {
      // The next turn may have reserved the conversation meanwhile.
      if (!running.has(conversationId)) store.release(conversationId);
    }
  }

  const toRefused = ({ place }: Holder) => refuse({ kind: 'elsewhere', place });

  return {
    isRunning: (conversationId) => running.has(conversationId),
    take(conversationId) {
      // The extension is being deactivated. A request that is sent now would not be recorded.
      if (closing) return refuse({ kind: 'stopped' });
      if (running.has(conversationId)) return refuse({ kind: 'running' });
      const holder = store.take(conversationId);
      if (holder !== undefined) return toRefused(holder);
      running.set(conversationId, toRunning());
      return undefined;
    },
    signalOf: (conversationId) => running.get(conversationId)?.turn.signal ?? AbortSignal.abort(),
    renew(conversationId) {
      const holder = store.renew(conversationId);
      return holder && toRefused(holder);
    },
    release,
    start(conversationId, exchangeId, prepared) {
      const own = running.get(conversationId) ?? toRunning();
      // The next turn may have reserved the conversation already.
      const isOwn = () => running.get(conversationId) === own;
      prepared
        .run({
          signal: own.turn.signal,
          stopOf: (callId) => stopperOf(own, callId).signal,
          onStep(step) {
            if (step.turn.outcome !== undefined && isOwn()) end(conversationId, exchangeId, step);
            else if (!closing) onTurn(conversationId, exchangeId, step);
          },
        })
        .catch((error: unknown) => log.warn(`running a turn failed: ${String(error)}`))
        .finally(() => {
          if (isOwn()) release(conversationId);
        });
    },
    stop: (conversationId) => running.get(conversationId)?.turn.abort(),
    stopCall: (conversationId, callId) => running.get(conversationId)?.calls.get(callId)?.abort(),
    dispose() {
      closing = true;
      for (const { turn } of running.values()) turn.abort();
    },
  };
}

/** Which conversations a turn runs in: one at a time in each, against other windows as well, and what stops it. */
import type * as vscode from 'vscode';
import type { TurnStep } from '../../chat/events.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import { type Refused, refuse } from '../../turns/refusal.ts';
import type { PreparedTurn, TurnContent } from '../../turns/turns.ts';
import type { Log } from '../base/log.ts';

export interface TurnRunner extends vscode.Disposable {
  isRunning(conversationId: string): boolean;
  /** Takes a conversation for a turn, here and against other windows. Otherwise says why not. */
  take(conversationId: string): Refused | undefined;
  /** Takes a conversation again that was taken some time ago; another window may have it since. */
  renew(conversationId: string): Refused | undefined;
  /** Gives it back, when no turn came of it. */
  release(conversationId: string): void;
  /** Runs a turn in a conversation that was taken, and gives it back at the end. */
  start(conversationId: string, exchangeId: string, prepared: Pick<PreparedTurn<TurnContent>, 'run'>): void;
  /** Stops what runs in a conversation: its request, and the calls of its tools. */
  stop(conversationId: string): void;
  /** Stops one call of a tool that runs; the model is told so, and goes on. */
  stopCall(conversationId: string, callId: string): void;
}

export interface TurnRunnerDeps {
  readonly log: Pick<Log, 'warn'>;
  readonly store: Pick<ConversationStore, 'take' | 'release'>;
  /** Something happened to a turn. At its end, the conversation is free again already. */
  onTurn(conversationId: string, exchangeId: string, step: TurnStep): void;
}

/** What stops a turn, and what stops each call of its tools. */
interface Running {
  readonly turn: AbortController;
  /** By the id of the call; the ids of one round can come again in the next. */
  readonly calls: Map<string, AbortController>;
}

const toRunning = (): Running => ({ turn: new AbortController(), calls: new Map() });

function stopperOf({ calls }: Running, callId: string): AbortController {
  const controller = new AbortController();
  calls.set(callId, controller);
  return controller;
}

export function createTurnRunner({ log, store, onTurn }: TurnRunnerDeps): TurnRunner {
  const running = new Map<string, Running>();
  let closing = false;

  function release(conversationId: string): void {
    running.delete(conversationId);
    if (!closing) store.release(conversationId);
  }

  function renew(conversationId: string): Refused | undefined {
    const holder = store.take(conversationId);
    return holder && refuse({ kind: 'elsewhere', place: holder.place });
  }

  return {
    isRunning: (conversationId) => running.has(conversationId),
    take(conversationId) {
      if (running.has(conversationId)) return refuse({ kind: 'running' });
      const refused = renew(conversationId);
      if (refused === undefined) running.set(conversationId, toRunning());
      return refused;
    },
    renew,
    release,
    start(conversationId, exchangeId, prepared) {
      const own = running.get(conversationId) ?? toRunning();
      // The next turn may have taken the conversation since.
      const free = () => {
        if (running.get(conversationId) === own) release(conversationId);
      };
      prepared
        .run({
          signal: own.turn.signal,
          stopOf: (callId) => stopperOf(own, callId).signal,
          onStep(step) {
            if (step.turn.outcome !== undefined) free();
            if (!closing) onTurn(conversationId, exchangeId, step);
          },
        })
        .catch((error: unknown) => log.warn(`a turn did not end: ${String(error)}`))
        .finally(free);
    },
    stop: (conversationId) => running.get(conversationId)?.turn.abort(),
    stopCall: (conversationId, callId) => running.get(conversationId)?.calls.get(callId)?.abort(),
    dispose() {
      closing = true;
      for (const { turn } of running.values()) turn.abort();
    },
  };
}

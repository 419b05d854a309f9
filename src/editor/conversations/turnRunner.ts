/** How turns run: one a conversation, from what was prepared to its end, told as it goes. */
import type * as vscode from 'vscode';
import type { TurnStep } from '../../chat/events.ts';
import { runTurn } from '../../chat/run.ts';
import type { CallCheck } from '../../chat/toolLoop.ts';
import type { Turn } from '../../chat/turn.ts';
import type { Shelf } from '../../history/shelf.ts';
import { type Refused, refuse } from '../../turns/refusal.ts';
import { describeTurn, type Log } from '../base/log.ts';
import type { Prepared } from './preparation.ts';

export interface TurnRunner extends vscode.Disposable {
  isRunning(conversationId: string): boolean;
  /** Takes a conversation for a turn, here and against other windows; undefined when it is taken. */
  take(conversationId: string): Refused | undefined;
  /** Gives it back, when no turn came of it. */
  release(conversationId: string): void;
  /** Runs a turn in a conversation that was taken, and gives it back at the end. */
  start(conversationId: string, exchangeId: string, begun: Turn, prepared: Prepared): void;
  /** Stops what runs in a conversation: its request, and the calls of its tools. */
  stop(conversationId: string): void;
  /** Stops one call of a tool that runs; the model is told so, and goes on. */
  stopCall(conversationId: string, callId: string): void;
}

export interface TurnRunnerDeps {
  readonly log: Log;
  readonly shelf: Pick<Shelf, 'take' | 'release'>;
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

/** The check of calls is a file of its own, loaded with the first call. */
async function loadCheck(): Promise<CallCheck> {
  const { createCallCheck } = await import('../../chat/callCheck.ts');
  return createCallCheck();
}

export function createTurnRunner({ log, shelf, onTurn }: TurnRunnerDeps): TurnRunner {
  const running = new Map<string, Running>();
  let closing = false;

  function release(conversationId: string): void {
    running.delete(conversationId);
    if (!closing) shelf.release(conversationId);
  }

  async function run(conversationId: string, exchangeId: string, begun: Turn, prepared: Prepared) {
    const own = running.get(conversationId) ?? toRunning();
    // The next turn may have taken the conversation since.
    const free = () => {
      if (running.get(conversationId) === own) release(conversationId);
    };
    const { client, request, toolbox, mayGoOn } = prepared;
    const stopOf = (callId: string) => stopperOf(own, callId).signal;
    let turn = begun;
    const deps = {
      client,
      toolbox,
      loadCheck,
      stopOf,
      ...(mayGoOn && { mayGoOn }),
      now: () => performance.now(),
    };
    try {
      for await (const step of runTurn(deps, begun, request, own.turn.signal)) {
        turn = step.turn;
        if (turn.outcome !== undefined) free();
        if (!closing) onTurn(conversationId, exchangeId, step);
      }
    } finally {
      free();
    }
    log.info(describeTurn(turn));
  }

  return {
    isRunning: (conversationId) => running.has(conversationId),
    take(conversationId) {
      if (running.has(conversationId)) return refuse({ kind: 'running' });
      const holder = shelf.take(conversationId);
      if (holder !== undefined) return refuse({ kind: 'elsewhere', place: holder.place });
      running.set(conversationId, toRunning());
      return undefined;
    },
    release,
    start: (conversationId, exchangeId, begun, prepared) =>
      void run(conversationId, exchangeId, begun, prepared),
    stop: (conversationId) => running.get(conversationId)?.turn.abort(),
    stopCall: (conversationId, callId) => running.get(conversationId)?.calls.get(callId)?.abort(),
    dispose() {
      closing = true;
      for (const { turn } of running.values()) turn.abort();
    },
  };
}

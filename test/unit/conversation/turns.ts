/** Turns for tests, created by folding the events of a response. */

import type { Conversation, Exchange } from '../../../src/conversation/conversation.ts';
import type { TurnEnd } from '../../../src/conversation/events.ts';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import type { RequestFacts } from '../../../src/conversation/requestFacts.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { EMPTY_CHUNK } from '../../../src/service/answerChoice.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors.ts';
import type { Chunk, Usage } from '../../../src/service/types.ts';

export const FACTS: RequestFacts = {
  routeName: 'direct',
  routeKind: 'direct',
  model: 'svc-k3',
  maxCompletionTokens: undefined,
  clampedFrom: undefined,
  effort: undefined,
  prompt: undefined,
  prefix: '',
};

export const NO_USAGE: Usage = {
  promptTokens: undefined,
  completionTokens: undefined,
  totalTokens: undefined,
  reasoningTokens: undefined,
  cachedTokens: undefined,
};

export const SOME_USAGE: Usage = {
  promptTokens: 2000,
  completionTokens: 50,
  totalTokens: 2050,
  reasoningTokens: 40,
  cachedTokens: 1792,
};

/** A chunk with nothing in it. */
export const CHUNK: Chunk = { ...EMPTY_CHUNK, id: 'chatcmpl-1', model: 'svc-k3' };

export const chunk = (more: Partial<Chunk>): StreamEvent => ({ type: 'chunk', chunk: { ...CHUNK, ...more } });

export const reasoning = (
  text: string,
  name: 'reasoning_content' | 'reasoning' | 'tags' = 'reasoning_content',
) => chunk({ reasoning: { name, text } });
export const answer = (text: string) => chunk({ answer: text });
export const finish = (reason: string) => chunk({ finishReason: reason });
export const usage = (figures: Partial<Usage> = SOME_USAGE) => chunk({ usage: { ...NO_USAGE, ...figures } });
export const DONE: StreamEvent = { type: 'done' };

export const SERVICE_ENDED: TurnEnd = { type: 'ended', by: 'service', failure: undefined };
export const WINDOW_ENDED: TurnEnd = { type: 'ended', by: 'window', failure: undefined };
export const USER_ENDED: TurnEnd = { type: 'ended', by: 'user', failure: undefined };
export const failedBy = (kind: ServiceErrorKind): TurnEnd => ({
  type: 'ended',
  by: 'error',
  failure: { kind, details: {} },
});

/** The service refuses the request, and it is to be sent again. */
export const REFUSED_ONCE: readonly StreamEvent[] = [
  { type: 'try', tries: 1 },
  { type: 'connected' },
  { type: 'pause', tries: 1, waitMs: 1000, error: new ServiceError('rate-limited', { status: 429 }) },
];

/** The turn after these events, each 10 ms after the previous one. */
export function turnOf(events: readonly (StreamEvent | TurnEnd)[], facts: Partial<RequestFacts> = {}): Turn {
  return events.reduce<Turn>(
    (turn, event, i) => foldTurn(turn, { at: (i + 1) * 10, event }),
    createTurn('t1', 1_000_000, { ...FACTS, ...facts }),
  );
}

/** A complete turn without problems. */
export const completeTurn = (text = 'Because.', facts: Partial<RequestFacts> = {}): Turn =>
  turnOf([reasoning('Hm.'), answer(text), finish('stop'), usage(), DONE, SERVICE_ENDED], facts);

export function exchangeOf(text: string, ...attempts: readonly Turn[]): Exchange {
  return {
    id: text,
    question: { text, images: [], origin: undefined },
    attempts,
    shown: Math.max(0, attempts.length - 1),
  };
}

export const conversationOf = (...exchanges: readonly Exchange[]): Conversation => ({
  id: 'c1',
  createdAt: 0,
  title: 'A conversation',
  named: false,
  pinned: false,
  workspace: undefined,
  forkedFrom: undefined,
  exchanges,
  branches: [],
});

/** The answer of the service in every row, as events, and the part of it that has arrived in each phase. */
import type { RouteKind } from '../../src/service/types.ts';
import { chunkOf, USAGE_CHUNK } from '../unit/service/wire.ts';
import type { Phase } from './fault.ts';

/** The text of the answer, by the part that it belongs to. */
export interface Text {
  readonly reasoning: string;
  readonly answer: string;
  readonly calls: string;
}

export const NO_TEXT: Text = { reasoning: '', answer: '', calls: '' };

/** One event of the stream: its `data:`, and the text in it. */
export interface StreamedEvent {
  readonly data: object | string;
  readonly text: Text;
}

export const TOOL = 'look';

const REASONING = ['Let me ', 'see — ', '你好 ', 'then so.'];
const ANSWER = ['Because ', 'é你😀 ', 'it is **so**, ', 'at last.'];
const ARGUMENTS = ['{"of":', '"a ', '你"}'];

const event = (data: object | string, text: Partial<Text> = {}): StreamedEvent => ({
  data,
  text: { ...NO_TEXT, ...text },
});

/** Some gateways rename the reasoning (R4). */
const reasoningOf = (route: RouteKind, text: string) =>
  event(chunkOf({ [route === 'direct' ? 'reasoning_content' : 'reasoning']: text }), { reasoning: text });
const answerOf = (text: string) => event(chunkOf({ content: text }), { answer: text });

function callOf(piece: string, first: boolean): StreamedEvent {
  const named = first ? { id: 'call_1', type: 'function' } : {};
  const call = { index: 0, ...named, function: { ...(first && { name: TOOL }), arguments: piece } };
  return event(chunkOf({ tool_calls: [call] }), { calls: piece });
}

const BEGIN = event(chunkOf({ role: 'assistant', content: '' }));
const END = [event(USAGE_CHUNK), event('[DONE]')];
const finishOf = (reason: string) => event(chunkOf({}, reason));

/** The events before the fault, and those that would follow. */
export interface Plan {
  readonly before: readonly StreamedEvent[];
  readonly after: readonly StreamedEvent[];
}

/** The whole stream of a response that calls the tool. */
export const callsOf = (route: RouteKind): readonly StreamedEvent[] => [
  BEGIN,
  ...REASONING.map((text) => reasoningOf(route, text)),
  ...ARGUMENTS.map((piece, at) => callOf(piece, at === 0)),
  finishOf('tool_calls'),
  ...END,
];

export function planOf(phase: Phase, route: RouteKind): Plan {
  const reasoning = REASONING.map((text) => reasoningOf(route, text));
  const answer = [BEGIN, ...reasoning, ...ANSWER.map(answerOf), finishOf('stop'), ...END];
  const cut = (events: readonly StreamedEvent[], at: number): Plan => ({
    before: events.slice(0, at),
    after: events.slice(at),
  });
  switch (phase) {
    case 'connecting':
    case 'first-byte':
    case 'tool-first-byte':
    case 'headers':
      return cut(answer, 0);
    case 'reasoning':
      return cut(answer, 3);
    case 'answering':
    case 'tool-round':
      return cut(answer, 7);
    case 'arguments':
      return cut(callsOf(route), 6);
    case 'after-finish':
      return cut(answer, answer.length - END.length);
  }
}

/** A conversation whose next request would nearly fill the context window, and questions in it. */
import assert from 'node:assert/strict';
import type { Conversation, Exchange } from '../../../src/conversation/conversation.ts';
import type { Round, Turn } from '../../../src/conversation/turn.ts';
import { toConversationContent } from '../../../src/requests/conversationRequest.ts';
import { createTurns } from '../../../src/requests/turns.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import type { ChatRequest, Message, Route } from '../../../src/service/types.ts';
import { toolboxOf } from '../conversation/toolTurns.ts';
import { completeTurn, conversationOf, exchangeOf, NO_USAGE } from '../conversation/turns.ts';
import { COMPLETE, chunkOf, NEVER, type Reply, ROUTE, scripted, sse } from '../service/wire.ts';
import { SETTINGS } from './support.ts';

/** As many tokens as a result can have, each of one character that is not ASCII. */
export const RESULT = '\u00e9'.repeat(60_000);
export const NOTE = '[result left out to make room: call the tool again if you need it]';
export const headers = { 'content-type': 'text/event-stream' };

/** A turn with a call in each round, whose usage isn't known. */
export function turnWith(id: string, rounds: number, more: Partial<Turn['request']> = {}): Turn {
  const plain = { ...completeTurn('So.', more), id, usage: NO_USAGE };
  const times = { startedAt: 0, endedAt: 1, firstReasoning: undefined, firstAnswer: undefined };
  const roundOf = (at: number): Round => ({
    ...plain,
    answer: '',
    toolCalls: [
      {
        ...{ index: 0, id: `${id}_${at}`, name: 'read', arguments: `{"of":"${id}${at}"}`, state: 'done' },
        ...{ result: { text: `${id}${at} ${RESULT}` }, startedAt: 0, endedAt: 1 },
      },
    ],
    tries: 1,
    times,
  });
  return { ...plain, rounds: Array.from({ length: rounds }, (_, at) => roundOf(at)) };
}

/** Two answers with ten and six results: all of them together nearly fill the context window. */
export const FULL = conversationOf(
  exchangeOf('First?', turnWith('a', 10)),
  exchangeOf('Second?', turnWith('b', 6)),
);

/** Turns that are asked on a route over a transport, with a key. */
export const turnsOver = (send: ReturnType<typeof scripted>, route: Route) =>
  createTurns({
    settings: () => SETTINGS,
    routes: { named: () => undefined, active: () => ({ route, demoKey: undefined }) },
    keys: { find: async () => ({ found: true, key: 'sk-test', source: 'stored' }) },
    transports: { for: async () => send },
    spentToday: () => 0,
    confirm: async () => true,
    putSpend: () => undefined,
    log: { info: () => undefined, warn: assert.fail },
  });

export interface Asked {
  readonly text?: string;
  /** Another attempt of the last exchange. */
  readonly again?: boolean;
  readonly route?: Route;
  readonly tools?: boolean;
  readonly replies?: readonly Reply[];
}

/** Asks in a conversation, as an editor does. */
export async function ask(conversation: Conversation, asked: Asked = {}) {
  const { text = 'Third?', again = false, route = ROUTE, tools = true, replies } = asked;
  const send = scripted(...(replies ?? [{ headers, body: COMPLETE }]));
  const turns = turnsOver(send, route);
  const toolbox = toolboxOf(['read'], async () => ({ text: RESULT }));
  const exchange = again ? conversation.exchanges.at(-1) : undefined;
  const question = exchange?.question ?? { text, images: [], origin: undefined };
  const content = () =>
    toConversationContent(SETTINGS, { conversation, exchange, question, route }, {}, () =>
      tools ? toolbox : undefined,
    );
  const shown = turns.build(content(), route, DEFAULT_PRICES);
  assert.ok(shown.ok);
  const prepared = await turns.prepare({ asker: 'conversation', countedAs: undefined, content }, NEVER);
  assert.ok(prepared.ok);
  const ended = await prepared.run({ signal: NEVER, onStep: () => undefined });
  // The usage of the scripted answers is not that of such a request.
  const turn: Turn = { ...ended, usage: { ...NO_USAGE } };
  const attempts = [...(exchange?.attempts ?? []), turn];
  const after: Exchange = { id: exchange?.id ?? text, question, attempts, shown: attempts.length - 1 };
  const exchanges = [...conversation.exchanges.filter(({ id }) => id !== after.id), after];
  const requests = send.requests.map(({ body }) => JSON.parse(String(body)) as ChatRequest);
  const [first] = requests;
  assert.ok(first);
  assert.equal(
    JSON.stringify(shown.request),
    JSON.stringify(first),
    'the request that is shown is the one sent',
  );
  return { conversation: { ...conversation, exchanges }, turn, requests, messages: first.messages };
}

export const sizeOf = (messages: readonly Message[]) => JSON.stringify(messages).split('\u00e9').length - 1;
export const notesIn = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'tool' && message.content === NOTE ? [message.tool_call_id] : [],
  );
export const sentIn = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'tool' && message.content !== NOTE ? [message.tool_call_id] : [],
  );
/** Whether a request begins with all messages of another one. */
export const beginsWith = (messages: readonly Message[], before: readonly Message[]) =>
  assert.deepEqual(messages.slice(0, before.length).map(inShort), before.map(inShort));

const inShort = (message: Message) =>
  JSON.stringify(message).replaceAll(/\u00e9+/g, (all) => `\u00e9 \u00d7 ${all.length}`);

export const calling = (at: number): Reply => ({
  headers,
  body: sse(
    chunkOf({ reasoning_content: 'Hm.' }),
    chunkOf({
      tool_calls: [
        {
          index: 0,
          id: `c_${at}`,
          type: 'function',
          function: { name: 'read', arguments: `{"of":"${at}"}` },
        },
      ],
    }),
    chunkOf({}, 'tool_calls'),
    '[DONE]',
  ),
});

/** Messages of pages that name something that no longer exists, arrive late, or arrive twice. */
import fc from 'fast-check';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import type { PageMessage, WebviewMessage } from '../../../src/panel/webviewMessages.ts';
import type { Window } from './window.ts';
import { exchangesOf, type World } from './world.ts';

/** A message of a page. The numbers choose among ids that exist, have existed, or never existed. */
export interface Said {
  readonly type: WebviewMessage['type'];
  /** Undefined for a page that has not got a snapshot yet. */
  readonly conversation: number | undefined;
  readonly which: number;
  readonly index: number;
  /** No text. */
  readonly empty: boolean;
}

const TYPES: readonly (readonly [type: WebviewMessage['type'], weight: number])[] = [
  ['send', 6],
  ['edit', 4],
  ['draft', 3],
  ['typed', 3],
  ['editing', 3],
  ['regenerate', 3],
  ['action', 3],
  ['ready', 2],
  ['stop', 2],
  ['show-attempt', 2],
  ['show-version', 2],
  ['send-queue', 2],
  ['remove-queued', 2],
  ['fork', 1],
  ['clear-queue', 1],
  ['show-earlier', 1],
  ['show-later', 1],
  ['show-exchange', 1],
  ['find', 1],
  ['complete', 1],
  ['omit-image', 1],
  ['attach', 1],
  ['attach-images', 1],
  ['attach-addresses', 1],
  ['attach-context', 1],
  ['dismiss-rejected', 1],
  ['remove-attachment', 1],
  ['remove-context', 1],
  ['renew-context', 1],
  ['pick-format', 1],
  ['pick-tools', 1],
  ['structured', 1],
  ['open-reasoning', 1],
  ['revert', 1],
  ['compare-attempts', 1],
  ['open-result', 1],
  ['copy', 1],
  ['copy-text', 1],
  ['code', 1],
  ['proposal', 1],
  ['tool-decision', 1],
  ['show-tool-changes', 1],
  ['stop-call', 1],
  ['find-paths', 1],
  ['find-symbols', 1],
  ['seen', 1],
];

export const anySaid: fc.Arbitrary<Said> = fc.record({
  type: fc.oneof(...TYPES.map(([type, weight]) => ({ arbitrary: fc.constant(type), weight }))),
  conversation: fc.option(fc.nat(9), { nil: undefined, freq: 8 }),
  which: fc.nat(40),
  index: fc.nat(3),
  empty: fc.boolean(),
});

const NOWHERE: readonly string[] = ['', 'nowhere', '__proto__', '0'];

const pick = <Item>(all: readonly Item[], which: number): Item | undefined => all[which % all.length];

const ACTIONS = [
  'retry',
  'retry-larger',
  'continue',
  'use-suggested-model',
  'set-key',
  'add-route',
  'summarize',
  'omit-oldest-images',
  'smaller-images',
  'send-results',
  'omit-results',
  'omit-all-results',
  'repair',
  'restore',
] as const;

/** All ids that were ever in a conversation, and ids that never were. */
export interface Ids {
  readonly exchanges: Set<string>;
  readonly turns: Set<string>;
  readonly queued: Set<string>;
}

export function noteIds(ids: Ids, all: readonly Conversation[], queued: readonly string[]): void {
  for (const { id, attempts } of all.flatMap(exchangesOf)) {
    ids.exchanges.add(id);
    for (const turn of attempts) ids.turns.add(turn.id);
  }
  for (const id of queued) ids.queued.add(id);
}

/** @param text the text of a question or a draft, which occurs nowhere else */
export function toMessage(world: World, ids: Ids, text: string, said: Said): PageMessage {
  const { conversation } = said;
  return {
    message: toInner(ids, said.empty ? '' : text, said),
    conversationId:
      conversation === undefined ? undefined : pick([...world.ids, ...world.ids, ...NOWHERE], conversation),
    seen: said.empty ? undefined : said.which,
  };
}

function toInner(ids: Ids, text: string, { type, which, index }: Said): WebviewMessage {
  const among = (all: ReadonlySet<string>) => pick([...all, ...NOWHERE], which) ?? '';
  const exchangeId = among(ids.exchanges);
  const turnId = among(ids.turns);
  switch (type) {
    case 'send':
    case 'draft':
    case 'typed':
    case 'copy-text':
      return { type, text };
    case 'complete':
      return { type, text, query: index, sign: index === 0 ? '/' : '@' };
    case 'edit':
      return { type, exchangeId, text };
    case 'editing':
      return { type, before: undefined, editing: index === 0 ? undefined : { exchangeId, text } };
    case 'find':
      return { type, words: text };
    case 'action':
      return {
        type,
        action: pick(ACTIONS, index + which) ?? 'retry',
        turnId: index === 3 ? undefined : turnId,
      };
    case 'show-exchange':
    case 'fork':
      return { type, exchangeId };
    case 'omit-image':
      return { type, exchangeId, index, omits: which % 2 === 0 };
    case 'show-version':
      return { type, exchangeId, version: index };
    case 'show-attempt':
      return { type, exchangeId, attempt: index };
    case 'remove-queued':
      return { type, id: among(ids.queued) };
    case 'dismiss-rejected':
      return { type, text };
    case 'remove-attachment':
      return { type, name: text, index };
    case 'remove-context':
    case 'renew-context':
      return { type, id: among(ids.queued) };
    case 'attach-images':
      return { type, images: [] };
    case 'attach-addresses':
      return { type, addresses: [text] };
    case 'attach-context':
      return { type, references: [{ kind: 'selection' }] };
    case 'structured':
      return { type, action: 'repair', turnId };
    case 'code':
      return { type, action: 'insert', exchangeId, text, info: '' };
    case 'proposal':
      return { type, action: 'accept-all', proposalId: turnId, uri: text };
    case 'tool-decision':
      return { type, approval: turnId, decision: 'always' };
    case 'show-tool-changes':
      return { type, approval: turnId };
    case 'stop-call':
      return { type, turnId, callId: text };
    case 'find-paths':
      return { type, paths: [text] };
    case 'find-symbols':
      return { type, names: ['total', 'Invoice.total'] };
    case 'open-symbol':
      return { type, name: 'total' };
    case 'open-result':
      return { type, turnId, round: index, index };
    case 'open-reasoning':
    case 'revert':
    case 'compare-attempts':
    case 'copy':
    case 'seen':
    case 'regenerate':
      return { type, turnId };
    case 'open-path':
      return { type, path: text };
    case 'focus-moved':
      return { type, here: index % 2 === 0, byKeyboard: true };
    case 'open-link':
      return { type, href: text };
    case 'cite':
      return { type, steps: [{ turnId, step: index, strength: 'weak' }], at: 0, show: index % 2 === 0 };
    case 'map':
      return { type, turnId };
    case 'show-step':
      return { type, turnId, step: index };
    case 'choose-words':
      return { type, turnId, sentences: [text] };
    default:
      return { type };
  }
}

const ASKING_ACTIONS: ReadonlySet<string> = new Set(['retry', 'retry-larger', 'continue', 'smaller-images']);

/** Whether a message asks a question that exists, so that a request may follow. */
export function mayAsk({ conversations }: Window, { message }: PageMessage, meant: string): boolean {
  const conversation = conversations.get(meant);
  switch (message.type) {
    case 'send':
      return conversation !== undefined && (message.text !== '' || conversations.queue(meant).length > 0);
    case 'send-queue':
      return conversation !== undefined && conversations.queue(meant).length > 0;
    case 'edit':
      return conversation?.exchanges.some(({ id }) => id === message.exchangeId) ?? false;
    case 'regenerate':
      return conversations.find(message.turnId) !== undefined;
    case 'action':
      if (message.action === 'summarize') return conversation !== undefined;
      if (!ASKING_ACTIONS.has(message.action) || message.turnId === undefined) return false;
      return conversations.find(message.turnId) !== undefined;
    default:
      return false;
  }
}

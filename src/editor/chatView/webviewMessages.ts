/** Decodes the messages of the panel's page. Each message is checked completely before it is handled. */
import * as v from 'valibot';
import type { CardAction } from '../../panel/cards.ts';
import type { ContextReference } from '../../panel/context.ts';
import { MAX_PATH_LENGTH, MAX_PATHS_ASKED } from '../../panel/pathText.ts';
import { parseSymbol } from '../../panel/symbolText.ts';
import type { CodeAction, ProposalAction, StructuredAction, ToolDecision } from '../../panel/views.ts';
import type { PageMessage, WebviewMessage } from '../../panel/webviewMessages.ts';
import type { CitedStep } from '../../panel/why.ts';
import { type Decoded, type Decoder, decode, oneOf, orUndefined, whole } from '../../validation/decode.ts';
import { decodeMessage, type MessageDecoders, message } from '../../validation/typedMessages.ts';
import { fieldOf } from '../base/ownField.ts';

const text = v.string();
const path = v.pipe(v.string(), v.maxLength(MAX_PATH_LENGTH));
/** As `parseSymbol` returns it. */
const symbol: Decoder<string> = v.custom<string>(
  (value) => typeof value === 'string' && parseSymbol(value) === value,
  'the name of a symbol', // For the log.
);
/** Index into a list, from 0. */
const index = v.pipe(v.number(), v.integer(), v.minValue(0));

const bytes: Decoder<Uint8Array> = v.custom<Uint8Array>((value) => value instanceof Uint8Array, 'bytes');

const reference: Decoder<ContextReference> = v.variant('kind', [
  v.object({ kind: v.literal('file'), uri: text }),
  v.object({ kind: v.literal('symbol'), uri: text, name: text, startLine: index, endLine: index }),
  v.object({ kind: v.literal('problems'), uri: v.exactOptional(text) }),
  v.object({ kind: v.picklist(['selection', 'changes', 'terminal', 'instructions']) }),
]);

const citedStep: Decoder<CitedStep> = v.object({
  turnId: text,
  step: index,
  strength: oneOf({ strong: true, weak: true }),
});

const structuredAction = oneOf<StructuredAction>({ save: true, repair: true });
const codeAction = oneOf<CodeAction>({ insert: true, apply: true, 'new-file': true });
const proposalAction = oneOf<ProposalAction>({
  review: true,
  diff: true,
  'accept-all': true,
  'reject-all': true,
  compare: true,
  reopen: true,
  restore: true,
});
const toolDecision = oneOf<ToolDecision>({ once: true, conversation: true, always: true, refuse: true });
const cardAction = oneOf<CardAction>({
  retry: true,
  'retry-larger': true,
  'retry-without-format': true,
  'retry-without-effort': true,
  continue: true,
  'use-suggested-model': true,
  'set-key': true,
  'add-route': true,
  'switch-route': true,
  'check-connection': true,
  'probe-route': true,
  'try-demo': true,
  'edit-routes': true,
  'edit-settings': true,
  'manage-trust': true,
  'show-log': true,
  'new-conversation': true,
  export: true,
  summarize: true,
  'omit-oldest-images': true,
  'smaller-images': true,
  'send-results': true,
  'omit-results': true,
  'omit-all-results': true,
  repair: true,
  'edit-question': true,
  restore: true,
});

/** About the conversation as a whole, and its message box. */
const composerMessages = () => ({
  ready: message('ready', {}),
  send: message('send', {
    text,
    draft: v.exactOptional(text),
    rest: v.exactOptional(text),
    isLate: v.exactOptional(v.literal(true)),
  }),
  stop: message('stop', {}),
  'show-earlier': message('show-earlier', {}),
  'show-later': message('show-later', {}),
  'show-exchange': message('show-exchange', { exchangeId: text }),
  find: message('find', { words: text }),
  recall: message('recall', {}),
  draft: message('draft', { text }),
  typed: message('typed', { text }),
  editing: message('editing', {
    before: orUndefined(text),
    editing: orUndefined(v.object({ exchangeId: text, text })),
  }),
  attach: message('attach', {}),
  'attach-images': message('attach-images', {
    images: v.array(
      v.object({ name: text, size: index, bytes: orUndefined(bytes), error: orUndefined(text) }),
    ),
  }),
  'attach-addresses': message('attach-addresses', { addresses: v.array(text) }),
  'dismiss-rejected': message('dismiss-rejected', { text }),
  'remove-attachment': message('remove-attachment', { name: text, index }),
  complete: message('complete', { query: whole, sign: v.picklist(['@', '/']), text }),
  'attach-context': message('attach-context', { references: v.array(reference) }),
  'remove-context': message('remove-context', { id: text }),
  'renew-context': message('renew-context', { id: text }),
  'leave-out-instructions': message('leave-out-instructions', {}),
  'pick-effort': message('pick-effort', {}),
  'pick-preset': message('pick-preset', {}),
  'pick-format': message('pick-format', {}),
});

/** About a turn: its question, and what is in its answer. */
const turnMessages = () => ({
  structured: message('structured', { action: structuredAction, turnId: text }),
  'pick-tools': message('pick-tools', {}),
  action: message('action', { action: cardAction, turnId: orUndefined(text) }),
  regenerate: message('regenerate', { turnId: text }),
  edit: message('edit', { exchangeId: text, text }),
  fork: message('fork', { exchangeId: text }),
  'omit-image': message('omit-image', { exchangeId: text, index, omits: v.boolean() }),
  'show-version': message('show-version', { exchangeId: text, version: whole }),
  'remove-queued': message('remove-queued', { id: text }),
  'send-queue': message('send-queue', {}),
  'clear-queue': message('clear-queue', {}),
  'show-attempt': message('show-attempt', { exchangeId: text, attempt: whole }),
  'open-reasoning': message('open-reasoning', { turnId: text }),
  cite: message('cite', { steps: v.array(citedStep), at: index, show: v.boolean() }),
  map: message('map', { turnId: text }),
  'show-step': message('show-step', { turnId: text, step: index }),
  'choose-words': message('choose-words', { turnId: text, sentences: v.array(text) }),
  revert: message('revert', { turnId: text }),
  'compare-attempts': message('compare-attempts', { turnId: text }),
  copy: message('copy', { turnId: text }),
  'copy-text': message('copy-text', { text }),
  code: message('code', { action: codeAction, exchangeId: text, text, info: text }),
  proposal: message('proposal', { action: proposalAction, proposalId: text, uri: text }),
  'tool-decision': message('tool-decision', { approval: text, decision: toolDecision }),
  'stop-call': message('stop-call', { turnId: text, callId: text }),
  'show-tool-changes': message('show-tool-changes', { approval: text }),
  'open-result': message('open-result', { turnId: text, round: index, index }),
});

/** About links and names in texts, and the page itself. */
const pageMessages = () => ({
  'open-link': message('open-link', { href: text }),
  'find-paths': message('find-paths', {
    paths: v.pipe(v.array(path), v.maxLength(MAX_PATHS_ASKED)),
  }),
  'open-path': message('open-path', { path }),
  'find-symbols': message('find-symbols', {
    names: v.pipe(v.array(symbol), v.maxLength(MAX_PATHS_ASKED)),
  }),
  'open-symbol': message('open-symbol', { name: symbol }),
  'focus-moved': message('focus-moved', { here: v.boolean(), byKeyboard: v.boolean() }),
  seen: message('seen', { turnId: text }),
});

const createMessages = (): MessageDecoders<WebviewMessage> => ({
  ...composerMessages(),
  ...turnMessages(),
  ...pageMessages(),
});

/** Created for the first message: creating them takes a tenth of the time in which the modules of the extension are loaded. */
let messages: MessageDecoders<WebviewMessage> | undefined;

const envelope = v.object({
  message: v.unknown(),
  conversationId: orUndefined(text),
  seen: orUndefined(index),
  number: v.exactOptional(index),
});

/** The decoded message, or which field is invalid. Invalid messages are dropped (docs/security.md). */
export function decodePageMessage(value: unknown): Decoded<PageMessage> {
  const outer = decode(envelope, value);
  if (!outer.ok) return outer;
  messages ??= createMessages();
  const inner = decodeMessage<WebviewMessage>(messages, outer.value.message);
  if (!inner.ok) return inner;
  return { ok: true, value: { ...outer.value, message: inner.value } };
}

/** The type of a message, for the log. Nothing else of an invalid message is logged. */
export function typeOf(message: unknown): string {
  const type = fieldOf(fieldOf(message, 'message'), 'type');
  return typeof type === 'string' ? JSON.stringify(type.slice(0, LONGEST_TYPE)) : 'without a type';
}

const LONGEST_TYPE = 40;

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodePageMessage } from '../../../../src/editor/chatView/webviewMessages.ts';
import type { WebviewMessage } from '../../../../src/panel/webviewMessages.ts';
import { describeWrong } from '../../../../src/validation/decode.ts';

const wrongOf = (said: unknown) => {
  const decoded = decodePageMessage(said);
  return decoded.ok ? undefined : describeWrong(decoded.wrong);
};

/** A message of every type: one that is added to the union is missing here, and does not compile. */
const MESSAGES: { readonly [Type in WebviewMessage['type']]: Extract<WebviewMessage, { type: Type }> } = {
  ready: { type: 'ready' },
  'focus-moved': { type: 'focus-moved', here: false, byKeyboard: true },
  send: { type: 'send', text: 'Hello', draft: 'Half a dr' },
  stop: { type: 'stop' },
  'show-earlier': { type: 'show-earlier' },
  'show-later': { type: 'show-later' },
  'show-exchange': { type: 'show-exchange', exchangeId: 'e1' },
  find: { type: 'find', words: '' },
  draft: { type: 'draft', text: '' },
  typed: { type: 'typed', text: '' },
  editing: { type: 'editing', before: 'e0', editing: { exchangeId: 'e1', text: 'Why not?' } },
  attach: { type: 'attach' },
  'attach-images': {
    type: 'attach-images',
    images: [
      { name: 'a.png', size: 3, bytes: new Uint8Array([1, 2, 3]), error: undefined },
      { name: 'b.png', size: 2 ** 31, bytes: undefined, error: undefined },
      { name: 'c.png', size: 3, bytes: undefined, error: 'The file could not be found.' },
    ],
  },
  'attach-addresses': { type: 'attach-addresses', addresses: ['ms://f'] },
  'dismiss-rejected': { type: 'dismiss-rejected', text: 'a.png is no image.' },
  'remove-attachment': { type: 'remove-attachment', name: 'a.png', index: 1 },
  complete: { type: 'complete', query: 3, sign: '@', text: 'a' },
  'attach-context': {
    type: 'attach-context',
    references: [
      { kind: 'file', uri: 'file:///a' },
      { kind: 'symbol', uri: 'file:///a', name: 'f', startLine: 0, endLine: 2 },
      { kind: 'problems', uri: 'file:///a' },
      { kind: 'problems' },
      { kind: 'selection' },
      { kind: 'changes' },
    ],
  },
  'remove-context': { type: 'remove-context', id: 'k1' },
  'renew-context': { type: 'renew-context', id: 'k1' },
  'leave-out-instructions': { type: 'leave-out-instructions' },
  'pick-effort': { type: 'pick-effort' },
  recall: { type: 'recall' },
  'pick-preset': { type: 'pick-preset' },
  'pick-format': { type: 'pick-format' },
  structured: { type: 'structured', action: 'save', turnId: 't1' },
  'pick-tools': { type: 'pick-tools' },
  action: { type: 'action', action: 'retry', turnId: undefined },
  regenerate: { type: 'regenerate', turnId: 't1' },
  edit: { type: 'edit', exchangeId: 'e1', text: 'Why?' },
  fork: { type: 'fork', exchangeId: 'e1' },
  'omit-image': { type: 'omit-image', exchangeId: 'e1', index: 0, omits: true },
  'show-version': { type: 'show-version', exchangeId: 'e1', version: -1 },
  'remove-queued': { type: 'remove-queued', id: 'q1' },
  'send-queue': { type: 'send-queue' },
  'clear-queue': { type: 'clear-queue' },
  'show-attempt': { type: 'show-attempt', exchangeId: 'e1', attempt: 1 },
  'open-reasoning': { type: 'open-reasoning', turnId: 't1' },
  cite: {
    type: 'cite',
    steps: [
      { turnId: 't1', step: 3, strength: 'strong' },
      { turnId: 't2', step: 0, strength: 'weak' },
    ],
    at: 1,
    show: false,
  },
  map: { type: 'map', turnId: 't1' },
  'show-step': { type: 'show-step', turnId: 't1', step: 2 },
  'choose-words': { type: 'choose-words', turnId: 't1', sentences: ['It fails.'] },
  revert: { type: 'revert', turnId: 't' },
  'compare-attempts': { type: 'compare-attempts', turnId: 't' },
  copy: { type: 'copy', turnId: 't1' },
  'copy-text': { type: 'copy-text', text: 'let a;' },
  code: { type: 'code', action: 'new-file', exchangeId: 'e1', text: 'let a;', info: 'ts' },
  proposal: { type: 'proposal', action: 'accept-all', proposalId: 'p1', uri: 'file:///a' },
  'tool-decision': { type: 'tool-decision', approval: 'a1', decision: 'once' },
  'stop-call': { type: 'stop-call', turnId: 't1', callId: 'c1' },
  'show-tool-changes': { type: 'show-tool-changes', approval: 'a1' },
  'open-result': { type: 'open-result', turnId: 't1', round: 0, index: 1 },
  'open-link': { type: 'open-link', href: 'https://example.com' },
  'find-paths': { type: 'find-paths', paths: ['src/x.ts:7'] },
  'open-path': { type: 'open-path', path: 'src/x.ts:7' },
  'find-symbols': { type: 'find-symbols', names: ['formatPrice', 'Invoice.total'] },
  'open-symbol': { type: 'open-symbol', name: 'Invoice.total' },
  seen: { type: 'seen', turnId: 't1' },
};

describe('What a page says', () => {
  for (const message of Object.values(MESSAGES))
    it(`may be ${message.type}, with the conversation that was on the page and the last message it had`, () => {
      const said = { message, conversationId: 'c1', seen: 3 };
      assert.deepEqual(decodePageMessage(said), { ok: true, value: said });
    });

  it('names no conversation and no message before there are any', () => {
    const said = { message: { type: 'ready' } };
    const none = { conversationId: undefined, seen: undefined };
    assert.deepEqual(decodePageMessage(said), { ok: true, value: { ...said, ...none } });
  });

  it('may leave out what is undefined, as the editor does on the way', () => {
    for (const type of ['attach-images', 'action'] as const) {
      const message = MESSAGES[type];
      const sent: unknown = { message: JSON.parse(JSON.stringify({ ...message, images: [] })) };
      assert.equal(wrongOf(sent), undefined, type);
    }
  });

  for (const said of [
    undefined,
    null,
    'send',
    {},
    { type: 'send' },
    { message: null },
    { message: 'send' },
    { message: { type: 7 } },
    { message: { type: 'delete-everything' } },
    { message: { type: 'toString' } },
    { message: { type: 'ready' }, conversationId: 1 },
  ])
    it(`is nothing when it is ${JSON.stringify(said)}`, () => assert.notEqual(wrongOf(said), undefined));

  for (const [message, wrong] of [
    [{ type: 'send' }, 'send.text should be text'],
    [{ type: 'send', text: ['x'] }, 'send.text should be text'],
    [{ type: 'open-link', href: {} }, 'open-link.href should be text'],
    [{ type: 'remove-queued', id: 0 }, 'remove-queued.id should be text'],
    [{ type: 'remove-attachment', name: 'a', index: '0' }, 'remove-attachment.index should be a number'],
    [
      { type: 'remove-attachment', name: 'a', index: 0.5 },
      'remove-attachment.index should be a whole number',
    ],
    [
      { type: 'remove-attachment', name: 'a', index: -1 },
      'remove-attachment.index should be a number that is not below zero',
    ],
    [
      { type: 'tool-decision', approval: 'a', decision: 'forever' },
      'tool-decision.decision should be one of once, conversation, always, refuse',
    ],
    [
      { type: 'attach-images', images: [{ name: 'a', size: 1, bytes: 'AAAA' }] },
      'attach-images.images[0].bytes should be bytes',
    ],
    [{ type: 'open-symbol', name: 'npm test' }, 'open-symbol.name should be the name of a symbol'],
    [
      { type: 'find-symbols', names: ['total', 'total()'] },
      'find-symbols.names[1] should be the name of a symbol',
    ],
    [{ type: 'attach-addresses', addresses: [1] }, 'attach-addresses.addresses[0] should be text'],
  ] as const)
    it(`is refused with the field that is wrong: ${wrong}`, () => {
      assert.equal(wrongOf({ message }), wrong);
    });

  it('is refused when it wants a context of an unknown kind', () => {
    const references = [{ kind: 'everything' }];
    assert.match(
      wrongOf({ message: { type: 'attach-context', references } }) ?? '',
      /^attach-context\.references\[0\]\.kind/,
    );
  });
});

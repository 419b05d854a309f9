/** How the turns of a conversation ended, in its document and its exported Markdown. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import type { Outcome, Turn } from '../../../../src/conversation/turn.ts';
import * as stub from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../conversation/turns.ts';

const { exportConversation, registerSettings, registerConversationDocument, renderConversation } =
  await withEditorStub(async () => ({
    ...(await import('../../../../src/editor/settings/settings.ts')),
    ...(await import('../../../../src/editor/conversations/conversationDocument.ts')),
  }));

const endedAs = (id: string, outcome: Outcome, answer = 'One and') => ({
  ...completeTurn(answer),
  id,
  outcome,
});

/** An answer that ended early, and the exchange that goes on from there. */
function partsOf(outcome: Outcome, rest = ' two.'): readonly Exchange[] {
  const first = exchangeOf('Count.', endedAs('t1', outcome));
  const second = exchangeOf('Continue.', { ...completeTurn(rest), id: 't2' });
  return [first, { ...second, question: { ...second.question, continues: 't1' } }];
}

const headingsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('## svc-k3'));

describe('The end of an answer in the document of its conversation', () => {
  it('is history when a later exchange goes on from there, also in exported Markdown', () => {
    for (const [outcome, heading] of [
      ['truncated', '## svc-k3: Cut off. Continued below.'],
      ['interrupted', '## svc-k3: Interrupted. Continued below.'],
      ['stalled', '## svc-k3: Stalled. Continued below.'],
      ['stopped', '## svc-k3: Stopped. Continued below.'],
      ['failed', '## svc-k3: Failed. Continued below.'],
    ] as const) {
      const conversation = conversationOf(...partsOf(outcome));
      for (const text of [exportConversation(conversation), renderConversation(conversation).text])
        assert.deepEqual(headingsOf(text), [heading, '## svc-k3: Complete']);
    }
  });

  it('is as it was where nothing goes on: alone, before another question, or before a rest without text', () => {
    const [first, second] = partsOf('truncated');
    assert.ok(first && second);
    const other = exchangeOf('And?', completeTurn());
    for (const exchanges of [[first], [first, other], partsOf('truncated', ' ')])
      assert.equal(headingsOf(exportConversation(conversationOf(...exchanges)))[0], '## svc-k3: Cut off');
  });

  it('stays with its attempt', () => {
    const [first, second] = partsOf('truncated');
    assert.ok(first && second);
    const again = { ...first, attempts: [endedAs('t0', 'stopped'), ...first.attempts], shown: 1 };
    assert.equal(
      headingsOf(exportConversation(conversationOf(again, second)))[0],
      '## svc-k3: Cut off. Continued below. (attempt 2 of 2)',
    );
  });
});

describe('The tokens of reasoning in the document of a conversation and in exported Markdown', () => {
  it('are marked as estimated if they were not reported, as in the Reasoning view', () => {
    const texts = (turn: Turn) => {
      const conversation = conversationOf(exchangeOf('Why?', turn));
      return [exportConversation(conversation), renderConversation(conversation).text];
    };
    for (const text of texts(completeTurn())) assert.match(text, /Reasoning( · | \\?\()40 tokens/i);
    for (const text of texts({ ...completeTurn(), usage: undefined }))
      assert.match(text, /reasoning( · | \\?\()about 1 token/i);
  });
});

describe('The cost of an answer in the document of its conversation', () => {
  restoreAfterEach(stub.workspace, stub.env);

  it('follows k3.prices, as in the chat, also in an open document', () => {
    let input = 3;
    const configured = new stub.EventEmitter<{ affectsConfiguration: (name: string) => boolean }>();
    Object.assign(stub.workspace, {
      onDidChangeConfiguration: configured.event,
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (name: string) => ({ globalValue: name === 'prices' ? { input } : undefined }),
      }),
      textDocuments: [{ uri: { scheme: 'k3-conversation', query: 'conversation=c1' } }],
      registerTextDocumentContentProvider: (_: string, provider: typeof provided) => {
        provided = provider;
        return new stub.Disposable(() => undefined);
      },
    });
    let provided: { readonly onDidChange: (listener: () => void) => unknown } | undefined;
    const keeping = registerSettings();
    const conversation = conversationOf(exchangeOf('Why?', completeTurn()));
    const documents = registerConversationDocument({
      conversations: { get: () => conversation, onDidChange: new stub.EventEmitter<never>().event as never },
    });
    const costOf = () => /\$[\d.]+/.exec(renderConversation(conversation).text)?.[0];
    let changes = 0;
    provided?.onDidChange(() => changes++);
    assert.equal(costOf(), '$0.0019');
    input = 3000;
    configured.fire({ affectsConfiguration: (name) => 'k3.prices'.startsWith(name) });
    assert.deepEqual([costOf(), changes], ['$0.625', 1]);
    assert.equal(exportConversation(conversation).includes('$0.625'), true);
    configured.fire({ affectsConfiguration: (name) => 'k3.route'.startsWith(name) });
    assert.equal(changes, 1);
    documents.dispose();
    keeping.dispose();
  });
});

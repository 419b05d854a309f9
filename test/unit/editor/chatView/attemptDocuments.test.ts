/** What the documents of attempts say besides their texts, which `test/editor/chatView/attempts.test.ts` compares. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FormatVerdict } from '../../../../src/conversation/answerFormats/answerFormat.ts';
import * as stub from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../conversation/turns.ts';

const { attemptUri, registerAttemptDocuments } = await withEditorStub(
  () => import('../../../../src/editor/chatView/attemptDocuments.ts'),
);

describe('The document of an attempt', () => {
  restoreAfterEach(stub.workspace);

  const turn = completeTurn('[1]');
  const conversation = conversationOf(exchangeOf('As an object?', turn));
  const uri = { scheme: 'k3-attempt', query: `turn=${turn.id}&conversation=${conversation.id}` };
  const judged = new stub.EventEmitter<string>();
  const opened = new stub.EventEmitter<object>();
  const configured = new stub.EventEmitter<{ affectsConfiguration: (name: string) => boolean }>();
  let verdict: FormatVerdict | undefined;
  let prices: object;
  let changes: number;
  let text: () => string;

  beforeEach(() => {
    [verdict, prices, changes] = [undefined, {}, 0];
    Object.assign(stub.workspace, {
      textDocuments: [{ uri }],
      onDidChangeConfiguration: configured.event,
      onDidOpenTextDocument: opened.event,
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (name: string) => ({ globalValue: name === 'prices' ? prices : undefined }),
      }),
      registerFileSystemProvider(scheme: string, provider: Files) {
        if (scheme === uri.scheme) text = () => new TextDecoder().decode(provider.readFile(uri));
        if (scheme === uri.scheme) provider.onDidChangeFile(() => changes++);
        return new stub.Disposable(() => undefined);
      },
    });
  });

  interface Files {
    readonly readFile: (uri: object) => Uint8Array;
    readonly onDidChangeFile: (listener: () => void) => unknown;
  }

  const register = () =>
    registerAttemptDocuments(
      {
        ...{ get: () => conversation, isRunning: () => false, holder: () => undefined },
        onDidChange: new stub.EventEmitter<never>().event as never,
      },
      { judged: () => ({ format: { kind: 'json' }, verdict }), onDidJudge: judged.event as never },
    );

  it('has the check of its answer format, as the chat does', () => {
    const documents = register();
    assert.doesNotMatch(text(), /Parameters/);
    verdict = { kind: 'not-json' };
    judged.fire(turn.id);
    assert.match(text(), /\n- Parameters: failed \(json_object\)\n/);
    judged.fire('another');
    assert.equal(changes, 1);
    documents.dispose();
  });

  it('has the check that ended after the editor had read it, and before it was open, as after a reload', () => {
    const documents = register();
    const before = text();
    Object.assign(stub.workspace, { textDocuments: [] });
    verdict = { kind: 'not-json' };
    judged.fire(turn.id);
    const document = { uri, getText: () => before };
    Object.assign(stub.workspace, { textDocuments: [document] });
    opened.fire(document);
    assert.equal(changes, 1);
    opened.fire({ uri, getText: text });
    assert.equal(changes, 1);
    documents.dispose();
  });

  it('is named after Continue as the chat is, not after the instruction that is sent', () => {
    const { question } = exchangeOf('Go on where it was cut off.');
    const exchange = { ...exchangeOf('rest', turn), question: { ...question, continues: 'before' } };
    assert.equal(attemptUri({ conversation, exchange, turn }).path, '/Attempt 1, Continue.md');
  });

  it('has its cost at the prices of now, as the chat does', () => {
    const documents = register();
    assert.match(text(), /\n- Cost: \$0\.0019\n/);
    prices = { input: 3000 };
    configured.fire({ affectsConfiguration: (name) => 'k3.prices'.startsWith(name) });
    assert.match(text(), /\n- Cost: \$0\.625\n/);
    assert.equal(changes, 1);
    documents.dispose();
  });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FormatCheck } from '../../../../src/conversation/answerFormats/answerFormat.ts';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { Uri, window, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf } from '../../conversation/turns.ts';

const { createStructuredAnswers } = await withEditorStub(
  () => import('../../../../src/editor/structured/structuredAnswers.ts'),
);

const question = { text: 'As JSON.', images: [], origin: undefined, format: { kind: 'json' } } as const;
const last: Turn = { ...completeTurn('2}'), id: 't2' };

/** A conversation with an answer in two parts. */
function inParts(first: string) {
  const cut: Turn = { ...completeTurn(first), id: 't1', outcome: 'truncated' };
  const exchanges: readonly Exchange[] = [
    { id: 'e1', question, attempts: [cut], shown: 0 },
    { id: 'e2', question: { ...question, continues: 't1' }, attempts: [last], shown: 0 },
  ];
  return conversationOf(...exchanges);
}

describe('The check of an answer', () => {
  let conversation: ReturnType<typeof inParts>;
  let answers: ReturnType<typeof createStructuredAnswers>;
  let asked: Question | undefined;

  beforeEach(() => {
    conversation = inParts('{"a": ');
    const find = () => {
      const exchange = conversation.exchanges[1] ?? assert.fail();
      return { conversation, exchange, turn: last };
    };
    asked = undefined;
    const ask = async (_: string, next: Question) => {
      asked = next;
      return { ok: true, turnId: 't3' };
    };
    const routes = { active: () => undefined };
    answers = createStructuredAnswers({ conversations: { find, ask }, routes } as never);
  });

  async function verdict(): Promise<FormatCheck['verdict']> {
    const judged = conversation.exchanges[1]?.question;
    const known = answers.judged(last, judged)?.verdict;
    if (known !== undefined) return known;
    await new Promise<void>((resolve) => answers.onDidJudge(() => resolve()));
    return answers.judged(last, judged)?.verdict;
  }

  it('lets others run before the next one, because a schema of an imported conversation can take long', async () => {
    const order: string[] = [];
    const ended = new Promise<void>((resolve) => {
      answers.onDidJudge((id) => {
        order.push(id);
        setImmediate(() => order.push('others'));
        if (id === 'c') resolve();
      });
    });
    for (const id of ['a', 'b', 'c']) answers.judged({ ...completeTurn('{}'), id }, question);
    await ended;
    assert.deepEqual(order.slice(0, 4), ['a', 'others', 'b', 'others']);
  });

  it('is made once, of all parts', async () => {
    assert.equal((await verdict())?.kind, 'fits');
    assert.equal((await verdict())?.kind, 'fits');
  });

  it('says when the file for it was not chosen, so that the chat has the focus again', async () => {
    Object.assign(window, { showSaveDialog: async () => undefined });
    try {
      const closed: (boolean | undefined)[] = [];
      await answers.perform('save', 't2', (chosen) => closed.push(chosen));
      assert.deepEqual(closed, [false]);
    } finally {
      Reflect.deleteProperty(window, 'showSaveDialog');
    }
  });

  it('suggests a file beside those of the workspace, whatever name an imported conversation has for it', async () => {
    const suggested: string[] = [];
    const showSaveDialog = async ({ defaultUri }: { defaultUri: Uri }) =>
      void suggested.push(defaultUri.path);
    Object.assign(window, { showSaveDialog });
    Object.assign(workspace, { workspaceFolders: [{ uri: new Uri('/w') }] });
    try {
      const format = { kind: 'schema', name: '../.vscode/settings', schema: { type: 'object' } } as const;
      const [first = assert.fail(), second = assert.fail()] = conversation.exchanges;
      conversation = conversationOf(first, { ...second, question: { ...second.question, format } });
      await answers.perform('save', 't2');
      assert.deepEqual(suggested, ['/w/vscode settings.json']);
    } finally {
      Reflect.deleteProperty(window, 'showSaveDialog');
      Reflect.deleteProperty(workspace, 'workspaceFolders');
    }
  });

  it('leads to a correction that can run no other tools, and spend no more, than the question', async () => {
    conversation = inParts('["a": ');
    const preset = { name: 'Ask', prompt: 'Read first.', tools: ['read_file'], maxCompletionTokens: 900 };
    const limits = { effort: 'low', tools: ['read_*'], preset } as const;
    const [first = assert.fail(), second = assert.fail()] = conversation.exchanges;
    conversation = conversationOf(first, { ...second, question: { ...second.question, ...limits } });
    await verdict();
    await answers.perform('repair', 't2');
    const { text = '', ...others } = asked ?? {};
    assert.match(text, /JSON/);
    const { prompt: _, ...sent } = preset;
    const format = { kind: 'json' };
    assert.deepEqual(others, { images: [], origin: undefined, format, ...limits, preset: sent });
  });

  it('is made again when the text of an earlier part is another one of the same length', async () => {
    await verdict();
    conversation = inParts('["a": ');
    assert.notEqual((await verdict())?.kind, 'fits');
    conversation = inParts('{"b": ');
    assert.equal((await verdict())?.kind, 'fits');
  });
});

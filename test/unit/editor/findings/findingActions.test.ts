import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Question } from '../../../../src/chat/question.ts';
import type { AskResult } from '../../../../src/editor/conversations/turnStart.ts';
import type { FindingActionsDeps } from '../../../../src/editor/findings/findingActions.ts';
import { refuse } from '../../../../src/turns/refusal.ts';
import { registered, textDocuments, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerFindingActions } = await withEditorStub(
  () => import('../../../../src/editor/findings/findingActions.ts'),
);

const document = {
  uri: { scheme: 'file', path: '/sum.js', toString: () => 'file:///sum.js' },
  languageId: 'javascript',
  isClosed: false,
  lineCount: 1,
  getText: () => 'let total = 0;',
  lineAt: () => ({ rangeIncludingLineBreak: { with: () => ({}) } }),
};
const found = {
  id: 'f1',
  conversationId: 'c1',
  uri: document.uri,
  startLine: 0,
  endLine: 0,
  finding: {
    file: 'sum.js',
    startLine: 1,
    endLine: 1,
    severity: 'error',
    claim: 'No.',
    evidence: 'total = 0',
    edit: undefined,
  },
};

describe('A reply to a finding', () => {
  let asked: AskResult;
  let sent: Question[];
  let queued: Question[];
  let composed: string[];
  let replies: string[];
  beforeEach(() => {
    asked = { ok: true, turnId: 't1' };
    sent = [];
    queued = [];
    composed = [];
    replies = [];
    textDocuments.push(document);
    window.visibleTextEditors.push({ document });
    const deps = {
      conversations: {
        open: () => undefined,
        ask: async (_: string, question: Question) => {
          sent.push(question);
          return asked;
        },
      },
      composers: {
        enqueue: (_: string, question: Question) => queued.push(question),
        compose: (_: string, text: string) => composed.push(text),
      },
      findings: { find: () => found },
      threads: { idOf: () => 'f1', addReply: (_: string, text: string) => replies.push(text) },
    };
    registerFindingActions(deps as unknown as FindingActionsDeps);
  });
  afterEach(() => {
    textDocuments.length = 0;
    window.visibleTextEditors.length = 0;
  });

  const reply = () =>
    registered.get('k3.discussFinding')?.(...([{ thread: { comments: [] }, text: 'Why?' }] as never[]));

  it('is asked in its conversation', async () => {
    await reply();
    assert.deepEqual([sent.length, queued, composed, replies], [1, [], [], ['Why?']]);
  });

  it('is queued while an answer runs there, such as that of the next files of the review', async () => {
    asked = refuse({ kind: 'running' });
    await reply();
    assert.match(queued[0]?.text ?? '', /^Why\?\n\nThis is about a finding/);
    assert.deepEqual([queued.length, composed, replies], [1, [], ['Why?']]);
  });

  it('is in the message box when it can’t be sent', async () => {
    asked = refuse({ kind: 'elsewhere', place: 'another window' });
    await reply();
    assert.deepEqual([sent.length, queued, composed, replies], [1, [], ['Why?'], []]);
  });
});

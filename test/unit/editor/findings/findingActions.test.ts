import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Question } from '../../../../src/conversation/question.ts';
import { NOTHING_CHOSEN, NOTHING_UNSENT } from '../../../../src/conversation/unsent.ts';
import type { AskResult } from '../../../../src/editor/conversations/turnStart.ts';
import type { FindingActionsDeps } from '../../../../src/editor/findings/findingActions.ts';
import type { ReviewCommandsDeps } from '../../../../src/editor/findings/reviewCommands.ts';
import { refuse } from '../../../../src/requests/refusal.ts';
import { textDocuments, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createFindingActions, askInFreeConversation, createComposers } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/findings/findingActions.ts')),
  ...(await import('../../../../src/editor/findings/reviewCommands.ts')),
  ...(await import('../../../../src/editor/composer/composers.ts')),
}));

const CODE = 'let total = 0;';
const document = {
  uri: { scheme: 'file', path: '/sum.js', fsPath: '/sum.js', toString: () => 'file:///sum.js' },
  languageId: 'javascript',
  isClosed: false,
  lineCount: 1,
  getText: () => CODE,
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
  let failing: boolean;
  let sent: Question[];
  let queued: Question[];
  let composed: string[];
  let replies: string[];
  let commands: ReturnType<typeof createFindingActions>;
  /** The finding, which moves with its lines. */
  let now: typeof found;
  beforeEach(() => {
    now = found;
    asked = { ok: true, turnId: 't1' };
    failing = false;
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
          if (failing) throw new Error('the disk is full');
          sent.push(question);
          return asked;
        },
      },
      composers: {
        enqueue: (_: string, question: Question) => queued.push(question),
        compose: (_: string, text: string) => composed.push(text),
      },
      findings: { find: () => now },
      threads: { idOf: () => 'f1', addReply: (_: string, text: string) => replies.push(text) },
    };
    commands = createFindingActions(deps as unknown as FindingActionsDeps);
  });
  afterEach(() => {
    document.getText = () => CODE;
    textDocuments.length = 0;
    window.visibleTextEditors.length = 0;
  });

  const reply = () => commands['k3.discussFinding']({ thread: { comments: [] }, text: 'Why?' });

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

  it('is in the message box when asking failed', async () => {
    failing = true;
    await assert.rejects(async () => reply(), /the disk is full/);
    assert.deepEqual([sent, queued, composed, replies], [[], [], ['Why?'], []]);
  });

  it('can be sent again while the user is told why it wasn’t', async () => {
    const { showWarningMessage } = window;
    Object.assign(window, { showWarningMessage: () => new Promise(() => undefined) });
    try {
      asked = refuse({ kind: 'elsewhere', place: 'another window' });
      await reply();
      asked = { ok: true, turnId: 't1' };
      await reply();
    } finally {
      Object.assign(window, { showWarningMessage });
    }
    assert.deepEqual([sent.length, replies], [2, ['Why?']]);
  });

  it('is entered below the claim, which shows no links, and stays when the user looks at the code', async () => {
    const { showInputBox } = window;
    const inputs: { readonly prompt?: string; readonly ignoreFocusOut?: boolean }[] = [];
    Object.assign(window, {
      showInputBox: async (input: (typeof inputs)[number]) => void inputs.push(input),
    });
    found.finding.claim = 'See [this](command:workbench.action.quit).';
    try {
      await commands['k3.discussFinding']('f1');
    } finally {
      Object.assign(window, { showInputBox });
      found.finding.claim = 'No.';
    }
    const [input] = inputs;
    assert.match(input?.prompt ?? '', /See \[this\] \(/);
    assert.equal(input?.ignoreFocusOut, true);
    assert.equal(sent.length, 0);
  });

  it('is about the lines where the finding is when it was entered', async () => {
    const { showInputBox } = window;
    Object.assign(window, {
      showInputBox: async () => {
        now = { ...found, startLine: 3, endLine: 4 };
        return 'Why?';
      },
    });
    try {
      await commands['k3.discussFinding']('f1');
    } finally {
      Object.assign(window, { showInputBox });
    }
    const { startLine, endLine } = sent[0]?.origin ?? {};
    assert.deepEqual([startLine, endLine], [3, 4]);
  });

  it('is in the message box when the user doesn’t allow its lines to be sent', async () => {
    document.getText = () => `key = "${['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')}"`;
    await reply();
    assert.deepEqual([sent.length, queued, composed, replies], [0, [], ['Why?'], []]);
  });

  it('is in the message box when its file is gone, and the editor says why', async () => {
    textDocuments.length = 0;
    await assert.rejects(Promise.resolve(reply()), /no such file/);
    assert.deepEqual([sent.length, queued, composed, replies], [0, [], ['Why?'], []]);
  });
});

describe('The queue of a conversation', () => {
  let queued: Question[];
  /** How many questions were in the queue when a change of it was reported, with its conversation. */
  let reported: (readonly [id: string, length: number])[];
  let composers: ReturnType<typeof createComposers>;
  beforeEach(() => {
    queued = [];
    reported = [];
    composers = createComposers(
      {
        get: () => undefined,
        draft: () => '',
        putDraft: () => undefined,
        unsent: () => NOTHING_UNSENT,
        isUnsentUnread: () => false,
        choices: () => NOTHING_CHOSEN,
        putUnsent: () => undefined,
        queue: () => queued.map((question, at) => ({ id: String(at), question })),
        enqueue: (_, question) => queued.push(question),
      },
      { get: () => undefined, set: () => undefined },
    );
    composers.onDidChange(({ conversationId }) => reported.push([conversationId, queued.length]));
    textDocuments.push(document);
  });
  afterEach(() => {
    composers.dispose();
    textDocuments.length = 0;
    window.visibleTextEditors.length = 0;
  });

  it('is shown with the reply to a finding that was added to it', async () => {
    window.visibleTextEditors.push({ document });
    const deps = {
      conversations: { open: () => undefined, ask: async () => refuse({ kind: 'running' }) },
      composers,
      findings: { find: () => found },
      threads: { idOf: () => 'f1', addReply: () => undefined },
    };
    const commands = createFindingActions(deps as unknown as FindingActionsDeps);
    await commands['k3.discussFinding']({ thread: { comments: [] }, text: 'Why?' });
    assert.deepEqual(reported, [['c1', 1]]);
  });

  it('is shown with the further parts of a review', async () => {
    const part = (name: string): Question => ({
      text: `## File: ${name} (javascript)`,
      images: [],
      origin: undefined,
    });
    const conversations = {
      front: () => ({ id: 'c1' }),
      isRunning: () => false,
      holder: () => undefined,
      get: () => ({ id: 'c1' }),
      create: () => ({ id: 'c1' }),
      ask: async () => ({ ok: true, turnId: 't1' }),
    };
    const deps = { conversations, composers } as unknown as ReviewCommandsDeps;
    const questions = ['a.js', 'b.js', 'c.js'].map(part);
    const telling = { say: assert.fail, tell: () => undefined };
    await askInFreeConversation(deps, { questions, leftOut: [] }, telling);
    assert.deepEqual(reported, [
      ['c1', 1],
      ['c1', 2],
    ]);
  });
});

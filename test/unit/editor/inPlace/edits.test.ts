import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Expanded } from '../../../../src/editor/composer/prompts.ts';
import type { Conversations } from '../../../../src/editor/conversations/conversationList.ts';
import type { Edit, EditStep } from '../../../../src/editor/inPlace/editList.ts';
import type { Edits, EditsDeps } from '../../../../src/editor/inPlace/edits.ts';
import type { ProposalChange } from '../../../../src/editor/proposals/proposalList.ts';
import type { SelectedCode } from '../../../../src/editor/workspace/selectedCode.ts';
import { refuse } from '../../../../src/requests/refusal.ts';
import type { TurnContent } from '../../../../src/requests/turnContent.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { answeredTurn, type SentTurn } from '../../../support/answeredTurn.ts';
import {
  commentThreads,
  EventEmitter,
  textDocuments,
  Uri,
  window,
  workspace,
} from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { plainControllers, renewals } from '../../../support/plainControllers.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { storeOn } from '../../history/support.ts';

const [{ createEdits }, { createConversations }] = await withEditorStub(() =>
  Promise.all([
    import('../../../../src/editor/inPlace/edits.ts'),
    import('../../../../src/editor/conversations/conversationList.ts'),
  ]),
);

const LINES = ['one', 'two', 'three'];
const document = {
  uri: { scheme: 'file', path: '/code.txt', fsPath: '/code.txt', toString: () => 'file:///code.txt' },
  languageId: 'plaintext',
  isClosed: false,
  lineCount: LINES.length,
  getText: () => LINES.join('\n'),
  lineAt: () => ({ rangeIncludingLineBreak: { with: () => ({}) } }),
};
const code = { document, startLine: 1, endLine: 1 } as unknown as SelectedCode;

const wanted = (words: string): Omit<EditStep, 'state'> => ({ task: 'edit', words, diagnostics: [] });

const UNDECIDED = { uri: 'file:///code.txt', hunks: [{ hunk: { id: 'h' }, state: 'open' }] };

let edits: Edits;
let conversations: Conversations;
/** The requests that were sent. */
let sent: SentTurn[];
/** Resolves when a request may be sent. */
let preparing: Promise<void>;
/** What a prompt stands for when its input is closed. */
let input: Promise<Expanded>;
let warnings: string[];
/** What is typed in the input of a prompt, and what was in it before. */
let typing: string;
let before: string | undefined;
/** Requests are refused. */
let refuses: boolean;
/** The turns whose answers a proposal was made of. */
let made: Set<string>;
let listeners: ((change: ProposalChange) => void)[];
let rejected: string[];
/** The edits whose files keep commenting ranges. */
let held: number;
const { onDidChangeTextDocument, onDidOpenTextDocument } = workspace;
const changes = new EventEmitter<object>();
const opening = new EventEmitter<object>();

function prepare(): void {
  // Of no scheme that can be written to, so that no file is said to be deleted.
  Object.assign(workspace, {
    fs: { isWritableFileSystem: () => undefined },
    onDidChangeTextDocument: changes.event,
    onDidOpenTextDocument: opening.event,
  });
  textDocuments.push(document);
  // A file outside the workspace that no editor shows is asked about.
  window.visibleTextEditors.push({ document: { uri: document.uri } });
  sent = [];
  preparing = Promise.resolve();
  input = Promise.resolve({ kind: 'plain' });
  warnings = [];
  made = new Set();
  listeners = [];
  rejected = [];
  held = 0;
  [typing, before, refuses] = ['', undefined, false];
  conversations = createConversations({
    turns: {
      async prepare<Content extends TurnContent>(_: unknown, signal?: AbortSignal) {
        await preparing;
        if (signal?.aborted) return refuse({ kind: 'stopped' });
        if (refuses) return refuse({ kind: 'no-route' });
        return answeredTurn<Content>(`turn ${sent.length}`, (one) => sent.push(one));
      },
    },
    log: { warn: (text: string) => warnings.push(text) } as never,
    store: storeOn(undefined),
    untitled: 'Untitled',
    workspace: undefined,
    lastConversation: { get: () => undefined, set: () => undefined },
  });
  edits = createEdits({
    controllers: plainControllers as never,
    conversations,
    state: { keys: () => [], get: () => undefined, update: async () => undefined },
    proposals: {
      ofTurn: (turnId: string) => (made.has(turnId) ? [{ id: 'p', files: [UNDECIDED] }] : []),
      ofFile: () => [],
      reject: (id: string) => void rejected.push(id),
      onDidChange(listener: (typeof listeners)[number]) {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
    },
    instructions: {
      // They stand in the first message.
      due: async (_: string, { length }: readonly unknown[]) =>
        length === 0 ? [{ label: 'AGENTS.md' }] : [],
    },
    prompts: {
      async expand(_: string, __: undefined, about: { inputOpens(): void; typed?: Map<string, string> }) {
        about.inputOpens();
        before = about.typed?.get('input');
        about.typed?.set('input', typing);
        return input;
      },
    },
    routes: { active: () => undefined, onDidChange: () => ({ dispose: () => undefined }) },
    threads: {
      holdRanges() {
        held++;
        return { expectHunks: () => undefined, dispose: () => void held-- };
      },
    },
    log: { warn: (text: string) => warnings.push(text) },
  } as unknown as EditsDeps);
}

function cleanUp(): void {
  Reflect.deleteProperty(workspace, 'fs');
  Object.assign(workspace, { onDidChangeTextDocument, onDidOpenTextDocument });
  edits.dispose();
  conversations.dispose();
  textDocuments.length = 0;
  window.visibleTextEditors.length = 0;
}

/** What became of each question. */
const states = (edit: Edit) => edit.steps.map(({ state }) => state.kind);

/** A request that waits in its preparation until `go` is called, such as for its key. */
function hold(): () => void {
  const { promise, resolve } = createDeferred<void>();
  preparing = promise;
  return resolve;
}

function makeProposalOf(turnId: string): void {
  made.add(turnId);
  for (const listener of listeners) listener({ turnIds: [turnId], uris: [] });
}

describe('An edit in a file that another file replaces when it is renamed', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('is ended, and the one in the other file goes on', async () => {
    const other = await edits.open(
      { ...code, document: { ...document, uri: Uri.parse('file:///other.txt') } } as never,
      0,
    );
    const replaced = await edits.open(code, 0);
    const rename = () =>
      edits.rename(Uri.parse('file:///other.txt') as never, Uri.parse('file:///code.txt') as never);
    rename();
    // The editor and the disk both report it.
    rename();
    assert.deepEqual([replaced.ended, other.ended], [true, false]);
    assert.deepEqual(edits.list(), [other]);
    assert.equal(edits.ofFile(document.uri as never), other);
  });

  it('leaves what was written in it and not sent for the next one there', async () => {
    const other = { ...document, uri: Uri.parse('file:///other.txt') };
    await edits.open({ ...code, document: other } as never, 0);
    const replaced = await edits.open(code, 0, { draft: 'Louder' });
    edits.rename(Uri.parse('file:///other.txt') as never, Uri.parse('file:///code.txt') as never);
    assert.equal(replaced.ended, true);
    assert.equal((await edits.open(code, 0)).draft, 'Louder');
  });

  it('finds what was left in it for the next one, which is kept under the new name', async () => {
    edits.leave(await edits.open(code, 0, { draft: 'Louder' }));
    assert.deepEqual(edits.files(), ['file:///code.txt']);
    edits.rename(Uri.parse('file:///code.txt') as never, Uri.parse('file:///now.txt') as never);
    assert.deepEqual(edits.files(), ['file:///now.txt']);
    const now = { ...code, document: { ...document, uri: Uri.parse('file:///now.txt') } } as never;
    assert.equal((await edits.open(now, 0)).draft, 'Louder');
  });
});

describe('An edit in a cell whose notebook is opened again', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('is still known to be in the cell when the window ends, so that the next one finds the cell', async () => {
    await edits.open(code, 0, { draft: 'Louder' });
    edits.dispose();
    assert.deepEqual(edits.files(), ['file:///code.txt']);
  });

  it('is in the same cell, which has another address, and one in a document that is closed is not moved', async () => {
    const openIn = (scheme: string, address: string) => {
      const uri = { scheme, path: '/n', toString: () => address };
      return edits.open({ ...code, document: { ...document, uri } } as never, 0);
    };
    const all = [
      await openIn('vscode-notebook-cell', 'cell:/n#W0'),
      await openIn('vscode-notebook-cell', 'cell:/n#W1'),
      await openIn('untitled', 'untitled:n'),
    ];
    edits.moveAtOnce(
      new Map([
        ['cell:/n#W0', 'cell:/n#W1'],
        ['cell:/n#W1', 'cell:/n#W0'],
        ['untitled:n', 'untitled:n?1'],
      ]),
    );
    assert.deepEqual(
      all.map(({ uri }) => uri.toString()),
      ['cell:/n#W1', 'cell:/n#W0', 'untitled:n'],
    );
    assert.equal(edits.list().length, 3);
  });

  it('sends the code of its cell in a question that has waited, also if another cell has the address from before', async () => {
    const cellAt = (address: string, text: string) => {
      const uri = { scheme: 'vscode-notebook-cell', path: '/n', toString: () => address };
      return { ...document, uri, getText: () => text };
    };
    const [before, other, now] = [
      cellAt('cell:/n#W0', 'mine'),
      cellAt('cell:/n#W0', 'other'),
      cellAt('cell:/n#W1', 'mine'),
    ];
    textDocuments.unshift(before);
    window.visibleTextEditors.push({ document: before }, { document: now });
    const edit = await edits.open({ ...code, document: before } as never, 0, { step: wanted('Louder.') });
    await edits.ask(edit, wanted('In French.'));
    textDocuments.shift();
    const { openTextDocument } = workspace;
    Object.assign(workspace, {
      // The notebook is opened as well, whose cells are numbered anew.
      async openTextDocument(uri: { toString(): string }) {
        if (!textDocuments.includes(now)) {
          textDocuments.push(other, now);
          edits.moveAtOnce(new Map([['cell:/n#W0', 'cell:/n#W1']]));
        }
        return String(uri) === 'cell:/n#W1' ? now : other;
      },
    });
    try {
      sent[0]?.end(completeTurn());
      await eventually(() => assert.deepEqual(states(edit), ['sent', 'sent']));
      const { origin } = conversations.front().exchanges.at(-1)?.question ?? {};
      assert.deepEqual([origin?.uri, origin?.text], ['cell:/n#W1', 'mine']);
    } finally {
      Object.assign(workspace, { openTextDocument });
    }
  });
});

describe('An edit in a cell, whose threads the editor doesn’t show', () => {
  beforeEach(prepare);
  afterEach(cleanUp);
  const uri = { scheme: 'vscode-notebook-cell', path: '/n', toString: () => 'cell:/n#W0' };
  const inCell = { ...code, document: { ...document, uri } } as never;

  it('says why a question wasn’t sent that has waited for the answer before it', async () => {
    const { showWarningMessage } = window;
    const said: string[] = [];
    Object.assign(window, { showWarningMessage: async (message: string) => void said.push(message) });
    window.visibleTextEditors.push({ document: { uri } });
    textDocuments.unshift({ ...document, uri });
    try {
      const edit = await edits.open(inCell, 0, { step: wanted('Louder.') });
      await edits.ask(edit, wanted('In French.'));
      assert.deepEqual(states(edit), ['sent', 'waiting']);
      refuses = true;
      sent[0]?.end(completeTurn());
      await eventually(() => assert.deepEqual(states(edit), ['sent', 'refused']));
      assert.equal(said.length, 1);
    } finally {
      Object.assign(window, { showWarningMessage });
    }
  });

  it('keeps no plus signs beside all lines until another one takes its place', async () => {
    await edits.open(inCell, 0, { step: wanted('Louder.') });
    assert.equal(held, 0);
    await edits.open(code, 0);
    assert.equal(held, 1);
  });
});

describe('The box of an edit', () => {
  beforeEach(prepare);
  afterEach(cleanUp);
  const thread = (edit: Edit) => edits.threads.of(edit);
  const NAMED = /, AGENTS\.md$/;
  const lastBody = (edit: Edit) => thread(edit)?.comments.at(-1)?.body;

  it('names the instructions that go along until the answer has ended, not only before they are sent', async () => {
    const go = hold();
    const edit = await edits.open(code, 0);
    await eventually(() => assert.match(thread(edit)?.label ?? '', NAMED));
    const asked = edits.ask(edit, wanted('Louder.'));
    await eventually(() => assert.ok(conversations.isRunning(conversations.front().id)));
    const namesThem = () => {
      // They can't be left out any more.
      assert.equal(thread(edit)?.contextValue, 'running');
      return NAMED.test(thread(edit)?.label ?? '');
    };
    assert.equal(namesThem(), true, 'about to be sent');
    go();
    await asked;
    assert.equal(namesThem(), true, 'sent');
    const next = edits.ask(edit, wanted('Not that loud.'));
    sent[0]?.end(completeTurn());
    await next;
    await eventually(() => assert.equal(sent.length, 2));
    assert.equal(namesThem(), false, 'the second one has none');
  });

  it('says that it waits for the user while an input of a prompt is open, not that it is sending', async () => {
    const closed = createDeferred<Expanded>();
    input = closed.promise;
    const edit = await edits.open(code, 0);
    const asked = edits.ask(edit, wanted('/tidy'));
    await eventually(() => assert.equal(lastBody(edit), 'Waiting for your input'));
    const go = hold();
    closed.resolve({ kind: 'prompt', asked: { text: 'Tidy.' }, references: [] } as never);
    await eventually(() => assert.equal(lastBody(edit), 'Sending…'));
    go();
    await asked;
    assert.deepEqual(states(edit), ['sent']);
  });
});

describe('The questions of an edit', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('are asked already only if they have the same words', async () => {
    const edit = await edits.open(code, 0);
    await edits.ask(edit, wanted('Louder.'));
    const isAsked = (words: string) => edits.asks(edit, wanted(words));
    assert.deepEqual([isAsked('Louder.'), isAsked('In French.')], [true, false]);
  });

  it('are not sent when they are stopped before that', async () => {
    const go = hold();
    const edit = await edits.open(code, 0);
    const asked = edits.ask(edit, wanted('Louder.'));
    await eventually(() => assert.ok(conversations.isRunning(conversations.front().id)));
    edits.stop(edit);
    go();
    await asked;
    assert.deepEqual([states(edit), sent.length, edits.isRunning(edit)], [['not-sent'], 0, false]);
  });

  it('that were not sent are in the next box of the file when that is opened at other lines, and not after it was ended', async () => {
    const go = hold();
    const edit = await edits.open(code, 0);
    const asked = edits.ask(edit, wanted('Louder.'));
    await eventually(() => assert.ok(conversations.isRunning(conversations.front().id)));
    edits.stop(edit);
    go();
    await asked;
    assert.deepEqual(states(edit), ['not-sent']);
    edits.leave(edit);
    const next = await edits.open({ ...code, startLine: 2, endLine: 2 }, 1);
    assert.equal(next.draft, 'Louder.');
    edits.end(next);
    assert.equal((await edits.open(code, 0)).draft, '');
  });

  it('that were stopped, and so were not sent, are in the next box of the file also when the edit is ended', async () => {
    const go = hold();
    const edit = await edits.open(code, 0);
    const asked = edits.ask(edit, wanted('Louder.'));
    await eventually(() => assert.deepEqual(states(edit), ['sending']));
    edits.stop(edit);
    go();
    await asked;
    edits.end(edit);
    assert.equal((await edits.open(code, 0)).draft, 'Louder.');
  });

  it('that were entered and are not sent yet are in the next box of the file when the edit is ended, to be changed, but not what is in its box', async () => {
    const go = hold();
    const edit = await edits.open(code, 0);
    const asked = [edits.ask(edit, wanted('Louder.')), edits.ask(edit, wanted('And shorter.'))];
    await eventually(() => assert.deepEqual(states(edit), ['sending', 'waiting']));
    edit.draft = 'Or not';
    edits.end(edit);
    go();
    await Promise.all(asked);
    assert.deepEqual([states(edit), sent.length], [['not-sent', 'not-sent'], 0]);
    assert.equal((await edits.open(code, 0)).draft, 'Louder.\n\nAnd shorter.');
  });

  it('are about selected lines until one was sent, so that those need no agreement when it is tried again', async () => {
    const go = hold();
    const edit = await edits.open({ ...code, selected: true }, 0);
    const asked = edits.ask(edit, wanted('Louder.'));
    await eventually(() => assert.ok(conversations.isRunning(conversations.front().id)));
    edits.stop(edit);
    go();
    await asked;
    assert.deepEqual([states(edit), edit.selected], [['not-sent'], true]);
    await edits.ask(edit, wanted('Louder.'));
    assert.deepEqual([states(edit), edit.selected], [['not-sent', 'sent'], false]);
  });

  it('are about lines that nobody selected when the selected ones were deleted', async () => {
    const edit = await edits.open({ ...code, selected: true }, 0);
    const remove = (startLine: number, endLine: number) => {
      const range = { start: { line: startLine, character: 0 }, end: { line: endLine, character: 0 } };
      changes.fire({ document, contentChanges: [{ range, rangeOffset: 0, text: '' }] });
      return edit.selected;
    };
    assert.equal(remove(2, 3), true);
    assert.equal(remove(1, 2), false);
  });

  it('are about the same lines when the file was changed while it was closed', async () => {
    const edit = await edits.open({ ...code, selected: true }, 0);
    const open = (...lines: readonly string[]) => {
      opening.fire({ ...document, lineCount: lines.length, getText: () => lines.join('\n') });
      return [edit.lines.startLine, edit.lines.endLine, edit.place];
    };
    assert.deepEqual(open(...LINES), [1, 1, 0]);
    assert.deepEqual(open('zero', '', ...LINES), [3, 3, 2]);
    assert.equal(edit.selected, true);
    assert.deepEqual(open('three'), [0, 0, 0]);
    assert.equal(edit.selected, false);
    assert.deepEqual(open(...LINES), [1, 1, 0]);
  });

  it('have in the inputs of their prompt what was typed there before, until they are sent', async () => {
    const edit = await edits.open(code, 0);
    const asked = async (typed: string, isSent: boolean) => {
      input = Promise.resolve({ kind: 'prompt', asked: { text: 'Tidy.' }, references: [] });
      typing = typed;
      preparing = Promise.resolve();
      refuses = !isSent;
      await (edit.steps.length === 0 ? edits.ask(edit, wanted('/tidy')) : edits.askAgain(edit, 0));
      return [before, states(edit)];
    };
    assert.deepEqual(await asked('Names', false), [undefined, ['refused']]);
    assert.deepEqual(await asked('Names only', true), ['Names', ['sent']]);
    await edits.ask(edit, wanted('/tidy'));
    assert.equal(before, undefined);
  });

  it('keep what was typed in the inputs of their prompt when a question of another edit is sent', async () => {
    const [edit, other] = [await edits.open(code, 0), await edits.open(code, 1)];
    input = Promise.resolve({ kind: 'prompt', asked: { text: 'Tidy.' }, references: [] });
    [typing, refuses] = ['Names', true];
    await edits.ask(edit, wanted('/tidy'));
    refuses = false;
    await edits.ask(other, wanted('Louder.'));
    await edits.askAgain(edit, 0);
    assert.deepEqual([before, states(edit), states(other)], ['Names', ['sent'], ['sent']]);
  });

  it('that wait are about their lines when another program changes lines above and below them', async () => {
    const edit = await edits.open(code, 0);
    await edits.ask(edit, wanted('Louder.'));
    await edits.ask(edit, { ...wanted('Not that loud.'), lines: { startLine: 1, endLine: 1 } });
    const text = 'ONE\ntwo\nTHREE';
    const range = { start: { line: 0, character: 0 }, end: { line: 2, character: 5 } };
    changes.fire({
      document: { ...document, getText: () => text },
      contentChanges: [{ range, rangeOffset: 0, text }],
    });
    assert.deepEqual(edit.steps[1]?.lines, { startLine: 1, endLine: 1 });
    assert.deepEqual(edit.lines, { startLine: 1, endLine: 1 });
  });

  it('that wait are about their lines again when these were deleted and that is undone', async () => {
    const edit = await edits.open(code, 0);
    await edits.ask(edit, wanted('Louder.'));
    await edits.ask(edit, { ...wanted('Not that loud.'), lines: { startLine: 0, endLine: 1 } });
    const change = (endLine: number, inserted: string, text: string) =>
      changes.fire({
        document: { ...document, lineCount: text.split('\n').length, getText: () => text },
        contentChanges: [
          {
            range: { start: { line: 0, character: 0 }, end: { line: endLine, character: 0 } },
            text: inserted,
          },
        ].map((one) => ({ ...one, rangeOffset: 0 })),
      });
    change(2, '', 'three');
    assert.deepEqual(edit.steps[1]?.lines, { startLine: 0, endLine: 0 });
    change(0, 'one\ntwo\n', LINES.join('\n'));
    assert.deepEqual(edit.steps[1]?.lines, { startLine: 0, endLine: 1 });
  });

  it('are refused, and not about to be sent forever, when the file can’t be read', async () => {
    const edit = await edits.open(code, 0);
    await edits.ask(edit, wanted('Louder.'));
    const waiting = edits.ask(edit, wanted('Not that loud.'));
    textDocuments.length = 0;
    sent[0]?.end(completeTurn());
    await waiting;
    await eventually(() => assert.deepEqual(states(edit), ['sent', 'refused']));
    assert.deepEqual([sent.length, edits.isRunning(edit), warnings.length], [1, false, 1]);
  });

  it('wait for an answer of the chat in their conversation, and for the message that is queued behind it', async () => {
    const edit = await edits.open(code, 0);
    await edits.ask(edit, wanted('Louder.'));
    sent[0]?.end(completeTurn());
    const { id } = conversations.front();
    await eventually(() => assert.ok(!conversations.isRunning(id)));
    const ofChat = { text: 'Why?', images: [], origin: undefined };
    await conversations.ask(id, ofChat);
    await edits.ask(edit, wanted('Not that loud.'));
    assert.deepEqual(states(edit), ['sent', 'waiting']);
    const queue = conversations.onDidChange((change) => {
      if (change.type === 'turn' && sent.length === 2) void conversations.ask(id, ofChat);
    });
    sent[1]?.end(completeTurn());
    await eventually(() => assert.equal(sent.length, 3));
    // It may be about to be sent, which is refused, because the message was faster.
    await eventually(() => assert.deepEqual(states(edit), ['sent', 'waiting']));
    queue.dispose();
    sent[2]?.end(completeTurn());
    await eventually(() => assert.deepEqual(states(edit), ['sent', 'sent']));
    assert.equal(conversations.get(id)?.exchanges.length, 4);
  });

  it('wait for a question of the chat that is being prepared, can be stopped meanwhile, and are sent when it was refused', async () => {
    const edit = await edits.open(code, 0);
    await edits.ask(edit, wanted('Louder.'));
    sent[0]?.end(completeTurn());
    const { id } = conversations.front();
    await eventually(() => assert.ok(!conversations.isRunning(id)));
    for (const stops of [true, false]) {
      const go = hold();
      const ofChat = conversations.ask(id, { text: 'Why?', images: [], origin: undefined });
      await edits.ask(edit, wanted('Not that loud.'));
      assert.deepEqual([states(edit).at(-1), edits.isRunning(edit)], ['waiting', true]);
      if (stops) edits.stop(edit);
      conversations.stop(id);
      preparing = Promise.resolve();
      go();
      assert.deepEqual(await ofChat, refuse({ kind: 'stopped' }));
      await eventually(() => assert.deepEqual(states(edit).at(-1), stops ? 'not-sent' : 'sent'));
    }
    assert.equal(sent.length, 2);
  });

  it('are not sent when their conversation is deleted before that', async () => {
    const edit = await edits.open(code, 0);
    await edits.ask(edit, wanted('Louder.'));
    await edits.ask(edit, wanted('Not that loud.'));
    assert.deepEqual(states(edit), ['sent', 'waiting']);
    conversations.delete(conversations.front().id);
    await edits.ask(edit, wanted('Again.'));
    assert.deepEqual(states(edit), ['sent', 'not-sent', 'sent']);
  });
});

describe('A question whose preparation fails', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('leaves no conversation of its own', async () => {
    const first = await edits.open(code, 0);
    await edits.ask(first, wanted('Louder.'));
    const { id } = conversations.front();
    const aside = conversations.createAside;
    const created: string[] = [];
    const watched = (...values: Parameters<typeof aside>) => {
      const conversation = aside(...values);
      created.push(conversation.id);
      return conversation;
    };
    Object.assign(conversations, { createAside: watched });
    preparing = Promise.reject(new Error('no storage'));
    const edit = await edits.open(code, 0);
    await assert.rejects(edits.ask(edit, wanted('Lower.')), /no storage/);
    assert.deepEqual([states(edit), conversations.front().id, created.length], [['refused'], id, 1]);
    assert.equal(conversations.get(created[0] ?? ''), undefined);
  });
});

describe('A conversation that an edit creates for its question', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('is called by its first line, shortened if it is long', async () => {
    await edits.ask(await edits.open(code, 0), wanted('Louder.'));
    const front = conversations.front().id;
    await edits.ask(await edits.open(code, 0), wanted(`${'x'.repeat(80)}\nAs above.`));
    const title = conversations.list().find(({ id }) => id !== front)?.title;
    assert.equal(title, `Edit Here · ${'x'.repeat(47)}…`);
  });
});

describe('A question of an edit that is refused', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('leaves nothing to restore of a conversation of its own', async () => {
    await edits.ask(await edits.open(code, 0), wanted('Louder.'));
    refuses = true;
    const edit = await edits.open(code, 0);
    await edits.ask(edit, wanted('Lower.'));
    assert.deepEqual([states(edit), conversations.listDeleted()], [['refused'], []]);
  });
});

describe('An edit whose answer has arrived, while its proposal is still being made', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  for (const [title, ends] of [
    ['has no hunks when it is ended', true],
    ['has its hunks when another edit takes its place', false],
  ] as const) {
    it(title, async () => {
      const edit = await edits.open(code, 0);
      await edits.ask(edit, wanted('Louder.'));
      const [run] = sent;
      run?.end(completeTurn());
      await eventually(() => assert.ok(!edits.isRunning(edit)));
      assert.equal((ends ? edits.end(edit) : edits.leave(edit)).count, 0);
      makeProposalOf(run?.id ?? '');
      assert.deepEqual(rejected, ends ? ['p'] : []);
    });
  }
});

describe('An edit whose answer was cut off or stopped', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  for (const outcome of ['truncated', 'stopped'] as const) {
    it(`keeps the hunks of code that is applied from it after it was ended: ${outcome}`, async () => {
      const edit = await edits.open(code, 0);
      await edits.ask(edit, wanted('Louder.'));
      const [run] = sent;
      if (outcome === 'truncated') {
        run?.end({ ...completeTurn(), outcome });
        await eventually(() => assert.ok(!edits.isRunning(edit)));
      }
      edits.end(edit);
      await eventually(() => assert.ok(!edits.isRunning(edit)));
      makeProposalOf(run?.id ?? '');
      assert.deepEqual(rejected, []);
    });
  }
});

describe('An edit whose comment controller was created again', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('is shown again, with what is typed', async () => {
    const edit = await edits.open(code, 0, { draft: 'Quieter' });
    const textOf = (thread: (typeof commentThreads)[number] | undefined) =>
      (thread?.['comments'] as readonly { body: string }[] | undefined)?.map(({ body }) => body);
    const [first] = commentThreads;
    assert.deepEqual(textOf(first), ['Quieter']);
    edit.draft = 'Quieter, please';
    renewals.at(-1)?.();
    const [second] = commentThreads;
    assert.notEqual(second, first);
    assert.deepEqual([textOf(second), commentThreads.length], [['Quieter, please'], 1]);
    assert.equal(edits.threads.of(edit), second);
  });
});

describe('A hidden edit', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('is shown when the last of those that hid it shows it again', async () => {
    const edit = await edits.open(code, 0);
    let shown = 0;
    const listening = edits.onDidChange(() => void shown++);
    const hidings = [0, 1].map(() => edits.hide(edit.uri, edit.place));
    const counts = hidings.map((hiding) => {
      hiding.dispose();
      return shown;
    });
    listening.dispose();
    assert.deepEqual(counts, [0, 1]);
  });
});

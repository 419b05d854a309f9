import assert from 'node:assert/strict';
import { mkdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toContinuingQuestion } from '../../../src/conversation/continuingQuestion.ts';
import { linesOfDocument } from '../../../src/editor/workspace/selectedCode.ts';
import { createDeferred } from '../../../src/service/deferred.ts';
import { findCodeAction, findCodeLens, lensTitles, runCommand } from '../actions.ts';
import {
  aroundProposals,
  CODE,
  document,
  edits,
  open,
  openHidden,
  pathOf,
  propose,
  asked as questions,
  scripted,
  uriOf,
} from '../proposals/proposing.ts';
import { ended, startStream, streamOf, until, writeDelta } from '../scripted.ts';

/** Made up, and put together here so that no scanner takes this file for one with keys. */
const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');

/** After this time, in milliseconds, a box that was shown has taken the focus. */
const FOCUSED_MS = 400;

/** Runs a command on lines of the file that is shown, or else of the open one, counted from 0. */
async function runOn(start: number, end: number, command = 'k3.editHere'): Promise<void> {
  // The box of an edit is a text editor, too, and may get its focus late.
  const shown = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(
    (one) => one !== undefined && one.document.uri.scheme !== 'comment',
  );
  const editor = shown ?? (await vscode.window.showTextDocument(document, { preview: false }));
  editor.selection = new vscode.Selection(start, 0, end, editor.document.lineAt(end).text.length);
  await vscode.commands.executeCommand(command);
}

/** Opens an edit of lines as the command does, but without an editor, which costs more than all else in most tests. */
const begin = (start: number, end: number, of = document) =>
  scripted.inPlace.open({ ...linesOfDocument(of, start, end), selected: true }, Math.max(start - 1, 0));

const list = () => scripted.inPlace.list();

function theEdit() {
  const [edit] = list();
  assert.ok(edit);
  return edit;
}

/** What the thread shows: authors, labels and bodies. */
function shown(edit = theEdit()): readonly string[] {
  const thread = scripted.inPlace.threads.of(edit);
  return (thread?.comments ?? []).map(({ author, label, body }) =>
    [author.name, label ?? '', typeof body === 'string' ? body : body.value].join('|'),
  );
}

/** As the editor does it: the box of a new edit is a comment, later ones are replies. */
function send(text: string, edit = theEdit()) {
  const thread = scripted.inPlace.threads.of(edit);
  const reply =
    edit.steps.length === 0 ? Object.assign(thread?.comments[0] ?? {}, { body: text }) : { thread, text };
  return vscode.commands.executeCommand('k3.sendEdit', reply);
}

/** The comment at an index, with the button for what can be done about it: `chat`, or `again`. */
function commentAt(index: number, offers: string) {
  const comment = scripted.inPlace.threads.of(theEdit())?.comments.at(index);
  assert.equal(comment?.contextValue, offers);
  return comment;
}

const askAgain = (comment: ReturnType<typeof commentAt>) =>
  vscode.commands.executeCommand('k3.askEditAgain', comment);

const change = (from: string, to: string, name = 'code.txt') =>
  streamOf([{ answer: edits(pathOf(name), [from, to]) }, { finish: 'stop' }]);

const underReview = (uri = document.uri) => scripted.proposals.ofFile(uri.toString()).at(-1);

/** The question as the model gets it. */
const asked = (request: number): string =>
  JSON.parse(scripted.requests[request]?.body ?? '{}').messages.at(-1).content;

/** An answer that reasons until the test ends it. */
function held() {
  let response: ServerResponse | undefined;
  scripted.will((opened) => {
    response = opened;
    startStream(opened);
    writeDelta(opened, { reasoning: 'First thought.\n\nThe *second* one' });
  });
  return {
    started: () => until(() => response),
    async finish(answer: string) {
      const open = await until(() => response);
      writeDelta(open, { answer });
      writeDelta(open, { finish: 'stop' });
      open.end('data: [DONE]\n\n');
    },
  };
}

/** What is written in boxes that can be seen. */
const inBoxes = () =>
  vscode.window.visibleTextEditors
    .filter(({ document: { uri } }) => uri.scheme === 'comment')
    .map((box) => box.document.getText())
    .filter((text) => text !== '');
const boxIsActive = () => vscode.window.activeTextEditor?.document.uri.scheme === 'comment';

const cleanUp = () => {
  for (const edit of list()) scripted.inPlace.end(edit);
};

describe('Edit Here', () => {
  aroundProposals();
  afterEach(cleanUp);

  it('asks about the selected lines in the code, and its hunk is accepted there', async () => {
    scripted.will(change('three', 'THREE'));
    await runOn(1, 3);
    const thread = scripted.inPlace.threads.of(theEdit());
    assert.match(thread?.label ?? '', /code\.txt, lines 2–4, with 3 surrounding lines, route scripted$/);
    assert.deepEqual(
      [thread?.contextValue, thread?.range?.end.line, thread?.comments.map(({ mode }) => mode)],
      ['empty', 0, [vscode.CommentMode.Editing]],
    );
    await send('Louder.');
    const found = await until(() => underReview());
    assert.match(
      asked(0),
      /^Louder\.\n\nFor orientation.*lines 2–4 \(plaintext\):\n\n```plaintext\ntwo\nthree\nfour\n```$/s,
    );
    assert.deepEqual(
      found.file.hunks.map(({ from, state }) => [document.positionAt(from).line, state]),
      [[2, 'open']],
    );
    const [line] = await until(() => {
      const last = shown().at(-1);
      return last?.includes('1 open') && [last];
    });
    assert.match(line ?? '', /^svc-k3\|\|So\\?\.\n\n.*code\.txt: 1 open, 0 accepted, 0 rejected$/);
    await vscode.commands.executeCommand('k3.acceptAll', {
      proposalId: found.proposal.id,
      uri: found.file.uri,
    });
    assert.equal(document.getText(), CODE.replace('three', 'THREE'));
    await until(() => shown().at(-1)?.includes('0 open, 1 accepted'));
  });

  it('shows the question, the phase, and the last line of the reasoning while the answer arrives', async () => {
    const answer = held();
    await begin(1, 3);
    await send('Make it *bold*.');
    await until(() => shown().at(-1) === 'svc-k3|Reasoning|The *second* one');
    assert.equal(shown()[0], 'You||Make it *bold*.');
    assert.equal(scripted.inPlace.threads.of(theEdit())?.contextValue, 'running');
    await answer.finish('Nothing to change.');
    await until(() => /Nothing to change\.\n.*no code or no changes/s.test(shown().join('\n')));
    commentAt(-1, 'chat');
    assert.equal(scripted.inPlace.threads.of(theEdit())?.contextValue, 'asked');
  });

  it('is ended while it runs: the answer is stopped, and nothing is left but the conversation', async () => {
    const answer = held();
    await begin(1, 3);
    await send('Louder.');
    await answer.started();
    const id = await until(() => scripted.inPlace.conversationOf(theEdit()));
    const thread = scripted.inPlace.threads.of(theEdit());
    await vscode.commands.executeCommand('k3.closeEdit', thread);
    assert.deepEqual(list(), []);
    const turn = scripted.conversations.get(id)?.exchanges.at(-1)?.attempts.at(-1);
    assert.equal((await ended(scripted.conversations, turn?.id ?? '')).outcome, 'stopped');
    assert.deepEqual([document.getText(), underReview()], [CODE, undefined]);
    assert.ok(scripted.conversations.list().some((one) => one.id === id));
  });

  it('is ended with its hunks: those that are not decided stay under review, and a notification says so', async () => {
    scripted.will(change('three', 'THREE'));
    await runOn(1, 3);
    await send('Louder.');
    await until(() => underReview());
    await vscode.commands.executeCommand('k3.closeEdit', scripted.inPlace.threads.of(theEdit()));
    assert.deepEqual([list(), document.getText()], [[], CODE]);
    assert.deepEqual(questions.notes, ['The edit was ended. 1 of its hunks is still open.']);
    await vscode.commands.executeCommand('k3.acceptAll');
    assert.equal(document.getText(), CODE.replace('three', 'THREE'));
  });

  it('is ended with its hunks, which are rejected from the notification', async () => {
    scripted.will(change('three', 'THREE'));
    await begin(1, 3);
    await send('Louder.');
    await until(() => underReview());
    questions.answer = 'Reject all';
    await vscode.commands.executeCommand('k3.closeEdit', scripted.inPlace.threads.of(theEdit()));
    await until(() => underReview() === undefined);
    assert.equal(document.getText(), CODE);
  });

  it('is ended without a notification when its hunks are decided', async () => {
    scripted.will(change('three', 'THREE'));
    await runOn(1, 3);
    await send('Louder.');
    await until(() => underReview());
    await vscode.commands.executeCommand('k3.rejectAll');
    await until(() => underReview() === undefined);
    await vscode.commands.executeCommand('k3.closeEdit', scripted.inPlace.threads.of(theEdit()));
    assert.deepEqual([list(), questions.notes], [[], []]);
  });

  it('takes back a proposal that is still being made when it is ended', async () => {
    scripted.will(change('three', 'THREE'));
    await begin(1, 3);
    const { conversations, inPlace, proposals } = scripted;
    let turnId = '';
    const listening = conversations.onDidChange((one) => {
      if (one.type !== 'turn' || one.turn.outcome !== 'complete') return;
      turnId = one.turn.id;
      for (const edit of inPlace.list()) inPlace.end(edit);
    });
    await send('Louder.');
    const proposal = await until(() => proposals.ofTurn(turnId)[0]);
    listening.dispose();
    assert.deepEqual(
      proposals.get(proposal.id)?.files[0]?.hunks.map(({ state }) => state),
      ['rejected'],
    );
  });

  it('names the instructions that go with its first question', async () => {
    await vscode.workspace.fs.writeFile(uriOf('AGENTS.md'), Buffer.from('Write short lines.'));
    scripted.will(change('three', 'THREE'));
    await begin(1, 3);
    const label = () => scripted.inPlace.threads.of(theEdit())?.label ?? '';
    await until(() => /code\.txt, lines 2–4, .*AGENTS\.md, route scripted$/.test(label()));
    await send('Louder.');
    await until(() => underReview());
    assert.match(JSON.stringify(JSON.parse(scripted.requests[0]?.body ?? '')), /Write short lines\./);
    assert.match(label(), /code\.txt, lines 2–4, with 3 surrounding lines, route scripted$/);
  });

  it('leaves out the instructions of its questions when the user wants that, and takes them back', async () => {
    await vscode.workspace.fs.writeFile(uriOf('AGENTS.md'), Buffer.from('Write short lines.'));
    scripted.will(change('three', 'THREE'), change('three', 'Three'));
    await runOn(1, 3);
    const thread = () => scripted.inPlace.threads.of(theEdit());
    const shows = (label: RegExp, state: string) =>
      until(() => label.test(thread()?.label ?? '') && thread()?.contextValue === state);
    await shows(/AGENTS\.md, route scripted$/, 'empty.instructions');
    await vscode.commands.executeCommand('k3.leaveOutEditInstructions', thread());
    await shows(/without instructions, route scripted$/, 'empty.leftOut');
    await vscode.commands.executeCommand('k3.includeEditInstructions', thread());
    await shows(/AGENTS\.md, route scripted$/, 'empty.instructions');
    await vscode.commands.executeCommand('k3.leaveOutEditInstructions', thread());
    // The box has the focus now, and is the active editor.
    await vscode.window.showTextDocument(document);
    await runOn(0, 0);
    await shows(/line 1, .*without instructions, route scripted$/, 'empty.leftOut');
    await vscode.window.showTextDocument(document);
    await runOn(1, 3);
    await send('Louder.');
    await until(() => underReview());
    assert.doesNotMatch(scripted.requests[0]?.body ?? '', /Write short lines\./);
    const { conversations } = scripted;
    assert.notEqual(
      conversations.choices(conversations.current().id).leavesOut,
      true,
      'the chat keeps its own',
    );
    await shows(/without instructions, route scripted$/, 'asked.leftOut');
    await vscode.commands.executeCommand('k3.includeEditInstructions', thread());
    await shows(/AGENTS\.md, route scripted$/, 'asked.instructions');
    await send('Not that loud.');
    await until(() => scripted.requests.length === 2);
    assert.match(scripted.requests[1]?.body ?? '', /Write short lines\./);
  });

  it('names the lines around its own, the messages before it, and the problems that go along', async () => {
    const { conversations } = scripted;
    scripted.will(streamOf([{ answer: 'Fine.' }, { finish: 'stop' }]), change('three', 'THREE'));
    const label = () => scripted.inPlace.threads.of(theEdit())?.label ?? '';
    await runOn(1, 3);
    await until(() => /code\.txt, lines 2–4, with 3 surrounding lines, route scripted$/.test(label()));
    const question = { text: 'Hello.', images: [], origin: undefined };
    assert.ok((await conversations.ask(conversations.current().id, question)).ok);
    await until(() => !conversations.isRunning(conversations.current().id));
    await until(() => / with 3 surrounding lines, after 1 message of the chat, route/.test(label()));
    cleanUp();
    const range = new vscode.Range(2, 0, 2, 5);
    const target = { uri: document.uri, range, diagnostics: ['line 3: Not a number.'] };
    await vscode.commands.executeCommand('k3.editHere', target, 'fix');
    await until(() => /lines 1–5, with the text of 1 problem, route scripted$/.test(label()));
  });

  it('asks further in the same conversation, and its next proposal replaces the open one', async () => {
    scripted.will(change('three', 'THREE'), change('three', 'Three'));
    await begin(1, 3);
    await send('Louder.');
    const first = await until(() => underReview()?.proposal);
    const id = scripted.inPlace.conversationOf(theEdit());
    await send('Not that loud.');
    const second = await until(() => underReview()?.proposal.id !== first.id && underReview()?.proposal);
    assert.equal(second.revises, first.id);
    assert.match(asked(1), /^Not that loud\.\n\nNothing that you proposed before/);
    assert.equal(
      JSON.parse(scripted.requests[1]?.body ?? '').messages.filter(
        ({ role }: { role: string }) => role === 'user',
      ).length,
      2,
    );
    assert.deepEqual(
      scripted.conversations.get(id ?? '')?.exchanges.map(({ question }) => question.asked),
      ['Edit Here · Louder.', 'Edit Here · Not that loud.'],
    );
  });

  it('keeps a question that is sent while an answer runs, and asks it afterwards', async () => {
    const answer = held();
    scripted.will(change('three', 'Three'));
    await begin(1, 3);
    await send('Louder.');
    await answer.started();
    await send('Not that loud.');
    await until(() => shown().at(-1) === 'You|Queued|Not that loud.');
    assert.equal(scripted.requests.length, 1);
    await answer.finish(edits(pathOf('code.txt'), ['three', 'THREE']));
    await until(() => scripted.requests.length === 2);
    await until(() => underReview()?.file.hunks[0]?.hunk.after.includes('Three'));
  });

  it('moves with its lines, and asks about them as they are then', async () => {
    const answer = held();
    scripted.will(change('three', 'Three'));
    await begin(1, 3);
    await send('Louder.');
    await answer.started();
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), 'zero\n');
    typing.replace(document.uri, new vscode.Range(1, 0, 1, 3), 'TWO');
    await vscode.workspace.applyEdit(typing);
    await until(() => scripted.inPlace.threads.of(theEdit())?.range?.end.line === 1);
    assert.deepEqual(theEdit().lines, { startLine: 2, endLine: 4 });
    await answer.finish(edits(pathOf('code.txt'), ['four', 'FOUR']));
    await until(() => underReview());
    await send('And here.');
    await until(() => scripted.requests.length === 2);
    assert.match(asked(1), /lines 3–5 \(plaintext\):\n\n```plaintext\nTWO\nthree\nfour\n```$/);
  });

  it('asks about its lines again when they were deleted and that is undone, and when another program changed more than them', async () => {
    await runOn(1, 3);
    scripted.will(change('two\nthree\nfour\n', ''), change('three', 'THREE'));
    await send('Delete them.');
    const { proposal } = await until(() => underReview());
    await vscode.commands.executeCommand('k3.acceptAll', {
      proposalId: proposal.id,
      uri: document.uri.toString(),
    });
    assert.equal(document.getText(), 'one\nfive\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await until(() => document.getText() === CODE);
    assert.deepEqual([theEdit().lines, theEdit().place], [{ startLine: 1, endLine: 3 }, 0]);
    await send('Louder.');
    await until(() => scripted.requests.length === 2);
    assert.match(asked(1), /lines 2–4 \(plaintext\):\n\n```plaintext\ntwo\nthree\nfour\n```$/);
    await document.save();
    writeFileSync(document.uri.fsPath, `zero\n${CODE.replace('five', '5')}`);
    await until(() => document.getText().startsWith('zero'));
    assert.deepEqual([theEdit().lines, theEdit().place], [{ startLine: 2, endLine: 4 }, 1]);
  });

  it('opens the first edit again at the same lines, and a new one elsewhere', async () => {
    scripted.will(change('three', 'THREE'));
    await runOn(1, 3);
    await send('Louder.');
    await until(() => underReview());
    const { id } = theEdit();
    await runOn(2, 2);
    assert.deepEqual(
      list().map((one) => one.id),
      [id],
    );
    // The box has the focus now, and is the active editor.
    await vscode.window.showTextDocument(document);
    await runOn(0, 0);
    assert.notEqual(theEdit().id, id);
    assert.equal(list().length, 1);
    assert.deepEqual(questions.notes, ['The edit was ended. 1 of its hunks is still open.']);
    assert.ok(underReview(), 'the hunks are still under review');
  });

  describe('with words in its box that are not sent', () => {
    async function write(): Promise<string> {
      await runOn(1, 3);
      await until(boxIsActive);
      await vscode.commands.executeCommand('type', { text: 'Louder' });
      await until(() => inBoxes().includes('Louder'));
      await vscode.window.showTextDocument(document);
      return theEdit().id;
    }

    it('gets the focus again at its lines', async () => {
      const id = await write();
      await runOn(2, 2);
      await until(boxIsActive);
      assert.deepEqual([list().map((one) => one.id), inBoxes()], [[id], ['Louder']]);
      await vscode.commands.executeCommand('type', { text: '.' });
      await until(() => inBoxes().includes('Louder.'));
    });

    it('takes them along to other lines', async () => {
      const id = await write();
      await runOn(0, 0);
      await until(() => boxIsActive() && theEdit().id !== id);
      await until(() => inBoxes().length === 1);
      assert.deepEqual([inBoxes(), theEdit().lines], [['Louder'], { startLine: 0, endLine: 0 }]);
    });

    it('keeps them while it makes way for another comment, and when its file is renamed', async () => {
      await write();
      const hiding = scripted.inPlace.hide(document.uri, theEdit().place);
      await until(() => inBoxes().length === 0);
      hiding.dispose();
      await until(() => inBoxes().includes('Louder'));
      const moving = new vscode.WorkspaceEdit();
      moving.renameFile(document.uri, uriOf('renamed.txt'));
      await vscode.workspace.applyEdit(moving);
      await until(() => theEdit().uri.toString() === uriOf('renamed.txt').toString());
      await until(() => inBoxes().length === 1 && inBoxes()[0] === 'Louder');
    });

    /** Words that answer to what was asked. */
    async function writeFurther(): Promise<string> {
      scripted.will(change('three', 'THREE'));
      await runOn(1, 3);
      await send('Louder.');
      await until(() => underReview());
      await runOn(2, 2);
      await until(boxIsActive);
      await vscode.commands.executeCommand('type', { text: 'Not that loud' });
      await until(() => inBoxes().includes('Not that loud'));
      await vscode.window.showTextDocument(document);
      return theEdit().id;
    }

    /** Renames the file while another tab hides it, and shows it again. */
    async function renameHidden(): Promise<void> {
      const other = await open('other.txt', 'other\n');
      await vscode.window.showTextDocument(other, { preview: false });
      await until(() => inBoxes().length === 0);
      const moving = new vscode.WorkspaceEdit();
      moving.renameFile(document.uri, uriOf('renamed.txt'));
      await vscode.workspace.applyEdit(moving);
      await until(() => theEdit().uri.toString() === uriOf('renamed.txt').toString());
      await vscode.window.showTextDocument(uriOf('renamed.txt'), { preview: false });
    }

    it('keeps them when its file is renamed while its tab is hidden', async () => {
      await write();
      await renameHidden();
      await until(() => inBoxes().join() === 'Louder');
    });

    it('keeps words that answer to what was asked when its file is renamed while its tab is hidden, and sends them once', async () => {
      await writeFurther();
      await renameHidden();
      await until(() => inBoxes().join() === 'Not that loud');
      scripted.will(change('three', 'Three', 'renamed.txt'));
      const box = scripted.inPlace.threads.of(theEdit())?.comments.at(-1);
      await vscode.commands.executeCommand(
        'k3.sendEdit',
        Object.assign(box ?? {}, { body: 'Not that loud' }),
      );
      await until(() => underReview(uriOf('renamed.txt'))?.file.hunks[0]?.hunk.after.includes('Three'));
      await until(() => inBoxes().length === 0);
      assert.equal(theEdit().steps.length, 2);
    });

    it('keeps words that answer to what was asked while it makes way for another comment', async () => {
      await writeFurther();
      const hiding = scripted.inPlace.hide(document.uri, theEdit().place);
      await until(() => inBoxes().length === 0);
      hiding.dispose();
      await until(() => inBoxes().join() === 'Not that loud');
    });

    it('loses them when it is ended', async () => {
      await write();
      await vscode.commands.executeCommand('k3.closeEdit');
      await until(() => inBoxes().length === 0);
    });

    it('stays open with words that answer to what was asked', async () => {
      const id = await writeFurther();
      await runOn(0, 0);
      assert.deepEqual([list().map((one) => one.id), inBoxes()], [[id], ['Not that loud']]);
      assert.deepEqual(questions.notes, ['Send or end the edit that is open in this file first.']);
    });

    it('stays open when a command would ask something else', async () => {
      const id = await write();
      const range = new vscode.Range(4, 0, 4, 4);
      await vscode.commands.executeCommand(
        'k3.editHere',
        { uri: document.uri, range, diagnostics: ['No.'] },
        'fix',
      );
      await until(boxIsActive);
      assert.deepEqual([list().map((one) => one.id), inBoxes()], [[id], ['Louder']]);
      assert.equal(scripted.requests.length, 0);
    });
  });

  it('opens its box while the language is starting, so that nothing is typed into the file, and is about the symbol then', async () => {
    let found = (_: readonly vscode.DocumentSymbol[]): void => undefined;
    const symbols = new Promise<vscode.DocumentSymbol[]>((resolve) => {
      found = (all) => resolve([...all]);
    });
    const provider = vscode.languages.registerDocumentSymbolProvider(
      { pattern: '**/code.txt' },
      { provideDocumentSymbols: () => symbols },
    );
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(2, 0, 2, 0);
    const opened = vscode.commands.executeCommand('k3.editHere');
    await until(() => list().length === 1);
    assert.deepEqual(theEdit().lines, { startLine: 2, endLine: 2 });
    const lines = new vscode.Range(1, 0, 3, 4);
    const two = new vscode.DocumentSymbol('two', '', vscode.SymbolKind.Function, lines, lines);
    const line = new vscode.Range(2, 0, 2, 3);
    // As the server of TypeScript calls a function without a name.
    two.children.push(
      new vscode.DocumentSymbol('map() callback', '', vscode.SymbolKind.Function, line, line),
      new vscode.DocumentSymbol('<function>', '', vscode.SymbolKind.Function, line, line),
    );
    found([two]);
    await opened;
    assert.deepEqual(theEdit().lines, { startLine: 1, endLine: 3 });
    await until(() => /lines 2–4/.test(scripted.inPlace.threads.of(theEdit())?.label ?? ''));
    provider.dispose();
  });

  it('runs in two files at once, each in its own conversation', async () => {
    const first = held();
    await begin(1, 3);
    await send('Louder.');
    await first.started();
    const other = await openHidden('other.txt', 'alpha\nbeta\n');
    const second = held();
    await begin(0, 0, other);
    const edit = scripted.inPlace.ofFile(other.uri);
    assert.ok(edit);
    await send('Quieter.', edit);
    await second.started();
    const opened = scripted.conversations.current().id;
    const [here, there] = list().map((one) => scripted.inPlace.conversationOf(one));
    assert.ok(here !== undefined && there !== undefined && here !== there);
    assert.equal(here, opened);
    await second.finish(edits(pathOf('other.txt'), ['alpha', 'ALPHA']));
    await until(() => underReview(other.uri));
    assert.equal(underReview(), undefined);
    await first.finish(edits(pathOf('code.txt'), ['three', 'THREE']));
    await until(() => underReview());
  });

  it('tells what went wrong in one line, with the way to the chat', async () => {
    scripted.will(streamOf([{ answer: '{"explanation": "So' }, { finish: 'length' }]), (response) => {
      response.writeHead(401).end('{"error": {"message": "[no](command:x)"}}');
    });
    await begin(1, 3);
    await send('Louder.');
    await until(() => shown().length === 2 && /\|The answer was cut off\.$/.test(shown()[1] ?? ''));
    await send('Again.');
    await until(() => /key/.test(shown()[3] ?? ''));
    // The name of a comment for screen readers is its text, in which a link would be read with its address.
    assert.doesNotMatch(shown().join('\n'), /command:|\]\(/);
    assert.equal(typeof commentAt(1, 'chat').body, 'string');
    assert.equal(underReview(), undefined);
    await vscode.commands.executeCommand('k3.openEditInChat', commentAt(3, 'chat'));
    assert.equal(scripted.conversations.current().id, scripted.inPlace.conversationOf(theEdit()));
  });

  describe('that names a prompt file', () => {
    const prompts = () => {
      const [root] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(root);
      return join(root.uri.fsPath, '.github/prompts');
    };
    const write = (text: string) => writeFileSync(join(prompts(), 'louder.prompt.md'), text);
    const { showInputBox } = vscode.window;
    const typing = (input: () => Promise<string | undefined>) =>
      Object.assign(vscode.window, { showInputBox: input });
    beforeEach(() => mkdirSync(prompts(), { recursive: true }));
    afterEach(() => {
      Object.assign(vscode.window, { showInputBox });
      rmSync(prompts(), { recursive: true, force: true });
    });
    const variable = (name: string) => `$\{${name}}`;
    const fields = '---\neffort: low\ntools: []\n---\n';

    it('asks what the file says about the lines, with its effort and tools, and shows what was written', async () => {
      write(`${fields}Shout ${variable('input:what')} in ${variable('selection')} of ${variable('file')}.`);
      typing(async () => 'all');
      scripted.will(change('three', 'THREE'));
      await begin(1, 3);
      await send('/louder and once');
      await until(() => underReview());
      const path = pathOf('code.txt');
      const question = scripted.conversations.current().exchanges[0]?.question;
      assert.ok(asked(0).startsWith(`Shout all in ${path}:2-4 of ${path}.\n\nand once\n\nFor orientation`));
      assert.deepEqual(
        [question?.asked, question?.effort, question?.tools, question?.context],
        ['Edit Here · /louder and once', 'low', [], undefined],
      );
      assert.equal(shown()[0], 'You||/louder and once');
      scripted.will(change('THREE', 'Three'));
      await send('/explain');
      await until(() => scripted.requests[1]);
      assert.match(asked(1), /^\/explain\n\n/, 'a command can’t be asked there');
    });

    it('is not sent when its input is closed or it is stopped, and asks with the file as it is then', async () => {
      write(`${fields}Shout ${variable('input:what')}.`);
      typing(async () => undefined);
      await begin(1, 3);
      await send('/louder');
      await until(() => shown().at(-1) === 'svc-k3||Nothing was sent.');
      const opened = createDeferred<(text: string) => void>();
      typing(() => new Promise((resolve) => opened.resolve(resolve)));
      const asking = askAgain(commentAt(-1, 'again'));
      const answer = await opened.promise;
      assert.equal(shown().at(-1), 'svc-k3||Waiting for your input');
      await vscode.commands.executeCommand('k3.stopEdit', theEdit().id);
      answer('all');
      await asking;
      assert.equal(shown().at(-1), 'svc-k3||Nothing was sent.');
      write('---\neffort: hard\n---\nShout.');
      await askAgain(commentAt(-1, 'again'));
      assert.match(shown().at(-1) ?? '', /^svc-k3\|\|The prompt file of \/louder has “effort: hard”\./);
      assert.equal(scripted.requests.length, 0);
      write('Whisper.');
      scripted.will(change('three', 'tree'));
      await askAgain(commentAt(-1, 'again'));
      await until(() => underReview());
      assert.match(asked(0), /^Whisper\.\n\n/);
      assert.equal(theEdit().steps.length, 1);
    });
  });

  it('asks again what was not sent, with the same words and once, as the code is then', async () => {
    await begin(0, 0, await openHidden('secret.txt', `one\ntwo\nkey = "${TOKEN}"\n`));
    await send('Louder.');
    await until(() => shown().at(-1) === 'svc-k3||Nothing was sent.');
    questions.answer = 'Allow Once';
    scripted.will(change('ONE', 'One', 'secret.txt'));
    const typing = new vscode.WorkspaceEdit();
    typing.replace(theEdit().uri, new vscode.Range(0, 0, 0, 3), 'ONE');
    await vscode.workspace.applyEdit(typing);
    const again = commentAt(-1, 'again');
    await Promise.all([askAgain(again), askAgain(again)]);
    await until(() => underReview(theEdit().uri));
    assert.deepEqual([scripted.requests.length, theEdit().steps.length], [1, 1]);
    assert.match(asked(0), /^Louder\..*```plaintext\nONE\n```$/s);
    assert.equal(shown()[0], 'You||Louder.');
    await askAgain(again);
    assert.equal(scripted.requests.length, 1);
  });

  it('asks again what was refused, in its turn, and not when it is ended', async () => {
    const { conversations } = scripted;
    await begin(1, 3);
    const { ask } = conversations;
    const refusal = { kind: 'no-route' as const };
    Object.assign(conversations, { ask: async () => ({ ok: false, refusal }) });
    await send('Louder.');
    await until(() => scripted.inPlace.threads.of(theEdit())?.comments.at(-1)?.contextValue === 'again');
    Object.assign(conversations, { ask });
    const again = commentAt(1, 'again');
    const answer = held();
    await send('And here.');
    await answer.started();
    await askAgain(again);
    await until(() => shown()[0] === 'You|Queued|Louder.');
    scripted.will(change('three', 'THREE'));
    await answer.finish('Nothing to change.');
    await until(() => underReview());
    assert.match(asked(1), /^Louder\./);
    const edit = theEdit();
    scripted.inPlace.end(edit);
    await askAgain(again);
    assert.equal(scripted.requests.length, 2);
  });

  it('shows what the chat does with its questions: the rest of a cut answer, another attempt, an edited question', async () => {
    const { conversations } = scripted;
    const whole = edits(pathOf('code.txt'), ['three', 'THREE']);
    const half = whole.length / 2;
    scripted.will(streamOf([{ answer: whole.slice(0, half) }, { finish: 'length' }]));
    scripted.will(streamOf([{ answer: whole.slice(half) }, { finish: 'stop' }]));
    scripted.will(change('three', 'Three'), change('three', 'tHREE'), streamOf([{ finish: 'stop' }]));
    await begin(1, 3);
    await send('Louder.');
    await until(() => /cut off/.test(shown()[1] ?? ''));
    const { id } = conversations.current();
    const lastOne = () => conversations.current().exchanges.at(-1) ?? assert.fail();
    const { question, attempts } = lastOne();
    const [cut] = attempts;
    assert.ok(cut);
    assert.ok((await conversations.ask(id, toContinuingQuestion(question, cut, 'Continue.'))).ok);
    await until(() => shown()[1]?.includes('1 open'));
    await send('Not that loud.');
    await until(() => shown()[3]?.includes('1 open'));
    const proposed = () => underReview()?.file.hunks[0]?.hunk.after;
    assert.match(proposed() ?? '', /Three/);
    assert.ok((await conversations.askAgain(lastOne().attempts[0]?.id ?? '')).ok);
    await until(() => proposed()?.includes('tHREE') && shown()[3]?.includes('1 open'));
    assert.ok((await conversations.askInstead(id, lastOne().id, { ...question, text: 'Else.' })).ok);
    await until(() => shown()[3]?.includes('no longer has this question'));
    assert.equal(shown().length, 4);
  });

  it('goes with a file that is renamed, stays when it is closed, and ends when it is deleted', async () => {
    scripted.will(change('three', 'THREE'), change('three', 'Three', 'renamed.txt'));
    await runOn(1, 3);
    await send('Louder.');
    await until(() => underReview());
    const { id } = theEdit();
    const moving = new vscode.WorkspaceEdit();
    moving.renameFile(document.uri, uriOf('renamed.txt'));
    await vscode.workspace.applyEdit(moving);
    await until(
      () => scripted.inPlace.threads.of(theEdit())?.uri.toString() === uriOf('renamed.txt').toString(),
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.deepEqual(
      list().map((one) => one.id),
      [id],
    );
    await send('Not that loud.');
    const second = await until(() => {
      const found = underReview(uriOf('renamed.txt'));
      return found?.file.hunks[0]?.hunk.after.includes('Three') && found.proposal;
    });
    const deleting = new vscode.WorkspaceEdit();
    deleting.deleteFile(uriOf('renamed.txt'));
    await vscode.workspace.applyEdit(deleting);
    await until(() => list().length === 0);
    const [file] = scripted.proposals.get(second.id)?.files ?? [];
    assert.deepEqual(
      file?.hunks.map(({ state }) => state),
      ['open'],
      'for when the file is back',
    );
  });

  it('says that its file can’t be read, when another program has deleted it, and asks again when it is back', async () => {
    const text = document.getText();
    scripted.will(change('three', 'THREE'), change('three', 'Three'));
    await begin(1, 3);
    await send('Louder.');
    await until(() => underReview());
    unlinkSync(document.uri.fsPath);
    await send('Not that loud.');
    const said = await until(() => shown().find((one) => one.includes('wasn’t sent')));
    assert.match(said, /code\.txt couldn’t be read and wasn’t sent\./);
    assert.doesNotMatch(said, /Error|cannot open|file:/);
    writeFileSync(document.uri.fsPath, text);
    await askAgain(commentAt(-1, 'again'));
    await until(() => underReview()?.file.hunks[0]?.hunk.after.includes('Three'));
    assert.equal(scripted.requests.length, 2, 'nothing was sent while it was gone');
  });

  it('has its hunks where the file is, when it was closed and renamed while the answer was running', async () => {
    const answer = held();
    await runOn(1, 3);
    await send('Louder.');
    await answer.started();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const moving = new vscode.WorkspaceEdit();
    moving.renameFile(document.uri, uriOf('renamed.txt'));
    await vscode.workspace.applyEdit(moving);
    await answer.finish(edits(pathOf('code.txt'), ['three', 'THREE']));
    const found = await until(() => underReview(uriOf('renamed.txt')));
    assert.deepEqual(
      found.file.hunks.map(({ state }) => state),
      ['open'],
    );
    await until(() => shown().some((line) => line.includes('renamed.txt: 1 open')));
  });

  it('tells why a change has no place', async () => {
    scripted.will(change('six', 'SIX'));
    await begin(1, 3);
    await send('Louder.');
    await until(() => /not in the file\.$/.test(shown().at(-1) ?? ''));
    commentAt(-1, 'chat');
  });

  it('asks before it sends keys and passwords that were not selected', async () => {
    const other = await openHidden('secret.txt', `one\ntwo\nkey = "${TOKEN}"\n`);
    await begin(0, 0, other);
    await send('Louder.');
    await until(() => shown().at(-1)?.startsWith('svc-k3||Nothing was sent.'));
    assert.equal(questions.titles.length, 1);
    assert.equal(scripted.requests.length, 0);
    scripted.will(change('one', 'ONE', 'secret.txt'));
    questions.answer = 'Allow Once';
    await send('Louder.');
    await until(() => underReview(other.uri));
  });

  it('makes way for the comment box of a hunk on its line, and is shown again', async () => {
    scripted.will(change('one', 'ONE'));
    await runOn(0, 0);
    await send('Louder.');
    const { proposal, file } = await until(() => underReview());
    await until(() => shown().at(-1)?.includes('1 open'));
    const before = [scripted.inPlace.threads.of(theEdit()), shown()] as const;
    const target = { proposalId: proposal.id, uri: file.uri, hunkId: file.hunks[0]?.hunk.id };
    await vscode.commands.executeCommand('k3.commentHunk', target);
    // The editor opens no box on a line that has a thread.
    await until(() => scripted.inPlace.threads.of(theEdit()) !== before[0]);
    assert.deepEqual(shown(), before[1]);
  });

  it('leaves the focus to the comment box of a hunk on its line, also if nothing was asked yet', async () => {
    await propose(edits(pathOf('code.txt'), ['one', 'ONE']));
    await runOn(0, 0);
    await until(boxIsActive);
    const { proposal, file } = underReview() ?? assert.fail('no hunks');
    const before = scripted.inPlace.threads.of(theEdit());
    const target = { proposalId: proposal.id, uri: file.uri, hunkId: file.hunks[0]?.hunk.id };
    await vscode.commands.executeCommand('k3.commentHunk', target);
    await until(() => scripted.inPlace.threads.of(theEdit()) !== before);
    const inFront = () => vscode.window.activeTextEditor?.document.uri.authority;
    await until(() => inFront() === 'k3.proposal');
    // The box of an edit takes the focus a moment after it is shown.
    await pause(FOCUSED_MS);
    assert.equal(inFront(), 'k3.proposal');
  });

  it('says when its conversation is deleted, and asks further in another one', async () => {
    scripted.will(change('three', 'THREE'), change('three', 'Three'));
    await begin(1, 3);
    await send('Louder.');
    await until(() => underReview());
    const first = scripted.inPlace.conversationOf(theEdit());
    scripted.conversations.delete(first ?? '');
    await until(() => shown().at(-1)?.includes('no longer has this question'));
    await send('Again.');
    const second = await until(() => scripted.inPlace.conversationOf(theEdit()));
    assert.notEqual(second, first);
  });
});

describe('A merge conflict', () => {
  aroundProposals();
  afterEach(cleanUp);

  it('has a CodeLens that asks in the code, and resolves to a proposal', async () => {
    const other = await openHidden(
      'merge.txt',
      'a\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> feature\nb\n',
    );
    const { command, range } = await findCodeLens(other.uri, 'Resolve with K3');
    assert.equal(range.start.line, 1);
    scripted.will(streamOf([{ answer: '```\nboth\n```\n' }, { finish: 'stop' }]));
    assert.equal(command?.command, 'k3.resolveConflict');
    await runCommand(command);
    const found = await until(() => underReview(other.uri));
    assert.match(asked(0), /^Resolve this merge conflict.*lines 2–6 \(plaintext\)/s);
    assert.equal(shown()[0], 'You||Resolve with K3');
    // The CodeLenses of the hunk are in the same row.
    await findCodeLens(other.uri, 'Accept');
    const titles = await lensTitles(other.uri);
    assert.deepEqual(
      titles.filter((title) => /^(Accept|Resolve with K3)$/.test(title)),
      ['Accept'],
    );
    await vscode.commands.executeCommand('k3.acceptAll', {
      proposalId: found.proposal.id,
      uri: found.file.uri,
    });
    assert.equal(other.getText(), 'a\nboth\nb\n');
  });

  it('gives the box of its thread the focus, so that what is typed next doesn’t change the file', async () => {
    const TEXT = 'a\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> feature\nb\n';
    const other = await open('merge.txt', TEXT);
    const answer = held();
    await vscode.commands.executeCommand('k3.resolveConflict', { uri: other.uri, line: 1 });
    await answer.started();
    await until(boxIsActive);
    await vscode.commands.executeCommand('type', { text: 'Both.' });
    assert.equal(other.getText(), TEXT);
    assert.deepEqual(inBoxes(), ['Both.']);
    await answer.finish('Nothing to change.');
    assert.ok(boxIsActive(), 'also when the answer has ended');
  });

  it('is resolved after the answer that is running at its lines, once', async () => {
    const other = await open('merge.txt', 'a\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> feature\nb\nc\n');
    const answer = held();
    await runOn(0, 2);
    await send('Louder.');
    await answer.started();
    await vscode.window.showTextDocument(other);
    const { command } = await findCodeLens(other.uri, 'Resolve with K3');
    assert.ok(command);
    await runCommand(command);
    await until(() => shown().at(-1) === 'You|Queued|Resolve with K3');
    await runCommand(command);
    assert.equal(theEdit().steps.length, 2);
    scripted.will(streamOf([{ answer: '```\nboth\n```\n' }, { finish: 'stop' }]));
    const typing = new vscode.WorkspaceEdit();
    typing.insert(other.uri, new vscode.Position(0, 0), 'zero\n');
    await vscode.workspace.applyEdit(typing);
    await answer.finish('Nothing to change.');
    await until(() => scripted.requests.length === 2);
    assert.match(asked(1), /^Resolve this merge conflict.*merge\.txt, lines 3–7 \(plaintext\):\n\n[^c]*$/s);
    await until(() => underReview(other.uri));
  });

  it('is not looked for where there is none', async () => {
    await vscode.window.showTextDocument(document);
    await runOn(1, 1, 'k3.resolveConflict');
    assert.deepEqual([list(), questions.notes], [[], ['There is no merge conflict at the cursor.']]);
  });
});

describe('The light bulb', () => {
  aroundProposals();
  afterEach(cleanUp);

  const actionsOf = async (range: vscode.Range) =>
    vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
    );

  it('has Document for selected lines', async () => {
    const titles = (await actionsOf(new vscode.Range(1, 0, 2, 3))).map(({ title }) => title);
    for (const title of ['Refactor with K3…', 'Document with K3', 'Write Tests with K3'])
      assert.ok(titles.includes(title), title);
  });

  it('fixes problems in the code, in a thread', async () => {
    const collection = vscode.languages.createDiagnosticCollection('test');
    const range = new vscode.Range(2, 0, 2, 5);
    collection.set(document.uri, [new vscode.Diagnostic(range, 'Not a number.')]);
    const fix = await findCodeAction(document.uri, range, 'Fix with K3');
    scripted.will(change('three', '3'));
    await runCommand(fix);
    await until(() => underReview());
    collection.dispose();
    assert.match(asked(0), /^Fix this code\.\n\nThe editor says:\n- line 3: Not a number\./);
    assert.equal(shown()[0], 'You||Fix');
  });

  it('fixes a problem at the lines of an answer that is running when that has ended, another problem as well', async () => {
    await vscode.window.showTextDocument(document, { preview: false });
    const answer = held();
    const fix = (message: string) => {
      const range = new vscode.Range(2, 0, 2, 5);
      const target = { uri: document.uri, range, diagnostics: [message] };
      return vscode.commands.executeCommand('k3.editHere', target, 'fix');
    };
    await fix('line 3: Not a number.');
    await answer.started();
    await until(boxIsActive);
    await fix('line 3: Not a number.');
    assert.equal(theEdit().steps.length, 1);
    await fix('line 3: Not a word.');
    assert.equal(shown().at(-1), 'You|Queued|Fix');
    scripted.will(change('three', '3'));
    await answer.finish('Nothing to change.');
    await until(() => underReview());
    assert.match(asked(1), /^Fix this code\..*line 3: Not a word\./s);
  });
});

describe('The hunk of an edit', () => {
  aroundProposals();
  afterEach(cleanUp);

  it('is accepted by the command while the cursor is in the box of an edit', async () => {
    await begin(1, 1);
    scripted.will(change('two', 'TWO'));
    await send('Louder.');
    await until(() => underReview());
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    await runOn(1, 1);
    await until(boxIsActive);
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await vscode.commands.executeCommand('k3.acceptHunk');
    assert.equal(document.getText(), CODE.replace('two', 'TWO'));
    assert.ok(boxIsActive(), 'no other file was opened');
  });
});

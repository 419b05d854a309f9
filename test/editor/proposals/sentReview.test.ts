import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toEditedQuestion } from '../../../src/conversation/continuingQuestion.ts';
import { askedQuestion } from '../../../src/conversation/conversation.ts';
import { createAskingAgain } from '../../../src/editor/chatView/askAgain.ts';
import { renewQuestion } from '../../../src/editor/chatView/renewedQuestion.ts';
import { NOT_WAITING } from '../../support/notWaiting.ts';
import { ended, startStream, streamOf, until } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  comment,
  isOpen,
  openHidden,
  pathOf,
  propose,
  proposeIn,
  scripted,
  sentReview,
  shownOf,
  uriOf,
  writeClosed,
} from './proposing.ts';

const KEY = `key = "${['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')}"\n`;

const requests = () => scripted.conversations.current().exchanges.length;

async function type(name: string, text: string, line = 0): Promise<void> {
  const typing = new vscode.WorkspaceEdit();
  typing.insert(uriOf(name), new vscode.Position(line, 0), text);
  await vscode.workspace.applyEdit(typing);
}

/** Two files with a comment, and the question about them. */
async function reviewOfTwo(answer?: string) {
  await proposeIn(['a.txt', 'b.txt']);
  for (const name of ['a.txt', 'b.txt']) await comment(name, `About ${name}.`);
  await sentReview(answer);
  const exchange = scripted.conversations.current().exchanges.at(-1);
  assert.ok(exchange);
  return exchange.question;
}

/** Sends a review with one comment, whose answer goes on. Returns the number of requests before. */
async function sendUnanswered(): Promise<number> {
  await proposeIn(['a.txt']);
  await comment('a.txt', 'Say why.');
  const before = scripted.requests.length;
  scripted.will((response) => startStream(response));
  await vscode.commands.executeCommand('k3.sendReview');
  await until(() => scripted.requests.length > before);
  return before;
}

/** Another attempt for the last question, which is complete. */
async function tryAgain() {
  const { conversations, proposals, renames, routes } = scripted;
  const conversation = conversations.current();
  const exchange = conversation.exchanges.at(-1);
  const [turn] = exchange?.attempts ?? [];
  assert.ok(exchange && turn);
  const asking = createAskingAgain({
    waiting: NOT_WAITING,
    conversations,
    routes,
    proposals,
    renames,
    images: { shrink: async (images) => images },
  });
  scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
  await asking.retry({ conversation, exchange, turn }, () => undefined);
  const again = await until(() => conversations.find(turn.id)?.exchange.attempts[1]);
  await ended(conversations, again.id);
  return { exchange, again };
}

describe('A review that is sent', () => {
  aroundProposals();

  it('asks about a file that is ignored by now, and keeps the comments if it isn’t allowed', async () => {
    await proposeIn(['a.txt']);
    await comment('a.txt', 'Say why.');
    writeFileSync(uriOf('.gitignore').fsPath, 'a.txt\n');
    const before = requests();
    await vscode.commands.executeCommand('k3.sendReview');
    assert.match(asked.details[0] ?? '', /Git ignores it/);
    assert.equal(requests(), before);
    asked.answer = 'Allow Once';
    assert.match(await sentReview(), /Say why\./);
  });

  it('asks about a key that was typed since the proposal was made', async () => {
    await proposeIn(['a.txt', 'b.txt']);
    await comment('a.txt', 'Say why.');
    await type('a.txt', KEY, 1);
    await comment('a.txt', 'And this?');
    const before = requests();
    // The key is below the lines that are sent.
    assert.match(await sentReview(), /Say why\./);
    assert.deepEqual(asked.details, []);
    assert.equal(requests(), before + 1);
    await type('b.txt', KEY);
    await comment('b.txt', 'Say why.');
    await vscode.commands.executeCommand('k3.sendReview');
    assert.match(asked.details[0] ?? '', /looks like a key or password/);
    assert.equal(requests(), before + 1);
    asked.answer = 'Allow Once';
    assert.match(await sentReview(), /ghp_/);
  });

  it('asks about the lines of a file for secrets also where it is shown: its text was allowed for the place of a change only', async () => {
    asked.answer = 'Allow Once';
    await proposeIn(['of.env']);
    await vscode.window.showTextDocument(uriOf('of.env'));
    await comment('of.env', 'Say why.');
    [asked.answer, asked.details.length] = [undefined, 0];
    const before = requests();
    await vscode.commands.executeCommand('k3.sendReview');
    assert.match(asked.details.join(), /Files with this name often contain keys or passwords/);
    assert.equal(requests(), before);
    asked.answer = 'Allow Once';
    assert.match(await sentReview(), /Say why\./);
  });

  it('has the code of all its files as it is now when it is asked again, and what the user typed to edit', async () => {
    const question = await reviewOfTwo();
    for (const name of ['a.txt', 'b.txt']) await type(name, `above ${name}\n`);
    const renewed = await renewQuestion(question, [], scripted.proposals);
    for (const name of ['a.txt', 'b.txt']) {
      assert.ok(question.text.includes(`${name}, line 1 (plaintext)`), question.text);
      assert.ok(renewed.text.includes(`${name}, line 2 (plaintext)`), renewed.text);
    }
    assert.deepEqual([renewed.origin?.startLine, renewed.more?.map(({ startLine }) => startLine)], [1, [1]]);
    const edited = toEditedQuestion(question, 'About a.txt.\nAnd b.txt?');
    assert.equal(edited.text, question.text.replace('About b.txt.', 'And b.txt?'));
  });

  it('has no hunks in its first file of code that doesn’t say to which file it belongs', async () => {
    await reviewOfTwo('```\nnew text of b.txt\n```');
    const turn = scripted.conversations.current().exchanges.at(-1)?.attempts[0];
    const made = await until(() => turn && scripted.proposals.ofTurn(turn.id)[0]);
    assert.deepEqual([made?.trouble, made?.files], [{ kind: 'unnamed-blocks', count: 1 }, []]);
  });

  it('has all its files under their names of now when it is asked again, and keeps these with the answer', async () => {
    await reviewOfTwo();
    const renaming = new vscode.WorkspaceEdit();
    renaming.renameFile(uriOf('b.txt'), uriOf('now.txt'));
    await vscode.workspace.applyEdit(renaming);
    await type('now.txt', 'above\n');
    const { exchange, again } = await tryAgain();
    const { origin, more } = askedQuestion(exchange, again);
    assert.deepEqual(
      [origin, ...(more ?? [])].map((one) => [one?.uri, one?.startLine]),
      [
        [uriOf('a.txt').toString(), 0],
        [uriOf('now.txt').toString(), 1],
      ],
    );
    assert.match(again.request.prompt ?? '', /now\.txt, line 2 \(plaintext\)/);
  });

  it('keeps its code when it is asked again and one of its files isn’t allowed any more', async () => {
    const question = await reviewOfTwo();
    writeFileSync(uriOf('.gitignore').fsPath, 'b.txt\n');
    writeFileSync(uriOf('b.txt').fsPath, 'new above\ntext of b.txt\n');
    assert.equal(await renewQuestion(question, [], scripted.proposals), question);
    assert.match(asked.details[0] ?? '', /Git ignores it/);
  });

  it('has no comments to send any more when another attempt is complete after the first one was stopped', async () => {
    const before = await sendUnanswered();
    const { conversations } = scripted;
    const { id } = conversations.current();
    conversations.stop(id);
    await until(() => !conversations.isRunning(id));
    await tryAgain();
    await vscode.commands.executeCommand('k3.sendReview');
    assert.match(asked.notes.join('\n'), /There are no comments to send/);
    assert.equal(scripted.requests.length, before + 2);
  });

  it('gives the comments back when its conversation is deleted before the answer is complete', async () => {
    await sendUnanswered();
    const { conversations } = scripted;
    conversations.delete(conversations.current().id);
    conversations.create();
    assert.match(await sentReview(), /Say why\./);
  });

  it('has the first lines of a long part of a file without comments', async () => {
    const lines = Array.from({ length: 2000 }, (_, at) => `line ${at}\n`).join('');
    await openHidden('short.txt', 'short\n');
    await openHidden('long.txt', lines);
    const files = [
      { path: pathOf('short.txt'), edits: [{ find: 'short', replace: 'SHORT' }] },
      { path: pathOf('long.txt'), edits: ['line 10', 'line 1900'].map((find) => ({ find, replace: 'x' })) },
    ];
    await propose(JSON.stringify({ explanation: '', files }));
    await comment('short.txt', 'Say why.');
    const sent = await sentReview();
    const has = (line: number) => sent.includes(`line ${line}\n`);
    assert.deepEqual([20, 1500, 1890].map(has), [true, true, false]);
  });

  it('has the lines around comments of a long part of a file that are far apart, and gets hunks in all of them', async () => {
    const lines = Array.from({ length: 4000 }, (_, at) => `line ${at}\n`).join('');
    await openHidden('far.txt', lines);
    const change = (find: string, replace: string) => ({ find, replace });
    const answer = (...all: ReturnType<typeof change>[]) =>
      JSON.stringify({ explanation: '', files: [{ path: pathOf('far.txt'), edits: all }] });
    await propose(answer(change('line 10', 'x'), change('line 3900', 'y')));
    await comment('far.txt', 'Say why.', 10);
    await comment('far.txt', 'Here, too.', 3900);
    const sent = await sentReview(answer(change('line 10', 'Ten'), change('line 3900', 'Later')));
    const has = (line: number) => sent.includes(`line ${line}\n`);
    assert.deepEqual([10, 200, 220, 2000, 3690, 3720, 3900].map(has), [
      ...[true, true, false, false],
      ...[false, true, true],
    ]);
    const turn = scripted.conversations.current().exchanges.at(-1)?.attempts.at(-1);
    await until(() => scripted.proposals.ofTurn(turn?.id ?? '').length > 0);
    assert.deepEqual(shownOf(turn?.id ?? ''), [[['far.txt', 'open Ten', 'open Later']]]);
  });

  it('can be sent after a comment with it could not be added', async () => {
    await proposeIn(['a.txt']);
    await comment('a.txt', 'Say why.');
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand('k3.sendReview', { thread: {}, text: 'Here.' })),
    );
    assert.match(await sentReview(), /Say why\./);
  });

  describe('with comments on plain lines', () => {
    const LINES = Array.from({ length: 9 }, (_, at) => `line ${at}\n`).join('');

    async function commentOn(name: string, line: number, text: string): Promise<void> {
      const range = new vscode.Range(line, 0, line, 0);
      const thread = { uri: uriOf(name), range, dispose: () => undefined };
      await vscode.commands.executeCommand('k3.addRemark', { thread, text });
    }
    const replace = async (document: vscode.TextDocument, range: vscode.Range, text: string) => {
      const change = new vscode.WorkspaceEdit();
      change.replace(document.uri, range, text);
      await vscode.workspace.applyEdit(change);
    };
    it('names the lines as they are after typing above, and when deleted lines are back', async () => {
      const document = await openHidden('plain.txt', LINES);
      await commentOn('plain.txt', 4, 'Why four?');
      await replace(document, new vscode.Range(0, 0, 0, 0), 'above\nabove\n');
      await replace(document, new vscode.Range(6, 0, 7, 0), '');
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.lineAt(6).text, 'line 4');
      assert.match(await sentReview(), /plain\.txt, line 7\b[\s\S]*line 4[\s\S]*Why four\?/);
    });

    it('names the lines of a file that another program changed, and that was renamed', async () => {
      await writeClosed('plain.txt', LINES);
      await commentOn('plain.txt', 4, 'Why four?');
      assert.ok(!isOpen(uriOf('plain.txt')));
      const renaming = new vscode.WorkspaceEdit();
      renaming.renameFile(uriOf('plain.txt'), uriOf('other.txt'));
      await vscode.workspace.applyEdit(renaming);
      const document = await vscode.workspace.openTextDocument(uriOf('other.txt'));
      writeFileSync(uriOf('other.txt').fsPath, `a\nb\nc\n${LINES}`);
      await until(() => document.lineCount === 13);
      assert.match(await sentReview(), /other\.txt, line 8\b[\s\S]*Why four\?/);
    });
  });
});

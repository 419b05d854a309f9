/** A double-click on the button of a comment box, which the editor empties when the command has ended. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { reviewCode } from '../findings/reviewed.ts';
import {
  aroundProposals,
  document,
  edits,
  pathOf,
  propose,
  scripted,
  sentReview,
} from '../proposals/proposing.ts';
import { streamOf, until } from '../scripted.ts';

/** The number of requests, when no other one has followed this one. */
async function settled(wanted: number): Promise<number> {
  await until(() => scripted.requests.length >= wanted);
  await new Promise((resolve) => setTimeout(resolve, 500));
  return scripted.requests.length;
}

const twice = (command: string, reply: object) =>
  Promise.all([
    vscode.commands.executeCommand(command, reply),
    vscode.commands.executeCommand(command, reply),
  ]);

/** Two answers, of which one is wanted. */
const answerTwice = () => {
  for (const answer of ['Nothing.', 'Nothing again.'])
    scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
};

describe('A reply in a comment box that is sent with a double-click', () => {
  aroundProposals();

  it('is asked once in an edit in the code, and again when it is written again', async () => {
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    await vscode.commands.executeCommand('k3.editHere');
    const [edit] = scripted.inPlace.list();
    assert.ok(edit);
    const thread = scripted.inPlace.threads.of(edit);
    answerTwice();
    await twice('k3.sendEdit', Object.assign(thread?.comments[0] ?? {}, { body: 'Louder.' }));
    assert.equal(await settled(1), 1);
    await twice('k3.sendEdit', { thread: scripted.inPlace.threads.of(edit), text: 'Louder.' });
    assert.equal(await settled(2), 2);
    scripted.inPlace.end(edit);
  });

  it('is asked once about a finding', async () => {
    await reviewCode();
    const one = await until(() => scripted.findings.list()[0]);
    answerTwice();
    await twice('k3.discussFinding', { thread: one.id, text: 'Why?' });
    assert.equal(await settled(2), 2);
  });

  it('is added once as a comment', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    assert.ok(proposal);
    const thread = { uri: document.uri, range: new vscode.Range(1, 0, 1, 0), dispose: () => undefined };
    await twice('k3.addRemark', { thread, text: 'Say why.' });
    assert.equal((await sentReview()).split('Say why.').length - 1, 1);
  });
});

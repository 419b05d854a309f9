import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { readText } from '../../../src/editor/workspace/textSources.ts';
import { streamOf, until } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  comment,
  document,
  edits,
  pathOf,
  propose,
  scripted,
  sentReview,
  uriOf,
} from './proposing.ts';

const BINARY = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0x0a, 0, 3, 0]);

/** Another program replaces the file, and the editor reads it again because it is open. */
async function replaceWithBinary(): Promise<void> {
  await vscode.workspace.fs.writeFile(uriOf('code.txt'), BINARY);
  await until(() => document.getText().includes('\0'));
}

describe('A file that is no text any more', () => {
  aroundProposals({ shown: true });

  it('isn’t sent with a review, which says so, and keeps the comments', async () => {
    await propose(edits(pathOf('code.txt'), ['two\n', 'TWO\n']));
    await comment('code.txt', 'Say why.');
    await replaceWithBinary();
    assert.deepEqual(await readText(document.uri), { ok: false, why: 'binary' });
    const { length } = scripted.requests;
    scripted.will(streamOf([{ answer: 'Nothing.' }, { finish: 'stop' }]));
    await vscode.commands.executeCommand('k3.sendReview');
    scripted.forget();
    assert.equal(scripted.requests.length, length);
    assert.match(asked.notes.join('\n'), /code\.txt is not a text file, so the review wasn’t sent/);
    await vscode.workspace.fs.writeFile(uriOf('code.txt'), Buffer.from('one\ntwo\n'));
    await until(() => !document.getText().includes('\0'));
    assert.match(await sentReview(), /Say why\./);
  });

  it('has no hunks of an answer that was running, which says so', async () => {
    const { conversations, proposals } = scripted;
    const origin = { uri: document.uri.toString(), startLine: 1, endLine: 1, text: 'two\n' };
    scripted.will(async (response, body) => {
      await replaceWithBinary();
      await streamOf([{ answer: edits(pathOf('code.txt'), ['two\n', 'TWO\n']) }, { finish: 'stop' }])(
        response,
        body,
      );
    });
    const question = { text: 'Change it.', images: [], origin, purpose: 'proposal' as const };
    const sent = await conversations.ask(conversations.current().id, question);
    assert.ok(sent.ok);
    const proposal = await until(() => proposals.ofTurn(sent.turnId)[0]);
    assert.deepEqual(
      proposal.files.flatMap(({ unplaced }) => unplaced.map(({ reason }) => reason)),
      ['unreadable'],
    );
  });
});

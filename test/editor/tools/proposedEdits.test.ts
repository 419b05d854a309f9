/** Edits that the model proposes with a tool, in a file where another proposal is under review. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toContinuingQuestion } from '../../../src/conversation/continuingQuestion.ts';
import type { Question } from '../../../src/conversation/question.ts';
import { toProposalViews } from '../../../src/editor/proposals/proposalViews.ts';
import { toFileProposal } from '../../../src/review/proposals/proposal.ts';
import { ended, startStream, streamOf, until, writeDelta } from '../scripted.ts';
import { aroundTools, asked, call, made, pathOf, scripted } from './toolsWorkspace.ts';

const TEXT = 'one\ntwo\nthree\nfour\nfive\n';

describe('Edits that the model proposes where another proposal is under review', () => {
  aroundTools();

  let at = 0;
  let name: string;
  let uri: string;
  const turnId = () => scripted.conversations.current().exchanges[0]?.attempts[0]?.id ?? '';
  const underReview = () => scripted.proposals.ofFile(uri);
  const openIn = () =>
    underReview().flatMap(({ file }) =>
      file.hunks.filter(({ state }) => state === 'open').map(({ hunk }) => hunk.after),
    );
  const latest = () => scripted.proposals.ofTurn(turnId()).at(-1) ?? assert.fail();
  const propose = (find: string, replace: string) =>
    call('propose_edit', { path: pathOf(name), edits: [{ find, replace }] });
  const notes = () => asked.notes.filter((note) => note.startsWith('A new proposal changes'));

  /** A proposal of another conversation. */
  async function addOther(after: string) {
    const { conversations } = scripted;
    const conversationId = conversations.createAside('Aside').id;
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    const sent = await conversations.ask(conversationId, { text: 'Why?', images: [], origin: undefined });
    assert.ok(sent.ok);
    const { id: turnId } = await ended(conversations, sent.turnId);
    const texts = { before: TEXT, after, asked: undefined, unplaced: [] };
    const file = toFileProposal({ uri, label: name, isNew: false, ...texts });
    const more = { trouble: undefined, revises: undefined };
    return scripted.proposals.add({ turnId, conversationId, files: [file], ...more });
  }

  async function use(file: string): Promise<void> {
    name = file;
    await writeFile(join(made, name), TEXT);
    uri = vscode.Uri.file(join(made, name)).toString();
  }

  beforeEach(() => use(`beside${++at}.txt`));
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('stand beside it at other lines, also when they build on each other', async () => {
    await addOther(TEXT.replace('one', 'ONE'));
    assert.match((await propose('three', 'THREE')).text, /^Proposed 1 change/);
    assert.deepEqual(openIn(), ['ONE\n', 'THREE\n']);
    await propose('five', 'FIVE');
    assert.deepEqual(openIn(), ['ONE\n', 'THREE\n', 'FIVE\n']);
    assert.deepEqual([notes(), toProposalViews([latest()])[0]?.displaced], [[], []]);
  });

  it('that take back all of an earlier one, or change nothing in it, are said to, and it stays under review', async () => {
    await propose('three', 'THREE');
    assert.match((await propose('two', 'two')).text, /makes no changes/);
    const { text, failed } = await propose('THREE', 'three');
    assert.match(text, /takes back what you proposed before, which stays under review/);
    assert.deepEqual([failed, openIn()], [true, ['THREE\n']]);
  });

  it('replace it at the same lines, and the chat says so and offers it, also after a further edit', async () => {
    const other = await addOther(TEXT.replace('one', 'ONE'));
    await propose('one', 'One');
    assert.deepEqual(openIn(), ['One\n']);
    await propose('three', 'THREE');
    const [view] = toProposalViews([latest()]);
    assert.deepEqual(view?.displaced, [
      {
        proposalId: other.id,
        summary: 'It replaced an earlier proposal with 1 hunk that you had not reviewed.',
      },
    ]);
    assert.deepEqual(asked.titles, []);
    await vscode.commands.executeCommand('k3.reopenProposal', { proposalId: other.id, uri });
    await until(() => underReview().some(({ proposal }) => proposal.id === other.id));
    assert.deepEqual(latest().files[0]?.displaced, []);
    // The message is shown once for an answer, which can change many files.
    assert.equal(notes().length, 1);
    await use(`also-${name}`);
    await addOther(TEXT.replace('two', 'TWO'));
    await propose('two', 'Two');
    assert.equal(latest().files[0]?.displaced?.length, 1);
    assert.equal(notes().length, 1);
  });

  it('stay under review when the conversation of the replaced one is deleted, and it is taken up', async () => {
    const other = await addOther(TEXT.replace('one', 'ONE'));
    await propose('one', 'One');
    scripted.conversations.delete(other.conversationId);
    await vscode.commands.executeCommand('k3.reopenProposal', { proposalId: other.id, uri });
    assert.deepEqual(openIn(), ['One\n']);
    assert.equal(latest().files[0]?.replacedBy, undefined);
  });

  describe('by an answer that is continued', () => {
    const QUESTION: Question = { text: 'Do it.', images: [], origin: undefined };
    let conversationId: string;
    let turnId: string;

    /** Waits until a turn runs that doesn't end by itself. */
    async function run(ask: () => ReturnType<typeof scripted.conversations.ask>): Promise<void> {
      scripted.will((response) => {
        startStream(response);
        writeDelta(response, { reasoning: 'Let me look.' });
      });
      const sent = await ask();
      assert.ok(sent.ok);
      turnId = sent.turnId;
      await until(() => scripted.conversations.find(turnId)?.turn.reasoning);
    }

    async function stop() {
      scripted.conversations.stop(conversationId);
      return ended(scripted.conversations, turnId);
    }

    const edit = (...edits: readonly { readonly find: string; readonly replace: string }[]) =>
      call('propose_edit', { path: pathOf(name), edits }, scripted.tools.toolboxOf(conversationId));

    beforeEach(async () => {
      const { conversations } = scripted;
      conversationId = conversations.createAside('Parts').id;
      await run(() => conversations.ask(conversationId, QUESTION));
      await edit({ find: 'one', replace: 'ONE' }, { find: 'four', replace: 'FOUR' });
      const rest = toContinuingQuestion(QUESTION, await stop(), 'Continue.');
      await run(() => conversations.ask(conversationId, rest));
    });
    afterEach(stop);

    it('build on those of its earlier part, whose other hunks stay under review', async () => {
      const before = notes().length;
      assert.match((await edit({ find: 'ONE', replace: 'One' })).text, /^Proposed 2 changes/);
      assert.deepEqual(openIn(), ['One\n', 'FOUR\n']);
      assert.equal(notes().length, before);
    });

    it('build on those of its earlier part also in another attempt at the rest', async () => {
      await edit({ find: 'ONE', replace: 'One' });
      await stop();
      await run(() => scripted.conversations.askAgain(turnId));
      await edit({ find: 'ONE', replace: 'First' });
      assert.deepEqual(openIn(), ['First\n', 'FOUR\n']);
      await vscode.commands.executeCommand('k3.rejectHunk', {
        proposalId: scripted.proposals.ofTurn(turnId).at(-1)?.id,
        uri,
        hunkId: '1',
      });
      await edit({ find: 'two', replace: 'TWO' });
      assert.deepEqual(openIn(), ['First\nTWO\n']);
    });
  });
});

/** Commit messages in the Source Control view, also while Git goes on beneath them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type Asking, watchModals } from '../modals.ts';
import { closeRepository, createRepository, type TestRepository } from '../repositories.ts';
import {
  ended,
  type Scripted,
  startScripted,
  startStream,
  streamOf,
  USAGE,
  until,
  writeDelta,
} from '../scripted.ts';

describe('A commit message', () => {
  let scripted: Scripted;
  let created: TestRepository;
  let folder: string;
  let begin: string;
  let asking: Asking;
  const git = (...args: readonly string[]) => created.git(...args);
  before(async () => {
    created = createRepository('commit');
    folder = created.folder;
    created.write('a.txt', 'one\n');
    created.commit('feat: begin');
    begin = git('rev-parse', 'HEAD');
    await created.open();
  });
  after(() => created.close());
  beforeEach(async () => {
    scripted = await startScripted();
    asking = watchModals();
    // The repository is outside the workspace.
    asking.answer = 'Allow in This Window';
  });
  afterEach(async () => {
    asking.restore();
    await scripted.close();
    git('reset', '-q', '--hard', begin);
    git('clean', '-fdq');
    const opened = await repository();
    opened.inputBox.value = '';
    await opened.status();
    await until(() => opened.state.HEAD?.commit === begin);
  });

  async function repository() {
    const extension = vscode.extensions.getExtension('vscode.git') ?? assert.fail('no Git extension');
    const api = (await extension.activate()).getAPI(1);
    return until(() => api.getRepository(vscode.Uri.file(folder)) ?? undefined);
  }

  const askedOf = ({ requests }: Scripted): string =>
    JSON.parse(requests.at(-1)?.body ?? '').messages.at(-1).content;

  // The first one, because the repository stays allowed in this window.
  it('asks before it reads a repository outside the workspace, once per window', async () => {
    const { inputBox, rootUri } = await repository();
    await writeFile(join(folder, 'a.txt'), 'changed\n');
    asking.answer = undefined;
    await vscode.commands.executeCommand('k3.commitMessage', { rootUri });
    assert.equal(inputBox.value, '');
    assert.deepEqual(
      asking.details.map((detail) => detail.includes('It is outside the workspace.')),
      [true],
    );
    asking.answer = 'Allow in This Window';
    for (const answer of ['Change it', 'Change it again']) {
      scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
      // The command ends when its notification is dismissed.
      void vscode.commands.executeCommand('k3.commitMessage', { rootUri });
      await until(() => inputBox.value === answer);
    }
    assert.equal(asking.details.length, 2);
  });

  it('is written to the commit input box from the staged diff, without changing the open conversation', async () => {
    const { inputBox, rootUri } = await repository();
    await writeFile(join(folder, 'a.txt'), 'one\ntwo\n');
    git('add', '.');
    await writeFile(join(folder, 'later.txt'), 'not staged\n');
    scripted.will(streamOf([{ answer: '```\nfeat: add two\n\nBecause.\n```' }, { finish: 'stop' }]));
    const open = scripted.conversations.current();
    const before = scripted.conversations.list().length;
    await vscode.commands.executeCommand('k3.commitMessage', { rootUri });
    assert.equal(inputBox.value, 'feat: add two\n\nBecause.');
    assert.equal(scripted.conversations.current().id, open.id);
    assert.equal(open.exchanges.length, 0);
    assert.equal(scripted.conversations.list().length, before, 'it is no conversation');
    const asked = askedOf(scripted);
    assert.match(asked, /feat: begin[\s\S]*a\.txt \(modified\)[\s\S]*\+two/);
    assert.ok(!asked.includes('later.txt'));
  });

  it('is written from all changes when nothing is staged, without secrets', async () => {
    const { inputBox, rootUri } = await repository();
    await writeFile(join(folder, 'a.txt'), 'changed\n');
    await writeFile(join(folder, 'new.txt'), 'all new\n');
    await writeFile(join(folder, '.env'), 'TOKEN=very-secret\n');
    scripted.will(streamOf([{ answer: 'Change it' }, { finish: 'stop' }]));
    void vscode.commands.executeCommand('k3.commitMessage', { rootUri });
    await until(() => inputBox.value === 'Change it');
    const asked = askedOf(scripted);
    assert.match(asked, /-one\n\+changed/);
    assert.match(asked, /\+all new/);
    assert.match(asked, /not shown: \.env/);
    assert.ok(!asked.includes('very-secret'));
  });

  it('is not written from an answer that was cut off', async () => {
    const { inputBox, rootUri } = await repository();
    await writeFile(join(folder, 'a.txt'), 'changed\n');
    inputBox.value = 'mine';
    scripted.will(streamOf([{ answer: 'Half a mess' }, { finish: 'length' }]));
    void vscode.commands.executeCommand('k3.commitMessage', { rootUri });
    const aside = await until(() =>
      scripted.conversations.list().find(({ title }) => title.startsWith('Commit message')),
    );
    const turnId = await until(() => scripted.conversations.get(aside.id)?.exchanges[0]?.attempts[0]?.id);
    await ended(scripted.conversations, turnId);
    // Its conversation can be opened, and shows the prompt with all diffs only under Details.
    const question = scripted.conversations.get(aside.id)?.exchanges[0]?.question;
    assert.equal(question?.asked, 'Write Commit Message');
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(inputBox.value, 'mine');
  });

  it('is written to the input box when Continue gives its rest, also if it was requested before a reload', async () => {
    const { inputBox, rootUri } = await repository();
    const { conversations } = scripted;
    await writeFile(join(folder, 'a.txt'), 'changed\n');
    const half = streamOf([{ answer: 'Half a' }, { finish: 'length' }]);
    const messages = () => conversations.list().filter(({ title }) => title.startsWith('Commit message'));
    async function goOn(id: string): Promise<void> {
      const turnId = await until(() => conversations.get(id)?.exchanges[0]?.attempts[0]?.id);
      await ended(conversations, turnId);
      scripted.will(streamOf([{ answer: ' message' }, { finish: 'stop' }]));
      await vscode.commands.executeCommand('_k3.performFix', turnId, 'truncated', 'continue');
      await until(() => inputBox.value === 'Half a message');
      inputBox.value = '';
    }
    scripted.will(half);
    void vscode.commands.executeCommand('k3.commitMessage', { rootUri });
    const { id } = await until(() => messages()[0]);
    await goOn(id);
    // The command knows nothing of this one, as of one that an earlier window has asked for.
    const { question } = conversations.get(id)?.exchanges[0] ?? assert.fail();
    const earlier = conversations.createAside('Commit message of an earlier window');
    scripted.will(half);
    assert.ok((await conversations.ask(earlier.id, question)).ok);
    await goOn(earlier.id);
  });

  it('can be requested again while the user is told about the one before', async () => {
    const { inputBox, rootUri } = await repository();
    await writeFile(join(folder, 'a.txt'), 'changed\n');
    const { showWarningMessage } = vscode.window;
    let told = 0;
    // Nobody closes a notification.
    const stayOpen = () => {
      told += 1;
      return new Promise(() => undefined);
    };
    const ask = (...dialog: Parameters<typeof showWarningMessage>) =>
      typeof dialog[1] === 'object' ? showWarningMessage(...dialog) : stayOpen();
    Object.assign(vscode.window, { showInformationMessage: stayOpen, showWarningMessage: ask });
    const request = (answer: string, finish: string) => {
      scripted.will(streamOf([{ answer }, { finish }]));
      void vscode.commands.executeCommand('k3.commitMessage', { rootUri });
    };
    request('Half a mess', 'length');
    await until(() => told === 1);
    for (const answer of ['First', 'Second', 'Third']) {
      request(answer, 'stop');
      await until(() => inputBox.value === answer);
    }
    assert.equal(scripted.requests.length, 4);
  });

  describe('with something that happens while it is written', () => {
    /** Writes a message, during which something happens, and returns the input box. */
    async function write(meanwhile: () => unknown): Promise<{ value: string }> {
      const { inputBox, rootUri } = await repository();
      await writeFile(join(folder, 'a.txt'), 'one\ntwo\n');
      let response: ServerResponse | undefined;
      scripted.will((opened) => {
        response = opened;
        startStream(opened);
      });
      void vscode.commands.executeCommand('k3.commitMessage', { rootUri });
      const running = await until(() => response);
      await meanwhile();
      writeDelta(running, { answer: 'Add two' });
      writeDelta(running, { finish: 'stop' });
      const usage = JSON.stringify({ id: 'r-1', model: 'svc-k3', choices: [], usage: USAGE });
      running.end(`data: ${usage}\n\ndata: [DONE]\n\n`);
      return inputBox;
    }

    it('is said to be about changes before another commit, and Undo takes it out of the box', async () => {
      const inputBox = await write(() => git('commit', '-qam', 'feat: add two by hand'));
      // The button of the notification.
      asking.answer = 'Undo';
      await until(() => asking.notes.length > 0);
      assert.match(asking.notes.join('\n'), /There is another commit since this message was requested/);
      await until(() => inputBox.value === '');
    });

    it('goes into the box of its repository as that is open now, if it was closed and opened again', async () => {
      await write(async () => {
        await closeRepository(folder);
        await created.open();
      });
      const { inputBox } = await repository();
      await until(() => inputBox.value === 'Add two');
    });

    it('stays in its conversation if its repository was closed, which is said', async () => {
      await write(() => closeRepository(folder));
      await until(() => asking.notes.length > 0);
      await created.open();
      assert.match(asking.notes.join('\n'), /The repository is no longer open/);
      const aside = scripted.conversations.list().find(({ title }) => title.startsWith('Commit message'));
      assert.ok(aside);
      scripted.conversations.delete(aside.id);
    });

    it('is put into the box without a word otherwise', async () => {
      const inputBox = await write(() => git('add', '.'));
      await until(() => inputBox.value === 'Add two');
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(inputBox.value, 'Add two');
      assert.deepEqual(asking.notes, []);
    });
  });
});

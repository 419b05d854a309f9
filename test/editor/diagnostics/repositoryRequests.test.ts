/** Show Request of Command for what is in a repository or in a terminal. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { closeEditors } from '../editors.ts';
import { leaveOutPreviews, takePreviews } from '../leftOut.ts';
import { type Asking, watchModals } from '../modals.ts';
import { reportUri, shownRequest } from '../reports.ts';
import { addLargeBranch, createRepository, type TestRepository } from '../repositories.ts';
import { type Scripted, startScripted, streamOf, until } from '../scripted.ts';
import { canStartTerminals } from '../terminal/starting.ts';

const { showQuickPick } = vscode.window;

describe('Show Request of Command', () => {
  let scripted: Scripted;
  let asking: Asking;
  leaveOutPreviews();
  beforeEach(async () => {
    scripted = await startScripted();
    asking = watchModals();
    asking.answer = 'Allow in This Window';
    scripted.will(streamOf([{ answer: 'Hello.' }, { finish: 'stop' }]));
    await scripted.ask('First question.');
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick });
    asking.restore();
    await scripted.close();
  });
  after(() => closeEditors());

  /** Selects these items in the lists that follow, and then the first ones. */
  function select(...labels: readonly string[]): void {
    const wanted = [...labels];
    Object.assign(vscode.window, {
      async showQuickPick(items: readonly vscode.QuickPickItem[]) {
        const label = wanted.shift();
        return label === undefined ? items[0] : items.find((item) => item.label === label);
      },
    });
  }

  /** The page and the body of the request that is shown. */
  async function shownFor(about: RegExp, ...labels: readonly string[]) {
    const before = scripted.conversations.list().length;
    select(...labels);
    await vscode.commands.executeCommand('k3.showCodeRequest');
    assert.deepEqual(takePreviews(), [reportUri('Next Request').toString()]);
    const shown = await shownRequest((json) => about.test(json)).catch((cause) =>
      assert.fail(['Not shown.', ...asking.titles, ...asking.notes, String(cause)].join('\n')),
    );
    assert.deepEqual([scripted.requests.length, scripted.conversations.list().length], [1, before]);
    return shown;
  }

  /** Runs the command, and returns the request that it sends. */
  async function sentBy(command: string, ...labels: readonly string[]): Promise<string> {
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    select(...labels);
    const running = vscode.commands.executeCommand(command);
    const body = await until(() => scripted.requests[1]?.body);
    await running;
    return body;
  }

  function assertSame(shown: string, sent: string): void {
    const at = [...shown].findIndex((one, index) => one !== sent[index]);
    assert.equal(shown.slice(at).slice(0, 300), sent.slice(at).slice(0, 300));
    assert.ok(shown === sent);
  }

  describe('about a repository', () => {
    let repository: TestRepository;
    const showFile = () => vscode.window.showTextDocument(repository.uriOf('a.js'));

    before(async () => {
      repository = createRepository('requests');
      const { git, write, commit } = repository;
      write('a.js', 'let one = 1;\n');
      commit('Begin');
      git('checkout', '-qb', 'topic');
      write('a.js', 'let one = 11;\n');
      commit('Change one');
      addLargeBranch(repository, 'topic');
      write('a.js', 'let one = 111;\n');
      await repository.open();
    });
    after(() => repository.close());
    beforeEach(showFile);

    for (const [title, command, labels, about] of [
      ['Review Changes', 'k3.reviewChanges', [], /let one = 111/],
      ['Review Branch', 'k3.reviewBranch', ['topic', 'main'], /of branch topic since main/],
      ['Review Commit', 'k3.reviewCommit', ['Change one'], /> Change one/],
      ['Write Commit Message', 'k3.commitMessage', [], /Write a commit message/],
    ] as const)
      it(`shows for ${title} byte for byte what is sent then, and sends nothing itself`, async () => {
        const { body } = await shownFor(about, title, ...labels);
        await showFile();
        assertSame(body, await sentBy(command, ...labels));
        assert.equal(body.includes('First question.'), title !== 'Write Commit Message');
      });

    it('shows the first of several requests, and says so, without asking about their cost', async () => {
      const dialogs = asking.titles.length;
      const { body, page } = await shownFor(/part 1 of 2/, 'Review Branch', 'large', 'topic');
      assert.match(page, /\nThis is the first of 2 requests\./);
      assert.ok(asking.titles.slice(dialogs).every((title) => !/requests\?$/.test(title)));
      await showFile();
      asking.answer = 'Review';
      assertSame(body, await sentBy('k3.reviewBranch', 'large', 'topic'));
    });
  });

  describe('about a terminal', () => {
    let terminal: vscode.Terminal;
    before(function () {
      if (!canStartTerminals()) this.skip();
    });
    beforeEach(async () => {
      terminal = vscode.window.createTerminal({ name: 'test', shellPath: '/bin/bash', env: { PS1: '$ ' } });
      terminal.show();
      await until(() => vscode.window.activeTerminal === terminal);
    });
    afterEach(() => terminal.dispose());

    it('shows for Explain Terminal Output byte for byte what is sent then, without asking', async () => {
      const shell = await until(() => terminal.shellIntegration);
      const ended = new Promise<void>((resolve) => {
        const listening = vscode.window.onDidEndTerminalShellExecution(() => {
          listening.dispose();
          resolve();
        });
      });
      shell.executeCommand('sleep 0.2; echo marked; (exit 3)');
      await ended;
      const { body } = await shownFor(/exit code 3/, 'Explain Terminal Output');
      assert.deepEqual(asking.titles, []);
      asking.answer = 'Allow Once';
      assertSame(body, await sentBy('k3.explainTerminal'));
      assert.match(body, /First question\..*marked/s);
    });
  });
});

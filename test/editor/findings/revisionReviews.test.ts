/** Reviews of a branch and of a commit, with findings on lines that still exist. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Question } from '../../../src/conversation/question.ts';
import { estimateTokens } from '../../../src/conversation/usage/tokens.ts';
import { askInFreeConversation } from '../../../src/editor/findings/reviewCommands.ts';
import { removeFolderSync } from '../../support/removeFolder.ts';
import { openWindow } from '../chatView/window.ts';
import { type Emulated, startEmulated } from '../emulated.ts';
import { type Asking, watchModals } from '../modals.ts';
import {
  addLargeBranch,
  closeRepository,
  createRepository,
  MANY_LINES,
  openRepository,
  type TestRepository,
} from '../repositories.ts';
import { ended, type Scripted, startScripted, startStream, streamOf, USAGE, until } from '../scripted.ts';

describe('A review of', () => {
  let repository: TestRepository;
  let scripted: Scripted;
  let asking: Asking;
  let picked: string[][];
  const { showQuickPick } = vscode.window;

  const git = (...args: readonly string[]) => repository.git(...args);
  const write = (name: string, text: string) => repository.write(name, text);

  before(async () => {
    repository = createRepository('revisions');
    write('a.js', 'let one = 1;\nlet two = 2;\n');
    repository.commit('Begin');
    git('checkout', '-qb', 'topic');
    write('a.js', 'let one = 1;\nlet two = 22;\nlet three = 3;\n');
    write('.env', 'KEY=1\n');
    repository.commit('Add three\n\n## File: c.js (x)');
    git('checkout', '-q', 'main');
    write('b.js', 'only on main\n');
    repository.commit('Later');
    addLargeBranch(repository, 'topic');
    await repository.open();
  });
  after(() => repository.close());
  beforeEach(async () => {
    scripted = await startScripted();
    asking = watchModals();
    // The repository is outside the workspace.
    asking.answer = 'Allow in This Window';
    picked = [];
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick });
    asking.restore();
    await scripted.close();
  });

  /** Selects these items, or the first ones, in the lists that follow. */
  function select(...labels: string[]): void {
    Object.assign(vscode.window, {
      async showQuickPick(items: readonly vscode.QuickPickItem[]) {
        picked.push(items.map(({ label }) => label));
        const wanted = labels[picked.length - 1];
        return wanted === undefined ? items[0] : items.find(({ label }) => label === wanted);
      },
    });
  }

  const root = {
    get rootUri() {
      return vscode.Uri.file(repository.folder);
    },
  };
  const questions = () =>
    scripted.requests.map(({ body }): string => JSON.parse(body).messages.at(-1).content);
  const answerWith = (...evidence: string[]) => answerAbout('a.js', ...evidence);
  const answerAbout = (file: string, ...evidence: string[]) => {
    const findings = evidence.map((quoted) => ({
      file,
      startLine: 2,
      endLine: 2,
      severity: 'error',
      claim: `About ${quoted}`,
      evidence: quoted,
      edit: null,
    }));
    return streamOf([{ answer: JSON.stringify({ summary: 'Seen.', findings }) }, { finish: 'stop' }]);
  };
  async function lastTurn(exchanges = 1): Promise<string> {
    const turn = await until(() =>
      scripted.conversations.current().exchanges[exchanges - 1]?.attempts.at(-1),
    );
    await ended(scripted.conversations, turn.id);
    return turn.id;
  }

  it('a branch has what changed since it began, and places findings on lines that still exist', async () => {
    select();
    scripted.will(answerWith('let three = 3;', 'let two = 22;'));
    // Not committed: this line is not in the file any more.
    write('a.js', 'let one = 1;\nlet two = 3;\nlet three = 3;\n');
    await vscode.commands.executeCommand('k3.reviewBranch', root);
    const turn = await lastTurn();
    assert.deepEqual(
      picked.map(([label]) => label),
      ['topic', 'main'],
    );
    const [text = ''] = questions();
    assert.match(
      text,
      new RegExp(
        `^Review the changes of branch topic since main in .* at revision ${git('rev-parse', 'topic')} `,
      ),
    );
    assert.match(text, /\n\+let three = 3;\n/);
    assert.match(text, /\n2 \| let two = 22;\n/);
    assert.doesNotMatch(text, /only on main|KEY=1/);
    assert.match(text, /not shown here: \.env$/);
    assert.equal(
      scripted.conversations.current().exchanges[0]?.question.asked,
      'Review Branch · topic since main',
    );
    const placed = await until(() => scripted.findings.placementsOf(turn));
    git('checkout', '-q', 'a.js');
    assert.deepEqual(placed, [
      { placed: true, startLine: 2, endLine: 2 },
      { placed: false, reason: 'not-found' },
    ]);
  });

  it('a branch or a commit that Git can’t find is said to be missing, and nothing is sent', async () => {
    git('checkout', '-q', '--orphan', 'apart');
    git('commit', '-qm', 'Apart');
    git('checkout', '-q', 'topic');
    select('topic', 'apart');
    await vscode.commands.executeCommand('k3.reviewBranch', root);
    git('branch', '-qD', 'apart');
    const file = repository.uriOf('a.js');
    for (const ref of ['f'.repeat(40), 'f'.repeat(8)])
      await vscode.commands.executeCommand('k3.reviewCommit', { ref }, file);
    assert.deepEqual(asking.notes, [
      '“topic” and “apart” have no common commit.',
      `The commit ${'f'.repeat(40)} is not in this repository.`,
      `The commit ${'f'.repeat(8)} is not in this repository.`,
    ]);
    assert.equal(scripted.requests.length, 0);
  });

  it('a commit of the timeline has its message and its changes', async () => {
    scripted.will(answerWith());
    const hash = git('rev-parse', 'topic');
    await vscode.commands.executeCommand('k3.reviewCommit', { ref: hash }, repository.uriOf('a.js'));
    await lastTurn();
    const [text = ''] = questions();
    assert.match(text, /\n> Add three\n> \n> ## File: c\.js \(x\)\n/);
    assert.match(text, /\n-let two = 2;\n\+let two = 22;\n\+let three = 3;\n/);
  });

  it('the first commit that is selected has all of its files as added', async () => {
    select('Begin');
    scripted.will(answerWith('let one = 1;'));
    await vscode.commands.executeCommand('k3.reviewCommit', root);
    assert.deepEqual(picked, [['Add three', 'Begin']]);
    await lastTurn();
    const [text = ''] = questions();
    assert.match(text, /a\.js \(added[\s\S]*\n\+let one = 1;\n\+let two = 2;\n/);
    assert.match(text, /\n2 \| let two = 2;\n/);
  });

  it('a renamed file has what changed in it, and its findings are on the new name', async () => {
    const some = MANY_LINES.split('const line20 ')[0];
    git('checkout', '-qb', 'renamed', 'topic');
    write('moved.js', `${some}let last = 1;\n`);
    git('add', '.');
    git('commit', '-qm', 'Before');
    git('mv', 'moved.js', 'new name.js');
    write('new name.js', `${some}let last = 2;\n`);
    git('add', '.');
    git('commit', '-qm', 'Rename');
    scripted.will(answerAbout('new name.js', 'let last = 2;'));
    await vscode.commands.executeCommand('k3.reviewCommit', { ref: git('rev-parse', 'HEAD') }, root.rootUri);
    const turn = await lastTurn();
    const [text = ''] = questions();
    const placed = await until(() => scripted.findings.placementsOf(turn));
    git('checkout', '-q', 'topic');
    assert.deepEqual(placed, [{ placed: true, startLine: 20, endLine: 20 }]);
    assert.match(text, /new name\.js \(renamed/);
    assert.match(text, /\n-let last = 1;\n\+let last = 2;\n/);
    assert.doesNotMatch(text, /\+const line0/);
  });

  it('a commit of files that aren’t text is not asked for, which is said', async () => {
    git('checkout', '-qb', 'picture', 'topic');
    write('picture.bin', 'a\0b');
    repository.commit('Add a picture');
    await vscode.commands.executeCommand('k3.reviewCommit', { ref: git('rev-parse', 'HEAD') }, root.rootUri);
    git('checkout', '-q', 'topic');
    git('branch', '-qD', 'picture');
    assert.deepEqual(asking.notes, [
      'Only files that aren’t text have changed, so there is nothing to review.',
    ]);
    assert.equal(scripted.requests.length, 0);
  });

  it('a commit has its findings in its own repository, also beside another one with the same files', async () => {
    const other = realpathSync(mkdtempSync(join(tmpdir(), 'k3-other-')));
    execFileSync('git', ['clone', '-q', '-b', 'topic', repository.folder, other]);
    await openRepository(other);
    for (const place of [repository.folder, other]) {
      scripted.conversations.create();
      scripted.will(answerWith('let three = 3;'));
      const uri = vscode.Uri.file(place);
      await vscode.commands.executeCommand('k3.reviewCommit', { ref: git('rev-parse', 'topic') }, uri);
      const turn = await lastTurn();
      await until(() => scripted.findings.placementsOf(turn));
      const found = scripted.findings.list().filter(({ turnId }) => turnId === turn);
      assert.deepEqual(
        found.map((one) => one.uri.fsPath),
        [join(place, 'a.js')],
      );
    }
    await closeRepository(other);
    removeFolderSync(other);
  });

  describe('one of two repositories of the same name', () => {
    let folders: readonly string[] = [];
    const parents: string[] = [];
    before(async () => {
      for (const _ of ['one', 'two']) parents.push(realpathSync(mkdtempSync(join(tmpdir(), 'k3-parent-'))));
      folders = parents.map((parent) => join(parent, 'app'));
      for (const folder of folders) {
        execFileSync('git', ['clone', '-q', '-b', 'topic', repository.folder, folder]);
        await openRepository(folder);
      }
    });
    after(async () => {
      for (const folder of folders) await closeRepository(folder);
      parents.forEach(removeFolderSync);
    });

    /** The files that got findings of the last answer. */
    async function reviewedFiles(): Promise<readonly string[]> {
      const turn = await lastTurn();
      await until(() => scripted.findings.placementsOf(turn));
      return scripted.findings
        .list()
        .filter(({ turnId }) => turnId === turn)
        .map((one) => one.uri.fsPath);
    }

    it('has the findings of a commit', async () => {
      for (const folder of folders) {
        scripted.conversations.create();
        scripted.will(answerWith('let three = 3;'));
        const ref = git('rev-parse', 'topic');
        await vscode.commands.executeCommand('k3.reviewCommit', { ref }, vscode.Uri.file(folder));
        assert.deepEqual(await reviewedFiles(), [join(folder, 'a.js')]);
      }
    });

    it('has the findings of its changes, or none if it was closed meanwhile', async () => {
      const [first = '', second = ''] = folders;
      for (const folder of folders) {
        const file = join(folder, 'a.js');
        writeFileSync(file, 'let four = 4;\n');
        // A review before this one has opened the file, and the editor reads it again a moment after it has changed.
        const open = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file);
        await until(() => open === undefined || open.isClosed || open.getText() === 'let four = 4;\n');
      }
      const review = async () => {
        scripted.conversations.create();
        await vscode.commands.executeCommand('k3.reviewChanges', { rootUri: vscode.Uri.file(second) });
        return reviewedFiles();
      };
      scripted.will(answerWith('let four = 4;'));
      assert.deepEqual(await review(), [join(second, 'a.js')]);
      scripted.will(async (response, body) => {
        await vscode.commands.executeCommand('git.close', vscode.Uri.file(second));
        await answerWith('let four = 4;')(response, body);
      });
      assert.deepEqual(await review(), [], `not in ${first}`);
    });
  });

  it('a commit has no findings in a file of the same name in another folder, when its own is gone', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const other = vscode.Uri.joinPath(folder.uri, 'a.js');
    await vscode.workspace.fs.writeFile(other, Buffer.from('let one = 1;\nlet two = 22;\nlet three = 3;\n'));
    unlinkSync(repository.uriOf('a.js').fsPath);
    scripted.will(answerWith('let three = 3;'));
    await vscode.commands.executeCommand(
      'k3.reviewCommit',
      { ref: git('rev-parse', 'topic') },
      repository.uriOf('a.js'),
    );
    const turn = await lastTurn();
    const placed = await until(() => scripted.findings.placementsOf(turn));
    git('checkout', '-q', 'a.js');
    await vscode.workspace.fs.delete(other);
    assert.deepEqual(
      placed.map((one) => one.placed),
      [false],
    );
  });

  it('many files is several requests, whose cost is shown first', async () => {
    select('large', 'topic');
    scripted.will(answerWith());
    await vscode.commands.executeCommand('k3.reviewBranch', root);
    assert.equal(scripted.requests.length, 0, 'it was canceled');
    assert.equal(asking.titles.at(-1), 'Review 2 files in 2 requests?');
    assert.match(
      asking.details.at(-1) ?? '',
      /^About [\d,]+ tokens are sent, which costs about \$\d\.\d+, plus the output\./,
    );
    assert.equal(asking.focused.at(-1), 'Don’t Send');
    asking.answer = 'Review';
    picked = [];
    scripted.will(answerWith());
    await vscode.commands.executeCommand('k3.reviewBranch', root);
    await lastTurn(1);
    await lastTurn(2);
    const [first = '', second = ''] = questions();
    assert.match(first, /\nThis is part 1 of 2, [\s\S]*## File: c\.js/);
    assert.match(second, /\nThis is part 2 of 2, [\s\S]*## File: d\.js/);
    // The part comes early: the rest is cut where there is little room.
    assert.equal(
      scripted.conversations.current().exchanges[1]?.question.asked,
      'Review Branch, part 2 of 2 · large since topic',
    );
  });

  describe('with the emulator,', () => {
    let emulated: Emulated;
    beforeEach(async () => {
      emulated = await startEmulated(scripted);
    });
    afterEach(() => emulated.close());

    async function answered(exchanges: number): Promise<string> {
      const turn = await lastTurn(exchanges);
      assert.equal(scripted.conversations.find(turn)?.turn.outcome, 'complete');
      return turn;
    }
    const hasFindings = (turn: string) =>
      until(() => scripted.findings.list().some(({ turnId }) => turnId === turn));

    it('a commit, and a branch since it began, have findings', async () => {
      select('Add three');
      await vscode.commands.executeCommand('k3.reviewCommit', root);
      await hasFindings(await answered(1));
      assert.match(emulated.lastSent(), /> Add three\n[\s\S]*\n-let two = 2;\n\+let two = 22;\n/);
      picked = [];
      select('topic', 'main');
      await vscode.commands.executeCommand('k3.reviewBranch', root);
      await hasFindings(await answered(2));
      assert.match(emulated.lastSent(), /^Review the changes of branch topic since main /);
      assert.match(emulated.lastSent(), /\n-let two = 2;\n\+let two = 22;\n/);
      assert.deepEqual(emulated.violations(), []);
    });

    it('many files is several requests, after it has said what they cost', async () => {
      select('large', 'topic');
      asking.answer = 'Review';
      asking.meanwhile = async () => assert.equal(emulated.bodies().length, 0, 'nothing is sent before');
      await vscode.commands.executeCommand('k3.reviewBranch', root);
      assert.equal(asking.titles.at(-1), 'Review 2 files in 2 requests?');
      assert.match(
        asking.details.at(-1) ?? '',
        /^About [\d,]+ tokens are sent, which costs about \$\d+\.\d+, plus the output\./,
      );
      for (const exchanges of [1, 2]) await answered(exchanges);
      const parts = emulated.bodies().map((body): string => JSON.parse(body).messages.at(-1).content);
      assert.equal(parts.length, 2);
      for (const [at, name] of ['c.js', 'd.js'].entries()) {
        assert.match(parts[at] ?? '', new RegExp(`This is part ${at + 1} of 2`));
        assert.ok(parts[at]?.includes(`## File: ${name}`));
      }
      assert.deepEqual(emulated.violations(), []);
    });
  });

  it('one large request says its cost first, and sends nothing when it is canceled', async () => {
    git('checkout', '-qb', 'one-large', 'topic');
    write('c.js', MANY_LINES);
    repository.commit('Much in one file');
    const ref = git('rev-parse', 'HEAD');
    const review = () => vscode.commands.executeCommand('k3.reviewCommit', { ref }, root.rootUri);
    const { exchanges } = scripted.conversations.current();
    await review();
    assert.equal(asking.titles.at(-1), 'Review 1 file in 1 request?');
    assert.match(
      asking.details.at(-1) ?? '',
      /^About [\d,]+ tokens are sent, which costs about \$\d\.\d+, plus the output\.$/,
    );
    assert.equal(asking.focused.at(-1), 'Don’t Send');
    assert.deepEqual([scripted.requests.length, scripted.conversations.current().exchanges], [0, exchanges]);
    write('large.js', MANY_LINES.repeat(2));
    await vscode.commands.executeCommand('k3.reviewFile', repository.uriOf('large.js'));
    unlinkSync(repository.uriOf('large.js').fsPath);
    assert.equal(scripted.requests.length, 0);
    assert.equal(asking.titles.filter((title) => title === 'Review 1 file in 1 request?').length, 2);
    git('checkout', '-q', 'topic');
    git('branch', '-qD', 'one-large');
    asking.answer = 'Review';
    scripted.will(answerWith());
    await review();
    await lastTurn();
    assert.match(questions()[0] ?? '', /## File: c\.js/);
  });

  it('many files names what is left out where it shows the cost, and not again', async () => {
    select('large', 'main');
    asking.answer = 'Review';
    scripted.will(answerWith(), answerWith());
    await vscode.commands.executeCommand('k3.reviewBranch', root);
    await lastTurn(2);
    assert.equal(asking.titles.at(-1), 'Review 3 files in 2 requests?');
    assert.match(
      asking.details.at(-1) ?? '',
      /\n\nThese files are not included in the review [^\n]*: \.env$/,
    );
    assert.deepEqual(asking.notes, []);
  });

  it('many files is shown with the requests that wait, while the first one is answered', async () => {
    const window = openWindow(scripted, join(repository.folder, '.git'), 'project one');
    const page = window.open(window.conversations.current().id);
    scripted.will(startStream);
    const part = (number: number): Question => ({
      text: `Review part ${number}.\n\n## File: a.js (javascript)\n\n\`\`\`\nlet one = 1;\n\`\`\``,
      images: [],
      origin: undefined,
      purpose: 'findings',
    });
    const questions = [1, 2, 3].map(part);
    const telling = { say: assert.fail, tell: () => undefined };
    await askInFreeConversation(window, { questions, leftOut: [] }, telling);
    const { running, queue } = page.shown().surroundings;
    window.close();
    assert.deepEqual([running, queue.map(({ text }) => text)], [true, ['Review part 2.', 'Review part 3.']]);
  });

  /** The tokens and the rest of what the last dialog says before a review in two requests. */
  async function quotedFor(): Promise<{ readonly tokens: number; readonly detail: string }> {
    picked = [];
    select('large', 'topic');
    await vscode.commands.executeCommand('k3.reviewBranch', root);
    const detail = asking.details.at(-1) ?? '';
    return { tokens: Number(/^About ([\d,]+) /.exec(detail)?.[1]?.replaceAll(',', '')), detail };
  }

  it('many files says what all of it costs: with the conversation in front and the tools', async () => {
    // What the answers of other tests have reported counts, too.
    const ratio = () => scripted.turns.tokenRatio({ origin: scripted.baseUrl, model: 'svc-k3' });
    const before = ratio();
    const alone = await quotedFor();
    const usage = { ...USAGE, prompt_tokens: 300_000, completion_tokens: 1000, total_tokens: 301_000 };
    scripted.will(streamOf([{ answer: 'Hello.' }, { finish: 'stop' }], usage));
    await scripted.ask('A long question.');
    const since = ratio();
    const { tokens } = await quotedFor();
    asking.answer = 'Review';
    scripted.will(answerWith(), answerWith());
    await quotedFor();
    await lastTurn(2);
    await lastTurn(3);
    const sizes = scripted.requests.map(({ body }) => JSON.parse(body));
    const [, first, second] = sizes.map(({ messages, tools }) => ({
      tools: estimateTokens(JSON.stringify(tools)),
      asked: estimateTokens(messages.at(-1).content),
    }));
    assert.ok(first && second && first.tools > 1000);
    const near = (quoted: number, expected: number) =>
      assert.ok(Math.abs(quoted - expected) < 500, `${quoted}, not ${expected}`);
    // The second request has the text of the first one, too.
    const texts = 2 * first.asked + second.asked;
    // Its answer goes along without the reasoning, which the service hasn’t given.
    const conversation = 301_000 - USAGE.completion_tokens_details.reasoning_tokens;
    near(tokens, 2 * conversation + texts * since);
    near(alone.tokens, (2 * first.tools + texts) * before);
  });

  it('many files says so for the conversation in which they are asked, even if the chat in front ends its answer meanwhile', async () => {
    const { conversations } = scripted;
    // Allows the files, as far as no test has done so.
    await quotedFor();
    const before = conversations.current().id;
    scripted.will((response) => startStream(response));
    const long = { text: 'Long.', images: [], origin: undefined };
    assert.ok((await conversations.ask(before, long)).ok);
    asking.answer = 'Review';
    asking.meanwhile = async () => {
      conversations.stop(before);
      await until(() => !conversations.isRunning(before));
    };
    scripted.will(answerWith(), answerWith());
    await quotedFor();
    await lastTurn(2);
    assert.notEqual(conversations.current().id, before);
  });

  it('many files costs nothing in the demo, which is said', async () => {
    await vscode.commands.executeCommand('k3.tryDemo');
    const { tokens, detail } = await quotedFor();
    // Switching to a route ends the demo.
    const settings = vscode.workspace.getConfiguration('k3');
    await settings.update('route', undefined, vscode.ConfigurationTarget.Global);
    await settings.update('route', 'scripted', vscode.ConfigurationTarget.Global);
    assert.ok(tokens > 100_000);
    assert.match(detail, /^About [\d,]+ tokens are sent, for which the demo bills nothing\./);
    assert.doesNotMatch(detail, /\$/);
  });
});

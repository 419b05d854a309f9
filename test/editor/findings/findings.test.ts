import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Question } from '../../../src/conversation/question.ts';
import { createCardActions } from '../../../src/editor/chatView/cardActions.ts';
import { toExchangeView } from '../../../src/editor/chatView/turnView.ts';
import { createFindings } from '../../../src/editor/findings/findingList.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import { eventually } from '../../support/eventually.ts';
import { NOT_WAITING } from '../../support/notWaiting.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { NO_PENDING } from '../../support/review/noPending.ts';
import { findCodeAction, runCommand } from '../actions.ts';
import { closeEditors, saveFiles } from '../editors.ts';
import { renameOnDisk } from '../renameOnDisk.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const CODE =
  'function sum(list) {\n  let total = 0;\n  for (let i = 0; i <= list.length; i++) total += list[i];\n  return total;\n}\n';

const FINDING = {
  file: 'sum.js',
  startLine: 3,
  endLine: 3,
  severity: 'error',
  claim: 'One too far.',
  evidence: 'i <= list.length',
  edit: { find: 'i <= list.length', replace: 'i < list.length' },
};

const answerOf = (...findings: object[]) =>
  streamOf([{ answer: JSON.stringify({ summary: 'Seen.', findings }) }, { finish: 'stop' }]);

describe('A review by the model', () => {
  let scripted: Scripted;
  let folder: string;
  let document: vscode.TextDocument;
  beforeEach(async () => {
    scripted = await startScripted();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    // Files outside the workspace may be read if they are in an editor, which costs more than all else.
    folder = await mkdtemp(join(root.uri.fsPath, 'review-'));
    await writeFile(join(folder, 'sum.js'), CODE);
    document = await vscode.workspace.openTextDocument(join(folder, 'sum.js'));
  });
  afterEach(async () => {
    await scripted.close();
    // Auto save would save the file later, to a deleted folder.
    await saveFiles();
    await closeEditors();
    await removeFolder(folder);
  });

  const file = () => vscode.workspace.asRelativePath(document.uri);
  const finding = (more: object = {}) => ({ ...FINDING, file: file(), ...more });
  const problems = () =>
    vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'K3 review');
  const lines = () => problems().map(({ range }) => range.start.line);
  const last = () => scripted.conversations.current().exchanges.at(-1);

  /** Reviews the file and waits until its findings are placed. */
  const review = (...findings: object[]) =>
    reviewWith(() => vscode.commands.executeCommand('k3.reviewFile', document.uri), findings);

  /** Reviews lines, from the first up to the second one. */
  async function reviewLines(from: number, to: number, ...findings: object[]): Promise<string> {
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(from, 0, to, 0);
    return reviewWith(() => vscode.commands.executeCommand('k3.reviewSelection'), findings);
  }

  async function reviewWith(run: () => Thenable<unknown>, findings: readonly object[]): Promise<string> {
    const before = last()?.attempts.at(-1)?.id;
    scripted.will(answerOf(...findings));
    await run();
    const turnId = await until(() => {
      const newest = last()?.attempts.at(-1)?.id;
      return newest === before ? undefined : newest;
    });
    await ended(scripted.conversations, turnId);
    await until(() => scripted.findings.placementsOf(turnId));
    return turnId;
  }

  async function fix(title: string): Promise<void> {
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    await runCommand(await findCodeAction(document.uri, all, title));
  }

  async function edit(change: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
    const edits = new vscode.WorkspaceEdit();
    change(edits);
    await vscode.workspace.applyEdit(edits);
  }

  it('sends numbered lines and the location of the code', async () => {
    await vscode.window.showTextDocument(document);
    await reviewWith(() => vscode.commands.executeCommand('k3.reviewFile'), []);
    const question = last()?.question;
    assert.equal(question?.purpose, 'findings');
    assert.match(question?.text ?? '', /^## File: .*sum\.js \(javascript, lines 1 to 5 of 5\)$/m);
    assert.match(question?.text ?? '', /\n3 \| {3}for \(let i/);
    assert.deepEqual(question?.origin, { uri: document.uri.toString(), startLine: 0, endLine: 4 });
  });

  it('sends only the selected lines', async () => {
    await reviewLines(1, 3);
    const question = last()?.question;
    assert.match(question?.text ?? '', /lines 2 to 3 of 5\)/);
    assert.deepEqual(question?.origin, { uri: document.uri.toString(), startLine: 1, endLine: 2 });
  });

  it('shows each finding in Problems, with source and severity', async () => {
    await review(
      finding(),
      finding({ severity: 'warning', startLine: 1, endLine: 1, evidence: 'return total' }),
    );
    const [first, second] = problems();
    assert.equal(first?.message, 'One too far.');
    assert.equal(first.severity, vscode.DiagnosticSeverity.Error);
    assert.deepEqual([first.range.start.line, first.range.start.character], [2, 2]);
    assert.equal(first.code, undefined);
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      first.range,
    );
    assert.ok(fixes.some(({ title }) => title === 'Dismiss Finding'));
    // The finding names line 1, but its quotation is elsewhere.
    assert.equal(second?.range.start.line, 3);
    assert.equal(second.severity, vscode.DiagnosticSeverity.Warning);
  });

  it('has the quick fixes of each finding, also of two with the same words on one line', async () => {
    await review(finding(), finding({ edit: { find: 'i = 0', replace: 'i = 1' } }));
    const ids = scripted.findings.list().map(({ id }) => id);
    // The editor keeps the commands for a tenth of a second only.
    await eventually(async () => {
      const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        problems()[0]?.range,
      );
      for (const title of ['Create Proposal', 'Dismiss Finding'])
        assert.deepEqual(
          fixes.filter((one) => one.title === title).map(({ command }) => command?.arguments),
          ids.map((id) => [id]),
          title,
        );
    });
  });

  it('doesn’t guess a place, and shows why a finding isn’t placed', async () => {
    const turnId = await review(
      finding({ evidence: 'nowhere' }),
      finding({ evidence: 'total', startLine: 1, endLine: 1 }),
      finding({ evidence: '' }),
      finding({ file: '/etc/passwd' }),
    );
    assert.deepEqual(
      problems().map(({ message }) => message),
      [],
    );
    assert.deepEqual(
      scripted.findings.placementsOf(turnId)?.map((one) => (one.placed ? 'placed' : one.reason)),
      ['not-found', 'ambiguous', 'no-quotation', 'no-file'],
    );
  });

  it('places no findings from an answer that was cut off', async () => {
    const whole = JSON.stringify({ summary: '', findings: [finding()] });
    scripted.will(streamOf([{ answer: whole }, { finish: 'length' }]));
    await vscode.commands.executeCommand('k3.reviewFile', document.uri);
    const turnId = await until(() => last()?.attempts.at(-1)?.id);
    assert.equal((await ended(scripted.conversations, turnId)).outcome, 'truncated');
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(scripted.findings.placementsOf(turnId), undefined);
    assert.deepEqual(problems(), []);
  });

  it('dismisses a finding permanently', async () => {
    await review(finding());
    await fix('Dismiss Finding');
    assert.deepEqual(problems(), []);
    assert.deepEqual(scripted.findings.list(), []);
  });

  it('moves findings with the text, and removes them from Problems while the quoted code is changed', async () => {
    await review(finding());
    await edit((edits) => edits.insert(document.uri, new vscode.Position(0, 0), '// one\n// two\n'));
    assert.deepEqual(lines(), [4]);
    const less = new vscode.Range(4, 20, 4, 22);
    assert.equal(document.getText(less), '<=');
    await edit((edits) => edits.replace(document.uri, less, '<'));
    await until(() => lines().length === 0);
    assert.equal(scripted.findings.list()[0]?.stale, true);
    await edit((edits) => edits.insert(document.uri, new vscode.Position(4, 21), '='));
    await until(() => lines()[0] === 4);
    assert.equal(scripted.findings.list()[0]?.stale, false);
  });

  it('leaves a finding at its lines when they are changed, also if other lines are equal, and knows them when they are back', async () => {
    const loop = CODE.split('\n')[2] ?? '';
    await edit((edits) => edits.insert(document.uri, new vscode.Position(5, 0), `${loop}\n`));
    await review(finding());
    assert.deepEqual(lines(), [2]);
    const all = new vscode.Range(2, 0, 3, 0);
    await edit((edits) => edits.delete(document.uri, all));
    await until(() => scripted.findings.list()[0]?.stale);
    assert.deepEqual([lines(), scripted.findings.list()[0]?.startLine], [[], 2]);
    await edit((edits) => edits.insert(document.uri, all.start, `${loop}\n`));
    await until(() => lines().length === 1);
    assert.deepEqual(lines(), [2]);
    const less = new vscode.Range(2, 20, 2, 22);
    await edit((edits) => edits.replace(document.uri, less, '<'));
    await until(() => scripted.findings.list()[0]?.stale);
    assert.deepEqual([lines(), scripted.findings.list()[0]?.startLine], [[], 2]);
  });

  it('moves findings with their lines, and no others, when another program changes lines above and below them', async () => {
    await review(finding());
    const changed = `// one\n${CODE.replace('function sum', 'function total').replace('return total', 'return -total')}`;
    await vscode.workspace.fs.writeFile(document.uri, Buffer.from(changed));
    await until(() => document.getText() === changed);
    await until(() => lines()[0] === 3);
    const { startLine, endLine, stale } = scripted.findings.list()[0] ?? assert.fail();
    assert.deepEqual([startLine, endLine, stale], [3, 3, false]);
  });

  it('hides the findings of a file that is deleted, and shows them when it is back', async () => {
    await review(finding());
    await until(() => problems().length === 1);
    const deletion = new vscode.WorkspaceEdit();
    deletion.deleteFile(document.uri);
    await vscode.workspace.applyEdit(deletion);
    await until(() => problems().length === 0);
    assert.deepEqual(scripted.findings.list(), []);
    const creation = new vscode.WorkspaceEdit();
    creation.createFile(document.uri, { contents: Buffer.from(CODE) });
    await vscode.workspace.applyEdit(creation);
    await until(() => problems().length === 1);
  });

  it('replaces the findings of a file that is reviewed again', async () => {
    await review(finding(), finding({ evidence: 'return total', startLine: 4, endLine: 4 }));
    await review(finding({ claim: 'Still one too far.' }));
    assert.deepEqual(
      problems().map(({ message }) => message),
      ['Still one too far.'],
    );
  });

  it('replaces the findings where the lines are now that are reviewed again, and no others', async () => {
    const first = await reviewLines(1, 3, finding());
    await edit((edits) =>
      edits.insert(document.uri, new vscode.Position(0, 0), 'let a = 1;\nlet b = 2;\nlet c = 3;\n'),
    );
    const unused = { startLine: 2, endLine: 2, evidence: 'let b = 2', claim: 'Not used.' };
    await reviewLines(1, 3, finding(unused));
    const actions = createCardActions({
      waiting: NOT_WAITING,
      log: { warn: assert.fail },
      conversations: scripted.conversations,
      routes: scripted.routes,
      proposals: scripted.proposals,
      renames: scripted.renames,
      composers: { compose: () => undefined },
      images: { shrink: async (images) => images },
      structured: { perform: async () => undefined },
    });
    scripted.will(answerOf(finding({ startLine: 6, endLine: 6, claim: 'Still one too far.' })));
    await actions.again(first);
    actions.dispose();
    const exchange = await until(() => {
      const found = scripted.conversations.find(first)?.exchange;
      return scripted.findings.placementsOf(found?.attempts[1]?.id ?? '') && found;
    });
    assert.deepEqual(
      scripted.findings.list().map(({ finding, startLine }) => [finding.claim, startLine]),
      [
        ['Not used.', 1],
        ['Still one too far.', 5],
      ],
    );
    const { origin } = toExchangeView(exchange, {
      ...{ earlier: undefined, prices: DEFAULT_PRICES, last: true, versions: [] },
      images: 'none',
      ...{
        judged: () => undefined,
        runsElsewhere: () => false,
        isContinued: () => false,
        goesOn: () => false,
        proposals: () => [],
      },
      ...{
        placements: () => undefined,
        turnOf: () => undefined,
        waitingFor: () => undefined,
        titleOf: () => '',
      },
      whole: ({ answer }) => ({ text: answer, parts: 1, earlier: [], fits: true }),
    }).question;
    assert.equal(origin, `${file()}:5-6`);
  });

  it('moves findings when their file is renamed', async () => {
    await vscode.window.showTextDocument(document);
    await review(finding());
    const to = vscode.Uri.file(join(folder, 'total.js'));
    await edit((edits) => edits.renameFile(document.uri, to));
    await until(() => vscode.languages.getDiagnostics(to).some(({ source }) => source === 'K3 review'));
    assert.deepEqual(problems(), []);
  });

  it('removes findings with their conversation, and restores them with it', async () => {
    await review(finding());
    const { id } = scripted.conversations.current();
    scripted.conversations.delete(id);
    assert.deepEqual(problems(), []);
    scripted.conversations.restore(id);
    assert.equal(problems().length, 1);
  });

  it('saves findings with their current lines, and which are dismissed', async () => {
    let kept: unknown;
    const state = {
      get: <T>() => JSON.parse(JSON.stringify(kept ?? null)) as T,
      update: async (_: string, value: unknown) => {
        kept = value;
      },
    };
    const deps = {
      log: console,
      conversations: scripted.conversations,
      state,
      storage: { purged: new Set<string>() },
      moved: { follow: () => undefined },
      pending: NO_PENDING,
      renames: {
        since: () => ({
          uriNow: async (uri: string) => uri,
          withFilesNow: async (question: Question) => question,
        }),
      },
    };
    const first = createFindings(deps);
    await review(finding(), finding({ evidence: 'return total', startLine: 4, endLine: 4 }));
    const [one, two] = await until(() => first.list().length === 2 && first.list());
    assert.ok(one && two);
    first.dismiss(one.id);
    await edit((edits) => edits.insert(document.uri, new vscode.Position(0, 0), '// one\n'));
    first.dispose();
    const again = createFindings(deps);
    assert.deepEqual(
      again.list().map(({ id, startLine }) => [id, startLine]),
      [[two.id, 4]],
    );
    again.dispose();
  });

  it('moves findings to the new name of a file that another program renames', async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    // A text that no test before has: of two files with the same text that are gone, nobody knows which one was renamed.
    const path = join(root.uri.fsPath, 'sum.js');
    await writeFile(path, `${CODE}// seen\n`);
    document = await vscode.workspace.openTextDocument(path);
    await review(finding());
    await until(() => scripted.findings.list().length === 1);
    const renamed = document.uri.with({ path: `${document.uri.path}.renamed` });
    await renameOnDisk(document.uri, renamed);
    await until(() => scripted.findings.list()[0]?.uri.toString() === renamed.toString());
    await renameOnDisk(renamed, document.uri);
    await until(() => scripted.findings.list()[0]?.uri.toString() === document.uri.toString());
    await vscode.workspace.fs.delete(document.uri);
  });

  for (const by of ['the editor', 'another program'])
    it(`has its findings in the file when ${by} renames it while the answer runs`, async () => {
      const [root] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(root);
      // Neither the names nor the text of a file that was deleted just before: a deleted and created one is reported as changed.
      const [uri, renamed] = ['sum', 'total'].map((name) =>
        vscode.Uri.joinPath(root.uri, `${name} of ${by}.js`),
      );
      assert.ok(uri && renamed);
      await vscode.workspace.fs.writeFile(uri, Buffer.from(`${CODE}// ${by}\n`));
      document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      const answer = answerOf(finding());
      scripted.will(async (response, body) => {
        if (by === 'the editor') await edit((edits) => edits.renameFile(uri, renamed));
        else await renameOnDisk(uri, renamed);
        await answer(response, body);
      });
      await vscode.commands.executeCommand('k3.reviewFile');
      const turnId = await until(() => last()?.attempts.at(-1)?.id);
      const placements = await until(() => scripted.findings.placementsOf(turnId));
      assert.deepEqual(placements, [{ placed: true, startLine: 2, endLine: 2 }]);
      assert.deepEqual(
        scripted.findings.list().map((one) => one.uri.toString()),
        [renamed.toString()],
      );
      await vscode.workspace.fs.delete(renamed);
    });

  it('creates a proposal from a suggested edit', async () => {
    await review(finding());
    const [one] = scripted.findings.list();
    assert.ok(one);
    await fix('Create Proposal');
    const [proposal] = await until(() => {
      const made = scripted.proposals.ofTurn(one.turnId);
      return made.length > 0 && made;
    });
    assert.equal(proposal?.conversationId, one.conversationId);
    const [file] = proposal?.files ?? [];
    assert.equal(file?.uri, document.uri.toString());
    assert.deepEqual(
      file?.hunks.map(({ state }) => state),
      ['open'],
    );
  });

  it('discusses a finding in its conversation', async () => {
    await review(finding());
    const [one] = scripted.findings.list();
    assert.ok(one);
    const { id } = scripted.conversations.current();
    scripted.conversations.create();
    scripted.will(streamOf([{ answer: 'Because.' }, { finish: 'stop' }]));
    const asking = vscode.commands.executeCommand('k3.discussFinding', one.id);
    let isClosed = false;
    void asking.then(() => {
      isClosed = true;
    });
    // The input box has no API. Its text doesn't matter here, only the conversation of the question.
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isClosed;
    });
    assert.notEqual(scripted.conversations.current().id, id, 'without a reply, no question is asked');
  });
});

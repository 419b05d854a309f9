/** Files with secrets in a diff editor: whatever the side and the revision, their lines are asked about or stay here. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createContextPermission } from '../../../src/editor/context/contextPermission.ts';
import { readChangesContext } from '../../../src/editor/context/contextReports.ts';
import type { HeldReference } from '../../../src/editor/context/contextResult.ts';
import { createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { closeEditors } from '../editors.ts';
import { type Asking, watchModals } from '../modals.ts';
import { createRepository, type TestRepository } from '../repositories.ts';
import { type Scripted, startScripted, streamOf, until } from '../scripted.ts';
import { atRevision, focusSide, openDiff } from './diffs.ts';

/** No scanner knows it: only the name of the file says that it is one. */
const PASSWORD = 'correct horse';
const ENVIRONMENT = `A=1\nPASSWORD=${PASSWORD}\n${'# more\n'.repeat(30)}LAST=1\n`;
/** Made up, and put together here so that no scanner takes this file for one with keys. */
const KEY = [
  ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' '),
  ...Array.from({ length: 8 }, (_, at) => `MIIEowIBAAKCAQEA7bq3${`${at}xYz`.repeat(11)}`),
  ['-----END RSA', 'PRIVATE KEY-----\n'].join(' '),
].join('\n');
const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('');

describe('Of a file with secrets in a diff editor', () => {
  let repository: TestRepository;
  let scripted: Scripted;
  let asking: Asking;
  const at = (name: string, ref: string) => atRevision(repository.uriOf(name), ref);
  const hashOf = (ref: string) => repository.git('rev-parse', ref);

  before(async () => {
    repository = createRepository('secrets');
    const { write, commit, git } = repository;
    write('.env', ENVIRONMENT);
    write('old.env', ENVIRONMENT);
    write('late.txt', `${LINES}${KEY}`);
    write('key.txt', `${KEY}${LINES}`);
    write('plain.txt', LINES);
    commit('Begin');
    write('.env', ENVIRONMENT.replace('A=1', 'A=2'));
    git('mv', 'old.env', 'new.txt');
    write('new.txt', ENVIRONMENT.replace('A=1', 'A=2'));
    write('late.txt', `${LINES.replace('line 30', 'changed')}${KEY}`);
    write('key.txt', LINES);
    commit('Change');
    write('.env', ENVIRONMENT.replace('A=1', 'A=3'));
    await repository.open();
  });
  after(() => repository.close());
  beforeEach(async () => {
    scripted = await startScripted();
    asking = watchModals();
  });
  afterEach(async () => {
    asking.restore();
    await closeEditors();
    await scripted.close();
  });

  type Side = 'original' | 'modified';
  const DIFFS: Readonly<Record<string, () => readonly [vscode.Uri, vscode.Uri]>> = {
    'two commits': () => [at('.env', hashOf('HEAD~')), at('.env', hashOf('HEAD'))],
    'a commit and the file': () => [at('.env', hashOf('HEAD')), repository.uriOf('.env')],
    'HEAD and the index': () => [at('.env', 'HEAD~'), at('.env', '')],
    'the index and the file': () => [at('.env', '~'), repository.uriOf('.env')],
    'an old name and a plain one': () => [at('old.env', hashOf('HEAD~')), at('new.txt', hashOf('HEAD'))],
    'a plain file and it': () => [repository.uriOf('plain.txt'), at('.env', hashOf('HEAD'))],
    'it and a plain file': () => [at('.env', hashOf('HEAD')), repository.uriOf('plain.txt')],
  };

  /** Selects the beginning of a line. */
  async function select(diff: readonly [vscode.Uri, vscode.Uri], side: Side, line: number) {
    const [original, modified] = diff;
    const editor = await openDiff(original, modified, side === 'original' ? original : modified);
    editor.selection = new vscode.Selection(line, 0, line, 3);
  }

  const sent = () => scripted.requests.map(({ body }) => body).join('');

  /** Opens a diff once, and does something on each of its sides. */
  async function onEachSide(
    diff: readonly [vscode.Uri, vscode.Uri],
    act: (editor: vscode.TextEditor, side: Side) => Promise<void>,
  ): Promise<void> {
    const [original, modified] = diff;
    await act(await openDiff(original, modified, original), 'original');
    await act(await focusSide(modified), 'modified');
  }

  for (const [name, toDiff] of Object.entries(DIFFS))
    it(`Review Selection sends nothing: ${name}, on both sides, with a selection and with the cursor`, async () => {
      await onEachSide(toDiff(), async (editor, side) => {
        for (const end of [3, 0]) {
          editor.selection = new vscode.Selection(0, 0, 0, end);
          await vscode.commands.executeCommand('k3.reviewSelection');
          const where = `${side}, up to column ${end}`;
          assert.deepEqual([asking.titles, sent()], [[], ''], where);
          const note = asking.notes.splice(0).at(-1) ?? '';
          assert.match(note, /^These files are not included.*(?:\.env|\.txt)$/, where);
        }
      });
    });

  it('asks before a command sends lines that the user didn’t select, on both sides', async () => {
    await onEachSide([at('.env', hashOf('HEAD~')), at('.env', hashOf('HEAD'))], async (editor, side) => {
      for (const command of ['k3.reviewSelection', 'k3.explain']) {
        // Nothing has changed at the end of the file.
        editor.selection = new vscode.Selection(25, 0, 25, 0);
        await vscode.commands.executeCommand(command);
        const asked = [asking.titles.splice(0), sent()];
        assert.deepEqual(asked, [['Allow svc-k3 to read .env?'], ''], `${command}, ${side}`);
        const [details = ''] = asking.details.splice(0);
        assert.match(details, /\nFiles with this name often contain keys or passwords\.\n/);
      }
    });
  });

  it('asks about a file at a revision as about the file itself', async () => {
    for (const uri of [repository.uriOf('.env'), at('.env', hashOf('HEAD'))]) {
      const editor = await vscode.window.showTextDocument(uri);
      editor.selection = new vscode.Selection(25, 0, 25, 0);
      await vscode.commands.executeCommand('k3.explain');
    }
    assert.equal(asking.details.length, 2);
    assert.equal(asking.details[0], asking.details[1]);
    assert.equal(sent(), '');
  });

  for (const kind of ['selection', 'file'] as const)
    it(`asks before a ${kind} of a revision is added to a message`, async () => {
      const uri = at('.env', hashOf('HEAD'));
      const read = { ok: true as const, item: { kind: 'selection' as const, label: '.env', parts: [] } };
      const reference = { kind, uri: uri.toString(), ...(kind === 'selection' && { read }) };
      assert.deepEqual(
        await createContextPermission(createAllowedReads()).askForAll([reference as HeldReference]),
        [],
      );
      assert.equal(asking.titles.length, 1);
    });

  it('sends the selected lines alone without asking, because the user sees them', async () => {
    scripted.will(streamOf([{ answer: '{"summary":"Seen.","findings":[]}' }, { finish: 'stop' }]));
    await select([at('.env', hashOf('HEAD~')), at('.env', hashOf('HEAD'))], 'modified', 25);
    await vscode.commands.executeCommand('k3.reviewSelection');
    await until(() => sent() !== '');
    assert.deepEqual(asking.titles, []);
    assert.ok(!sent().includes(PASSWORD));
  });

  it('asks about a private key near the change, of which a part would be sent with line numbers', async () => {
    await select([at('late.txt', hashOf('HEAD~')), at('late.txt', hashOf('HEAD'))], 'modified', 30);
    await vscode.commands.executeCommand('k3.reviewSelection');
    assert.deepEqual([asking.titles, sent()], [['Allow svc-k3 to read late.txt?'], '']);
  });

  it('asks about a private key that the change has removed', async () => {
    await select([at('key.txt', hashOf('HEAD~')), at('key.txt', hashOf('HEAD'))], 'original', 2);
    await vscode.commands.executeCommand('k3.reviewSelection');
    assert.deepEqual([asking.titles, sent()], [['Allow svc-k3 to read key.txt?'], '']);
  });
});

describe('Of a file with secrets that was renamed', () => {
  let repository: TestRepository;
  let scripted: Scripted;
  let asking: Asking;

  before(async () => {
    repository = createRepository('renamed');
    repository.write('old.env', ENVIRONMENT);
    repository.write('plain.txt', LINES);
    repository.commit('Begin');
    repository.git('mv', 'old.env', 'new.txt');
    repository.write('plain.txt', `${LINES}more\n`);
    repository.git('add', '.');
    await repository.open();
  });
  after(() => repository.close());
  beforeEach(async () => {
    scripted = await startScripted();
    asking = watchModals();
    // The repository is outside the workspace.
    asking.answer = 'Allow in This Window';
  });
  afterEach(async () => {
    asking.restore();
    await scripted.close();
  });

  for (const command of ['k3.reviewChanges', 'k3.commitMessage'])
    it(`${command} sends no lines`, async () => {
      scripted.will(streamOf([{ answer: 'Seen.' }, { finish: 'stop' }]));
      const rootUri = vscode.Uri.file(repository.folder);
      void vscode.commands.executeCommand(command, { rootUri });
      const { body } = await until(() => scripted.requests[0]);
      assert.match(body, /\+more/);
      assert.match(body, /not shown(?: here)?: new\.txt/);
      assert.ok(!body.includes(PASSWORD));
    });

  it('the changes in a message have no lines', async () => {
    const read = await readChangesContext(async () => true);
    const texts = JSON.stringify(read);
    assert.match(texts, /\+more/);
    assert.ok(!texts.includes(PASSWORD));
  });
});

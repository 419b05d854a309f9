/** Review Selection in a diff editor: the changes that the selection touches, on either side. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { closeEditors } from '../editors.ts';
import { type Asking, watchModals } from '../modals.ts';
import { createRepository, type TestRepository } from '../repositories.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';
import { atRevision, openDiff } from './diffs.ts';

/** Made up, and put together here so that no scanner takes this file for one with keys. */
const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const LINES = Array.from({ length: 40 }, (_, index) => `const line${index} = ${index};\n`);
const withChanges = (changes: Readonly<Record<number, string>>) =>
  LINES.map((line, at) => changes[at] ?? line).join('');

describe('Review Selection in a diff editor', () => {
  let repository: TestRepository;
  let scripted: Scripted;
  let asking: Asking;
  const file = () => repository.uriOf('a.js');
  const at = (ref: string) => atRevision(file(), ref);

  before(async () => {
    repository = createRepository('diffs');
    for (const text of [LINES.join(''), withChanges({ 5: 'let five = 5;\n' })]) {
      repository.write('a.js', text);
      repository.commit('Change');
    }
    repository.write('a.js', withChanges({ 5: 'let five = 55;\n', 30: '' }));
    await repository.open();
  });
  after(() => repository.close());
  beforeEach(async () => {
    scripted = await startScripted();
    asking = watchModals();
    asking.answer = 'Allow in This Window';
  });
  afterEach(async () => {
    asking.restore();
    await closeEditors();
    await scripted.close();
  });

  async function review(original: vscode.Uri, modified: vscode.Uri, side: vscode.Uri, line: number) {
    const editor = await openDiff(original, modified, side);
    editor.selection = new vscode.Selection(line, 0, line, 3);
    await vscode.commands.executeCommand('k3.reviewSelection');
  }

  const answer = (evidence: string) => {
    const about = {
      file: vscode.workspace.asRelativePath(file()),
      startLine: 6,
      endLine: 6,
      severity: 'error',
      claim: 'No.',
      evidence,
      edit: null,
    };
    return streamOf([
      { answer: JSON.stringify({ summary: 'Seen.', findings: [about] }) },
      { finish: 'stop' },
    ]);
  };

  /** The question as the model gets it, and where its finding is. */
  async function asked() {
    const turn = await until(() => scripted.conversations.current().exchanges[0]?.attempts.at(-1));
    await ended(scripted.conversations, turn.id);
    const text: string = JSON.parse(scripted.requests[0]?.body ?? '').messages.at(-1).content;
    return { text, placed: await until(() => scripted.findings.placementsOf(turn.id)) };
  }

  it('sends the change that was selected, not the others, and places findings in the file', async () => {
    scripted.will(answer('let five = 55;'));
    await review(at('HEAD'), file(), file(), 5);
    const { text, placed } = await asked();
    assert.match(text, /^Review the changes in .*\n-let five = 5;\n\+let five = 55;\n/s);
    assert.doesNotMatch(text, /-const line30/);
    assert.deepEqual(placed, [{ placed: true, startLine: 5, endLine: 5 }]);
  });

  it('has what was deleted when that is selected in the original', async () => {
    scripted.will(answer('const line31 = 31;'));
    await review(at('HEAD'), file(), at('HEAD'), 30);
    const { text } = await asked();
    assert.match(text, /\n-const line30 = 30;\n/);
    assert.doesNotMatch(text, /\+let five/);
  });

  it('names the commit of its lines, and lists what is no longer in the file', async () => {
    const hash = repository.git('rev-parse', 'HEAD');
    scripted.will(answer('let five = 5;'));
    await review(at(`${hash}~`), at(hash), at(hash), 5);
    const { text, placed } = await asked();
    assert.match(text, new RegExp(`^Review the changes of commit in .* at revision ${hash} `));
    assert.match(text, /\n-const line5 = 5;\n\+let five = 5;\n/);
    assert.deepEqual(placed, [{ placed: false, reason: 'not-found' }]);
  });

  it('asks before it sends keys and passwords around the change', async () => {
    asking.answer = undefined;
    const text = withChanges({ 5: 'let five = 55;\n', 7: `const token = '${TOKEN}';\n` });
    const other = repository.uriOf('b.js');
    writeFileSync(other.fsPath, text);
    await review(at('HEAD'), other, other, 5);
    assert.equal(asking.titles.length, 1);
    assert.equal(scripted.requests.length, 0);
    rmSync(other.fsPath);
  });

  it('asks nothing when its change isn’t sent, and says so', async () => {
    const other = repository.uriOf('.env');
    writeFileSync(other.fsPath, 'PORT=1\n');
    await review(at('HEAD'), other, other, 0);
    await until(() => asking.notes.some((note) => /^These files are not included.*\.env$/.test(note)));
    assert.equal(scripted.conversations.current().exchanges.length, 0);
    rmSync(other.fsPath);
  });

  it('sends no old lines of a file whose name says that it has secrets, whatever it is compared with', async () => {
    const other = repository.uriOf('.env');
    writeFileSync(other.fsPath, 'PORT=1\n');
    await review(other, file(), file(), 0);
    await until(() => asking.notes.some((note) => /^These files are not included.*a\.js$/.test(note)));
    assert.equal(scripted.conversations.current().exchanges.length, 0);
    rmSync(other.fsPath);
  });

  it('reviews the code as in any editor where nothing has changed', async () => {
    scripted.will(answer('const line20 = 20;'));
    await review(at('HEAD'), file(), file(), 20);
    const { text } = await asked();
    assert.match(text, /^Review .*a\.js as a careful.*lines 21 to 21 of 39/s);
  });
});

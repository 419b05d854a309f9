/** Instructions of the project, from the files to the bytes of the requests. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toItemText } from '../../../src/conversation/context/context.ts';
import { readInstructions } from '../../../src/editor/composer/instructionFiles.ts';
import { toInstructionsView } from '../../../src/editor/context/contextWords.ts';
import { type AllowedReads, createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { leaveOutPreviews } from '../leftOut.ts';
import { reportText } from '../reports.ts';
import { type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const OUTSIDE = 'Text outside the workspace.';

let scripted: Scripted;
let root: string;
let made: string;
let outside: string;

const settings = () => vscode.workspace.getConfiguration('k3');
const set = (value: unknown) =>
  settings().update('instructions', value, vscode.ConfigurationTarget.Workspace);
const write = (path: string, text: string) => writeFile(join(root, path), text);
const answer = () => streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]);

/** The bytes of a request up to the end of its last message. */
function headOf(body: string): string {
  const { messages } = JSON.parse(body) as { messages: readonly unknown[] };
  const written = JSON.stringify(messages);
  const at = body.indexOf(written);
  assert.ok(at > 0);
  return body.slice(0, at + written.length - 1);
}

async function ask(text: string, path?: string): Promise<string> {
  scripted.will(answer());
  const uri = path === undefined ? undefined : vscode.Uri.file(join(root, path)).toString();
  await scripted.ask(text, uri === undefined ? undefined : { uri, startLine: 0, endLine: 0 });
  const body = scripted.requests.at(-1)?.body;
  assert.ok(body);
  return body;
}

const lastOf = (body: string): unknown =>
  (JSON.parse(body) as { messages: readonly { content: unknown }[] }).messages.at(-1)?.content;

describe('Instructions of the project', () => {
  leaveOutPreviews();
  before(async () => {
    scripted = await startScripted();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = await realpath(folder.uri.fsPath);
    made = await mkdtemp(join(root, 'instructed-'));
    outside = await mkdtemp(join(tmpdir(), 'k3-outside-'));
    await writeFile(join(outside, 'rules.md'), OUTSIDE);
    await mkdir(join(made, 'linked'));
    await symlink(join(outside, 'rules.md'), join(made, 'linked/AGENTS.md'));
    await symlink(join(outside, 'rules.md'), join(made, 'rules.md'));
    const at = basename(made);
    await write(`${at}/AGENTS.md`, 'Be brief here.');
    await write(`${at}/a.ts`, 'export const a = 1;\n');
    await write(`${at}/linked/b.ts`, 'export const b = 1;\n');
    await write('AGENTS.md', 'Be kind.');
  });
  beforeEach(() => {
    scripted.conversations.create();
  });
  after(async () => {
    await set(undefined);
    for (const path of [join(root, 'AGENTS.md'), made, outside]) await removeFolder(path);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await scripted.close();
  });

  it('go with the first question; new and changed ones follow, and what was sent keeps its bytes', async () => {
    const at = basename(made);
    const first = await ask('One?');
    assert.equal(lastOf(first), 'Project instructions in AGENTS.md:\n```md\nBe kind.\n```\n\nOne?');
    const second = await ask('Two?', `${at}/a.ts`);
    assert.ok(second.startsWith(headOf(first)));
    assert.equal(
      lastOf(second),
      `Project instructions in ${at}/AGENTS.md (for ${at}/):\n\`\`\`md\nBe brief here.\n\`\`\`\n\nTwo?`,
    );
    await write('AGENTS.md', 'Be strict.');
    const third = await ask('Three?', `${at}/a.ts`);
    assert.ok(third.startsWith(headOf(second)));
    assert.match(
      String(lastOf(third)),
      /^Project instructions in AGENTS\.md \(changed; .*\):\n```md\nBe strict\./,
    );
    const fourth = await ask('Four?');
    assert.ok(fourth.startsWith(headOf(third)));
    assert.equal(lastOf(fourth), 'Four?');
    // Another attempt sends what the first one sent, whatever the files say now.
    await write('AGENTS.md', 'Be kind.');
    scripted.will(answer());
    const { conversations } = scripted;
    const turn = conversations.current().exchanges.at(-1)?.attempts[0];
    assert.ok(turn);
    assert.ok((await conversations.askAgain(turn.id)).ok);
    await until(() => scripted.requests.length === 5);
    assert.equal(scripted.requests.at(-1)?.body, fourth);
  });

  it('go with a question about a cell as with one about its notebook', async () => {
    const at = basename(made);
    const cells = [
      { cell_type: 'code', source: ['print(1)'], metadata: {}, outputs: [], execution_count: null },
    ];
    const text = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
    await write(`${at}/cells.ipynb`, text);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(join(made, 'cells.ipynb')));
    const [cell] = notebook.getCells();
    assert.ok(cell);
    for (const { uri } of [notebook, cell.document]) {
      const { items } = await readInstructions([uri.toString()], createAllowedReads());
      assert.deepEqual(
        items.map(({ label }) => label),
        ['AGENTS.md', `${at}/AGENTS.md`],
        uri.scheme,
      );
    }
  });

  it('go with commands on code, and into the next request as it is shown', async () => {
    const document = await vscode.workspace.openTextDocument(join(made, 'a.ts'));
    await vscode.window.showTextDocument(document);
    scripted.will(answer());
    const before = scripted.requests.length;
    await vscode.commands.executeCommand('k3.explain');
    const body = await until(() => scripted.requests[before]?.body);
    assert.match(
      String(lastOf(body)),
      /^Project instructions in AGENTS\.md:[\s\S]*Be brief here\.[\s\S]*export const a/,
    );
    scripted.conversations.create();
    await vscode.commands.executeCommand('k3.showRequest');
    await reportText('Next Request', (text) => text.includes('Be kind.'));
  });

  it('that are deleted, emptied, or turned off are said to have ended, and nothing before changes', async () => {
    const ended = 'Project instructions in AGENTS.md no longer apply.';
    const { conversations } = scripted;
    const first = await ask('One?');
    assert.match(String(lastOf(first)), /Be kind\./);
    await rm(join(root, 'AGENTS.md'));
    await vscode.commands.executeCommand('k3.showRequest');
    await reportText('Next Request', (text) => text.includes(ended));
    const second = await ask('Two?');
    assert.equal(lastOf(second), `${ended}\n\nTwo?`);
    assert.ok(second.startsWith(headOf(first)));
    const third = await ask('Three?');
    assert.equal(lastOf(third), 'Three?');
    assert.ok(third.startsWith(headOf(second)));
    // Another attempt, and a fork of the conversation before it, say it as well.
    const [, told] = conversations.current().exchanges;
    const turn = told?.attempts[0];
    assert.ok(told && turn);
    scripted.will(answer());
    assert.ok((await conversations.askAgain(turn.id)).ok);
    await until(() => scripted.requests.at(-1)?.body === second || undefined);
    await until(() => conversations.current().exchanges[1]?.attempts[1]?.outcome);
    conversations.fork(conversations.current().id, conversations.current().exchanges[0]?.id ?? '');
    assert.equal(conversations.current().exchanges.length, 1);
    assert.equal(await ask('Two?'), second);
    await write('AGENTS.md', 'Be kind.');
    const back = await ask('Four?');
    assert.equal(lastOf(back), 'Project instructions in AGENTS.md:\n```md\nBe kind.\n```\n\nFour?');
    await write('AGENTS.md', '\n');
    assert.equal(lastOf(await ask('Five?')), `${ended}\n\nFive?`);
    await write('AGENTS.md', 'Be kind.');
    await ask('Six?');
    await set('off');
    assert.equal(lastOf(await ask('Seven?')), `${ended}\n\nSeven?`);
    assert.equal(lastOf(await ask('Eight?')), 'Eight?');
    await set(undefined);
  });

  it('that are very long are cut, and both the user and the model are told so', async () => {
    await write('AGENTS.md', 'Be kind, and say what you changed.\n'.repeat(100_000));
    const found = await readInstructions([], createAllowedReads());
    const [item] = found.items;
    assert.ok(item && (item.parts[0]?.text.length ?? 0) < 500_000);
    assert.match(
      toItemText(item),
      /^Project instructions in AGENTS\.md \(the beginning of 100,?00[01] lines\):/,
    );
    const view = toInstructionsView(found);
    assert.deepEqual(view?.omitted, ['AGENTS.md: without its end, because it is too long']);
    assert.equal(view?.omittedCount, 1);
    const tooMany = toInstructionsView({ items: [], omitted: [], omittedMore: 3 });
    assert.deepEqual([tooMany?.omitted, tooMany?.omittedCount], [['… and 3 more'], 3]);
    await write('AGENTS.md', 'Be kind.');
  });

  it('are read with one question to Git about all of them before, and one after', async () => {
    const at = basename(made);
    const reads = createAllowedReads();
    const asked: number[] = [];
    const counted: Pick<AllowedReads, 'whichAllowed'> = {
      whichAllowed(uris, extent) {
        asked.push(uris.length);
        return reads.whichAllowed(uris, extent);
      },
    };
    await set(['AGENTS.md', `${at}/AGENTS.md`, `${at}/a.ts`, `${at}/rules.md`]);
    const { items, omitted } = await readInstructions([], counted);
    assert.deepEqual([items.length, omitted.length], [3, 1]);
    assert.deepEqual(asked, [4, 3]);
    await set(undefined);
  });

  it('that lead out of the workspace are left out without asking, whatever the settings of a workspace say', async () => {
    const at = basename(made);
    const files = [vscode.Uri.file(join(made, 'linked/b.ts')).toString()];
    const reads = createAllowedReads();
    const on = await readInstructions(files, reads);
    assert.deepEqual(on.omitted, [{ label: `${at}/linked/AGENTS.md`, why: 'outside' }]);
    await set([`../${basename(outside)}/rules.md`, join(outside, 'rules.md'), `${at}/rules.md`, 'AGENTS.md']);
    const listed = await readInstructions(files, reads);
    assert.deepEqual(
      listed.items.map(({ label }) => label),
      ['AGENTS.md'],
    );
    assert.deepEqual(
      listed.omitted.map(({ why }) => why),
      ['outside', 'outside', 'outside'],
    );
    assert.ok(!JSON.stringify([on, listed]).includes(OUTSIDE));
    await set('off');
    assert.deepEqual(await readInstructions(files, reads), { items: [], omitted: [], ended: [] });
  });
});

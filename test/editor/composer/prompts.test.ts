/** Prompt files, from `/` in the message box to the bytes of the request. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createPrompts, type Prompts } from '../../../src/editor/composer/prompts.ts';
import { createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { setForUser } from '../scripted.ts';

const set = (value: string | number | undefined) => setForUser('k3', 'prompts', value);
/** A variable as it is written. */
const of = (variable: string) => `$\{${variable}}`;

describe('Prompt files', () => {
  let root: string;
  let own: string;
  let prompts: Prompts;
  let editor: vscode.TextEditor | undefined;
  const { showInputBox } = vscode.window;
  let inputs: (vscode.InputBoxOptions | undefined)[];
  let typed: string | undefined;
  /** What the user does while an input is open. */
  let onInput: (() => void) | undefined;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = await realpath(folder.uri.fsPath);
    own = await mkdtemp(join(tmpdir(), 'k3-prompts-'));
    const made = join(root, '.github/prompts');
    await mkdir(made, { recursive: true });
    await writeFile(join(own, 'mine.prompt.md'), 'Mine.');
    await writeFile(join(own, 'secret.prompt.md'), 'Outside.');
    await writeFile(join(made, 'mine.prompt.md'), 'Not mine.');
    await writeFile(join(made, 'explain.prompt.md'), 'In place of a command.');
    await writeFile(join(made, 'Mine.prompt.md'), 'Not mine, either.');
    await writeFile(join(made, 'costly.prompt.md'), '---\neffort: max\n---\nThink long.');
    await symlink(join(own, 'secret.prompt.md'), join(made, 'linked.prompt.md'));
    await writeFile(
      join(made, 'races.prompt.md'),
      `---\ndescription: Finds races\neffort: low\ntools: [read_file]\n---\nFind ${of('input:what:What?')} in ${of('selection')} of ${of('file')}.`,
    );
    await set(own);
    prompts = createPrompts({ lastEditor: { get: () => editor }, reads: createAllowedReads() });
    Object.assign(vscode.window, {
      async showInputBox(options?: vscode.InputBoxOptions) {
        inputs.push(options);
        onInput?.();
        return typed;
      },
    });
    inputs = [];
  });
  after(async () => {
    Object.assign(vscode.window, { showInputBox });
    await set(undefined);
    for (const path of [join(root, '.github'), own]) await removeFolder(path);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are offered after the commands; those of the user come first, and none leads out of the workspace', async () => {
    const labels = async (letters: string) => (await prompts.choices(letters)).map(({ label }) => label);
    const all = await labels('');
    assert.deepEqual(all.slice(-4), ['/mine', '/secret', '/costly', '/races']);
    assert.equal(all.filter((label) => label === '/explain').length, 1);
    assert.ok(!all.includes('/linked'));
    assert.deepEqual(await labels('rac'), ['/races']);
    assert.equal(prompts.text('/mine, or not'), '/mine, or not');
    assert.equal(prompts.text('/mine and yours'), 'Mine.\n\nand yours', 'as it will be counted');
    assert.equal(prompts.text('/explain'), '/explain');
    assert.deepEqual(await prompts.expand('/mine'), {
      kind: 'prompt',
      asked: { text: 'Mine.', asked: '/mine' },
      references: [],
    });
    const explain = (words: string) => ({ kind: 'command', command: 'k3.explain', words });
    assert.deepEqual(await prompts.expand('/explain'), explain(''));
    assert.deepEqual(await prompts.expand('/explain why is it slow?\n'), explain('why is it slow?'));
    assert.deepEqual(await prompts.expand('/explain\n/src/a.ts'), explain('/src/a.ts'));
    // As they are found in the list.
    assert.deepEqual(await prompts.expand('/Explain why'), explain('why'));
    for (const name of ['MINE', 'Mine']) {
      const mine = await prompts.expand(`/${name} and yours`);
      assert.equal(mine.kind === 'prompt' && mine.asked.text, 'Mine.\n\nand yours', name);
    }
    for (const plain of ['/nothing', 'mine', '/explain/this path', '/explain.ts is a file'])
      assert.deepEqual(await prompts.expand(plain), { kind: 'plain' }, plain);
  });

  it('that may not be read are not sent by their names, each time', async () => {
    const why = 'The prompt file of /linked is gone or can’t be read. Nothing was sent.';
    for (const message of ['/linked', '/Linked and more'])
      assert.deepEqual(await prompts.expand(message), {
        kind: 'missing',
        why: why.replace('/linked', message.split(' ', 1)[0] ?? ''),
      });
  });

  it('of the workspace can’t raise the effort that the user has set, and those of the user can', async () => {
    const effort = (value: string | undefined) =>
      vscode.workspace
        .getConfiguration('k3')
        .update('reasoningEffort', value, vscode.ConfigurationTarget.Global);
    const efforts = async (...names: readonly string[]) => {
      const all = await Promise.all(names.map((name) => prompts.expand(`/${name}`)));
      return all.map((one) => one.kind === 'prompt' && one.asked.effort);
    };
    const ownFile = join(own, 'long.prompt.md');
    await writeFile(ownFile, '---\neffort: max\n---\nThink long.');
    assert.deepEqual(await efforts('costly', 'long'), ['max', 'max']);
    await effort('low');
    assert.deepEqual(await efforts('costly', 'long'), [undefined, 'max']);
    await effort(undefined);
    await rm(ownFile);
  });

  it('that are wrong, too long, or gone since they were offered are not sent, and it is said why', async () => {
    const why = async (message: string) => {
      const expanded = await prompts.expand(message);
      return expanded.kind === 'missing' ? expanded.why : expanded.kind;
    };
    const make = (name: string, text: string) =>
      writeFile(join(root, '.github/prompts', `${name}.prompt.md`), text);
    await make('hard', '---\neffort: hard\n---\nThink.');
    await make('open', '---\ntools: []\nThink.');
    await make('endless', 'Think.\n'.repeat(100_000));
    await make('brief', 'Think.');
    assert.match(await why('/hard'), /^The prompt file of \/hard has “effort: hard”\. Use low, high, or max/);
    assert.match(
      await why('/open'),
      /^The front matter of the prompt file of \/open doesn’t end\. Add a line with ---/,
    );
    assert.match(await why('/endless'), /^The prompt file of \/endless is too long to be sent completely/);
    const shown = await prompts.preview('/hard');
    assert.equal(shown?.kind, 'missing', 'the next request is not shown as if it were sent');
    const others = createPrompts({ lastEditor: { get: () => editor }, reads: createAllowedReads() });
    assert.equal((await others.choices('brief')).length, 1);
    for (const name of ['hard', 'open', 'endless', 'brief'])
      await rm(join(root, '.github/prompts', `${name}.prompt.md`));
    const gone = await others.expand('/brief and clear');
    assert.match(gone.kind === 'missing' ? gone.why : gone.kind, /^The prompt file of \/brief is gone/);
    // Where it was not offered, these are words of the user.
    assert.equal(await why('/brief and clear'), 'plain');
  });

  it('of a folder that can’t be used are missed with a word: in the list, and when one is sent', async () => {
    const why = async (message: string) => {
      const expanded = await prompts.expand(message);
      return expanded.kind === 'missing' ? expanded.why : expanded.kind;
    };
    const wrong = async () => (await prompts.choices('min')).filter((one) => one.action === 'edit-settings');
    const relative =
      'k3.prompts: “my prompts” is a relative path. Use an absolute path, or one that begins with ~/.';
    try {
      await set('my prompts');
      assert.deepEqual(
        (await wrong()).map(({ label, description, icon }) => [label, description, icon]),
        [['Open Settings', relative, 'warning']],
      );
      assert.equal((await prompts.preview('/secret'))?.kind, 'missing');
      assert.equal(await why('/secret'), `${relative} Nothing was sent.`);
      assert.equal(await why('/secret'), 'plain', 'said once');
      assert.equal(await why('/mine'), 'prompt', 'of the workspace');
      assert.equal(await why('/explain'), 'command');
      assert.equal(await why('/explain/this path'), 'plain');
      await set(join(own, 'nowhere'));
      assert.match(await why('/secret'), /^k3\.prompts: The folder “.*nowhere” .* Nothing was sent\.$/);
      await set(join(own, 'mine.prompt.md'));
      assert.match(await why('/secret'), /^k3\.prompts: The folder /);
      await set(5);
      assert.match(await why('/secret'), /^k3\.prompts must be a string, not 5\. /);
      for (const unset of ['', ' ', undefined]) {
        await set(unset);
        assert.deepEqual([await why('/unheard'), await wrong()], ['plain', []]);
      }
      const home = await mkdtemp(join(homedir(), '.k3-prompts-'));
      await writeFile(join(home, 'at-home.prompt.md'), 'At home.');
      await set(`~/${basename(home)}`);
      assert.deepEqual([await why('/at-home'), await wrong()], ['prompt', []]);
      await rm(home, { recursive: true });
    } finally {
      await set(own);
    }
  });

  it('are found by their exact name before a command whose name differs in its case', async () => {
    const file = join(root, '.github/prompts', 'Tests.prompt.md');
    await writeFile(file, 'Which tests are missing?');
    assert.equal((await prompts.expand('/Tests')).kind, 'prompt');
    assert.equal((await prompts.expand('/tests')).kind, 'command');
    await rm(file);
    assert.equal((await prompts.expand('/Tests')).kind, 'command');
  });

  it('ask for their inputs, and are about the selection and the file, which are added to the message', async () => {
    typed = 'races';
    const whyNot = (why: string) => ({
      kind: 'missing',
      why: `The prompt file of /races has the variable ${of('selection')}. ${why} Nothing was sent.`,
    });
    assert.deepEqual(await prompts.expand('/races'), whyNot('No editor is open.'));
    assert.equal(inputs.length, 0, 'nothing is asked that would be lost');
    const [file] = await vscode.workspace.findFiles('src/clock.ts');
    assert.ok(file);
    editor = await vscode.window.showTextDocument(file);
    assert.deepEqual(await prompts.expand('/races'), whyNot('Nothing is selected in src/clock.ts.'));
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    inputs = [];
    const lines = {
      kind: 'selection',
      label: 'src/clock.ts:1-2',
      uri: file.toString(),
      parts: [
        {
          label: 'src/clock.ts',
          range: { startLine: 0, endLine: 1 },
          language: 'ts',
          text: editor.document.getText().split('\n', 2).join('\n'),
        },
      ],
    };
    // The user looks at something else before they type.
    const selecting = editor;
    onInput = () => {
      selecting.selection = new vscode.Selection(1, 0, 1, 3);
    };
    const expanded = await prompts.expand('/races and leaks');
    onInput = undefined;
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    assert.deepEqual(expanded, {
      kind: 'prompt',
      asked: {
        text: 'Find races in src/clock.ts:1-2 of src/clock.ts.\n\nand leaks',
        asked: '/races · and leaks',
        effort: 'low',
        tools: ['read_file'],
      },
      references: [
        { kind: 'selection', uri: file.toString(), read: { ok: true, item: lines } },
        { kind: 'file', uri: file.toString() },
      ],
    });
    // The next request is shown without asking.
    const shown = await prompts.preview('/races');
    assert.ok(shown?.kind === 'prompt');
    assert.equal(shown.asked.text, `Find ${of('input:what')} in src/clock.ts:1-2 of src/clock.ts.`);
    assert.deepEqual(
      shown.context.map(({ kind, label }) => [kind, label]),
      [
        ['selection', 'src/clock.ts:1-2'],
        ['file', 'src/clock.ts'],
      ],
    );
    assert.deepEqual(await prompts.preview('/explain Why?'), {
      kind: 'command',
      command: 'k3.explain',
      words: 'Why?',
    });
    assert.equal(await prompts.preview('/nothing'), undefined);
    assert.deepEqual(
      inputs.map((options) => [options?.title, options?.prompt]),
      [['/races', 'What?']],
    );
    const closed: unknown[] = [];
    const expand = (message: string) => prompts.expand(message, (confirmed) => void closed.push(confirmed));
    await expand('/races');
    const before = inputs.length;
    const refused = await prompts.expand('/races', undefined, { refusal: 'No.' });
    assert.deepEqual(
      [refused, inputs.length],
      [{ kind: 'missing', why: 'No.' }, before],
      'not asked in vain',
    );
    typed = undefined;
    assert.deepEqual(await expand('/races'), { kind: 'canceled' });
    assert.deepEqual(closed, [true, false], 'so that the message box gets the focus back');
    await expand('/mine');
    assert.equal(closed.length, 2, 'it has no input');
    // What was typed for a message that was not sent is there again.
    inputs = [];
    const kept = new Map<string, string>();
    for (typed of ['leaks', undefined, 'races']) await prompts.expand('/races', undefined, { typed: kept });
    await prompts.expand('/races');
    assert.deepEqual(
      inputs.map((options) => options?.value ?? ''),
      ['', 'leaks', 'leaks', ''],
    );
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Toolbox } from '../../../../src/conversation/toolCalls/tools.ts';
import { commands, FileSystemError, FileType, Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createToolbox } = await withEditorStub(() => import('../../../../src/editor/tools/toolbox.ts'));
const { createFileTools } = await withEditorStub(() => import('../../../../src/editor/tools/fileTools.ts'));
const { createCodeTools } = await withEditorStub(() => import('../../../../src/editor/tools/codeTools.ts'));

/** It has the format of one that is found. */
const KEY = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`;
const NOTE =
  '[Not complete: not searched, because the user did not allow files with text that looks like a key or password: deploy.py.]';

const fileOf = (path: string): Uri & { readonly fsPath: string } =>
  Object.assign(new Uri(path), {
    scheme: 'file',
    authority: '',
    fsPath: path,
    with: (other: { readonly path: string }) => fileOf(other.path),
  });

type Args = Readonly<Record<string, unknown>>;

describe('Searches after the user has refused a file with a key', () => {
  restoreAfterEach(workspace, window, commands, Uri);
  let root: string;
  let boxOf: (conversationId: string) => Toolbox;
  /** What the user selects in each dialog; the last answer stays. Undefined is Cancel. */
  let answers: (string | undefined)[];
  let dialogs: string[];
  let meanwhile: () => void;

  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  const uriOf = (name: string) => fileOf(join(root, name));

  function openFolder(): void {
    const folder = { uri: fileOf(root), name: 'w', index: 0 };
    Object.assign(Uri, {
      file: fileOf,
      joinPath: ({ path }: Uri, ...more: string[]) => fileOf(join(path, ...more)),
    });
    Object.assign(workspace, {
      isTrusted: true,
      workspaceFolders: [folder],
      getWorkspaceFolder: ({ path }: Uri) => (path.startsWith(root) ? folder : undefined),
      asRelativePath: ({ path }: Uri) => path.slice(root.length + 1),
      findFiles: async () => ['deploy.py', 'main.py', 'other.py'].map(uriOf),
      decode: async (bytes: Buffer) => bytes.toString(),
      fs: {
        stat: async ({ path }: Uri) => {
          const found = statSync(path, { throwIfNoEntry: false });
          if (found === undefined) throw new FileSystemError('FileNotFound');
          return { type: found.isFile() ? FileType.File : FileType.Directory, size: found.size };
        },
        readFile: ({ path }: Uri) => readFile(path),
        isWritableFileSystem: () => true,
      },
      openTextDocument: async (uri: Uri) => ({
        uri,
        lineCount: 1,
        lineAt: () => ({ text: 'import deploy' }),
      }),
    });
  }

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'k3-refused-')));
    write('deploy.py', `TOKEN = "${KEY}"\nprint(TOKEN)\n`);
    write('main.py', 'import deploy\nprint("ready")\n');
    write('other.py', '');
    openFolder();
    answers = [undefined];
    dialogs = [];
    meanwhile = () => undefined;
    Object.assign(window, {
      showWarningMessage: async (title: string) => {
        dialogs.push(title);
        meanwhile();
        return answers.length > 1 ? answers.shift() : answers[0];
      },
    });
    const tools = [...createFileTools(), ...createCodeTools()].map((tool) => ({
      ...tool.definition,
      kind: { builtIn: tool },
    }));
    boxOf = createToolbox({
      tools: { all: () => tools, chosen: () => tools, choiceHash: () => '' },
      installed: { run: () => assert.fail() },
      approvals: { ask: () => assert.fail() },
      probes: { lackOf: () => undefined },
      droppedImages: { leavesOut: () => false },
    });
  });

  afterEach(() => rmSync(root, { recursive: true }));

  async function run(name: string, args: Args, conversation = 'c', signal = new AbortController().signal) {
    const { text } = await boxOf(conversation).run({ id: name, name, arguments: args }, signal);
    return text;
  }
  const search = (text: string, conversation = 'c') => run('search_text', { text }, conversation);

  it('don’t tell which of the guesses of a key in parallel calls has a match', async () => {
    const guesses = [...'abvwxyz'].map((letter) => search(`ghp_${letter}`));
    assert.deepEqual(
      new Set(await Promise.all(guesses)),
      new Set([`[Nothing found.]\n${NOTE}`]),
      'the same result for all',
    );
    assert.equal(dialogs.length, 1);
  });

  it('leave the file out without asking again, with the same note whether or not it has a match', async () => {
    const first = await search('print');
    assert.equal(first, `main.py:2: print("ready")\n${NOTE}`);
    assert.equal(await search('print'), first);
    for (const text of ['ghp_wWP', 'ghp_www']) assert.equal(await search(text), `[Nothing found.]\n${NOTE}`);
    assert.equal(dialogs.length, 1);
  });

  it('don’t say that the file has more lines than are given', async () => {
    write('deploy.py', `TOKEN = "${KEY}"\n`.repeat(50));
    write('main.py', 'ghp_wWP\n'.repeat(20));
    assert.equal((await search('ghp_wWP')).split('\n').length, 21);
    assert.ok((await search('ghp_wWP')).endsWith(NOTE));
  });

  it('search the file again after the user has allowed it to be read, and ask about it again', async () => {
    await search('TOKEN');
    answers = ['Allow Once'];
    assert.match(await run('read_file', { path: 'deploy.py' }), new RegExp(KEY));
    assert.equal(await search('ghp_x'), '[Nothing found.]');
    assert.match(await search('TOKEN'), new RegExp(KEY));
    assert.equal(dialogs.length, 3);
  });

  it('leave out a file that read_file was refused', async () => {
    await run('read_file', { path: 'deploy.py' });
    assert.equal(await search('TOKEN'), `[Nothing found.]\n${NOTE}`);
    assert.equal(dialogs.length, 1);
  });

  it('give the lines that the user allows to one of two calls, and nothing to the other', async () => {
    answers = ['Refuse', 'Allow Once'];
    const [refused, allowed, none] = await Promise.all([
      search('TOKEN ='),
      search('print(T'),
      search('nowhere'),
    ]);
    const both = [refused, allowed].map((text) => text?.split('\n')[0]).sort();
    assert.equal(both[0], '[Nothing found.]');
    assert.match(both[1] ?? '', /^deploy\.py:[12]: /);
    assert.equal(none, `[Nothing found.]\n${NOTE}`);
  });

  it('ask again in another conversation', async () => {
    await search('TOKEN');
    assert.equal(await search('nowhere', 'another'), '[Nothing found.]');
    await search('TOKEN', 'another');
    assert.equal(dialogs.length, 2);
  });

  it('count a call that is stopped while it asks as refused', async () => {
    const stop = new AbortController();
    meanwhile = () => stop.abort();
    const stopped = run('search_text', { text: 'TOKEN' }, 'c', stop.signal);
    const other = search('nowhere');
    await assert.rejects(stopped, { name: 'AbortError' });
    assert.equal(await other, `[Nothing found.]\n${NOTE}`);
  });

  it('don’t wait for a call that was stopped before it asked', async () => {
    Object.assign(workspace, { openTextDocument: () => new Promise(() => undefined) });
    const stop = new AbortController();
    const args = { path: 'main.py', line: 1, symbol: 'deploy' };
    const stopped = assert.rejects(run('find_references', args, 'c', stop.signal), { name: 'AbortError' });
    const other = search('nowhere');
    stop.abort();
    assert.equal(await other, '[Nothing found.]');
    await stopped;
  });

  it('for references don’t tell how many the file has, or that it has none', async () => {
    const places = [
      ['main.py', 0],
      ['deploy.py', 0],
      ['deploy.py', 1],
    ] as const;
    const found = (count: number) => async () =>
      places.slice(0, count).map(([name, line]) => ({ uri: uriOf(name), range: { start: { line } } }));
    const args = { path: 'main.py', line: 1, symbol: 'deploy' };
    for (const count of [3, 2, 1]) {
      Object.assign(commands, { executeCommand: found(count) });
      assert.equal(
        await run('find_references', args),
        `main.py:1: import deploy\n${NOTE}`,
        `${count} references`,
      );
    }
    assert.equal(dialogs.length, 1);
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { PromptsDeps } from '../../../../src/editor/composer/prompts.ts';
import { FileSystemError, Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { askFor, createPrompts } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/composer/prompts.ts')),
  ...(await import('../../../../src/editor/composer/promptValues.ts')),
}));

describe('The input of a prompt file', () => {
  const { showInputBox } = window;
  afterEach(() => {
    Object.assign(window, { showInputBox });
  });

  it('shows no links of its hint, which the editor would run', async () => {
    const prompts: (string | undefined)[] = [];
    Object.assign(window, {
      showInputBox: async ({ prompt }: { prompt?: string }) => void prompts.push(prompt),
    });
    const hint = 'A name, or [any](command:workbench.action.quit)';
    await askFor({ key: 'input:name', kind: 'input', name: 'name', hint }, 'tidy');
    assert.deepEqual(prompts, ['A name, or [any] (command:workbench.action.quit)']);
  });

  it('is closed when what it was opened for is canceled', async () => {
    const closedBy: unknown[] = [];
    Object.assign(window, {
      showInputBox: async (_: object, token: unknown) => void closedBy.push(token),
    });
    const token = {
      isCancellationRequested: true,
      onCancellationRequested: () => ({ dispose: () => undefined }),
    };
    const variable = { key: 'input:name', kind: 'input' as const, name: 'name', hint: '' };
    assert.equal(await askFor(variable, 'tidy', '', token), undefined);
    assert.deepEqual(closedBy, [token]);
  });
});

describe('The folder of the prompt files, while it can’t be read', () => {
  restoreAfterEach(Uri);
  const { getConfiguration } = workspace;
  let folder: string;
  let isThere: boolean;
  let looks: number;
  let prompts: ReturnType<typeof createPrompts>;
  const kindOf = async (message: string) => (await prompts.expand(message)).kind;

  beforeEach(() => {
    [folder, isThere, looks] = ['/gone', false, 0];
    Object.assign(Uri, { file: (path: string) => new Uri(path), joinPath: (uri: Uri) => uri });
    const readDirectory = async () => {
      looks += 1;
      return isThere ? [] : Promise.reject(new FileSystemError('FileNotFound'));
    };
    const inspect = (key: string) => (key === 'prompts' ? { globalValue: folder } : undefined);
    Object.assign(workspace, {
      fs: { readDirectory },
      getConfiguration: () => ({ ...getConfiguration(), inspect }),
    });
    const deps = { lastEditor: { get: () => undefined }, reads: {} } as unknown as PromptsDeps;
    prompts = createPrompts(deps);
  });
  afterEach(() => {
    Object.assign(workspace, { fs: undefined, getConfiguration });
  });

  it('is waited for as long as the user wants, on a drive that doesn’t answer', async () => {
    Object.assign(workspace, { fs: { readDirectory: () => new Promise(() => undefined) } });
    const works: Promise<unknown>[] = [];
    const waits = async (work: () => Promise<unknown>) => void works.push(work());
    assert.deepEqual(await prompts.expand('/tidy', undefined, { waits }), { kind: 'canceled' });
    assert.equal(works.length, 1);
  });

  it('is missed once, so that a message that only begins with a slash can be sent', async () => {
    const message = '/tmp is full on the build machine, why?';
    assert.equal((await prompts.preview(message))?.kind, 'missing');
    assert.equal(await kindOf(message), 'missing', 'the preview has sent nothing');
    assert.equal(await prompts.preview(message), undefined);
    assert.deepEqual([await kindOf(message), await kindOf('/var is full')], ['plain', 'plain']);
  });

  it('is missed again when the setting names another one, or it was there meanwhile', async () => {
    await kindOf('/one');
    folder = '/gone too';
    assert.deepEqual([await kindOf('/one'), await kindOf('/one')], ['missing', 'plain']);
    isThere = true;
    assert.equal(await kindOf('/one'), 'plain');
    isThere = false;
    assert.deepEqual([await kindOf('/one'), await kindOf('/one')], ['missing', 'plain']);
  });

  it('is looked at once while the user types, and its row says what choosing it does', async () => {
    const [row] = await prompts.choices('t');
    const before = looks;
    const again = (await prompts.choices('tm')).at(-1);
    assert.equal(looks, before);
    const description =
      'k3.prompts: The folder “/gone” doesn’t exist or can’t be read. Create it, or correct the path.';
    const problem = { label: 'Open Settings', description, icon: 'warning', reference: undefined };
    assert.deepEqual([row?.label, again], ['/tests', { ...problem, action: 'edit-settings' }]);
    folder = '/gone too';
    assert.match((await prompts.choices('tm')).at(-1)?.description ?? '', /“\/gone too”/);
  });
});

describe('The name of a prompt file of a workspace that is not trusted', () => {
  restoreAfterEach(Uri);
  const originals = { ...workspace };
  afterEach(() => {
    Object.assign(workspace, { fs: undefined, workspaceFolders: undefined, ...originals });
  });

  it('is refused with the reason, each time, and what only begins with a slash is sent as it is', async () => {
    const read: string[] = [];
    Object.assign(Uri, {
      joinPath: (uri: Uri, ...parts: string[]) => new Uri([uri.path, ...parts].join('/')),
    });
    Object.assign(workspace, {
      isTrusted: false,
      workspaceFolders: [{ uri: new Uri('/project') }],
      fs: {
        readDirectory: async ({ path }: Uri) => {
          read.push(path);
          return [['Release notes.prompt.md', 1]];
        },
        readFile: assert.fail,
        stat: assert.fail,
      },
    });
    const deps = { lastEditor: { get: () => undefined }, reads: {} } as unknown as PromptsDeps;
    const prompts = createPrompts(deps);
    const why = 'Restricted Mode: prompt files of the workspace are not used. Nothing was sent.';
    for (const _ of [1, 2])
      assert.deepEqual(await prompts.expand('/release-notes for 1.2'), { kind: 'missing', why });
    for (const message of ['/usr/bin is full', '/usr is full', '/ release-notes', 'see /release-notes'])
      assert.deepEqual(await prompts.expand(message), { kind: 'plain' }, message);
    assert.equal((await prompts.expand('/explain')).kind, 'command');
    const row = async (letters: string) => (await prompts.choices(letters))[0];
    const trust = {
      label: 'Manage Workspace Trust',
      description: 'Restricted Mode: prompt files of the workspace are not used.',
      icon: 'shield',
      reference: undefined,
      action: 'manage-trust',
    };
    for (const letters of ['', 'Rel']) assert.deepEqual(await row(letters), trust, letters);
    assert.equal((await row('rex'))?.label, undefined, 'no prompt has this name');
    assert.deepEqual(new Set(read), new Set(['/project/.github/prompts']), 'only names are looked at');
    Object.assign(workspace, { isTrusted: true, fs: { readDirectory: async () => [] } });
    Object.assign(workspace, { workspaceFolders: [] });
    assert.notEqual((await row(''))?.action, 'manage-trust', 'at once');
    Object.assign(workspace, { workspaceFolders: [{ uri: new Uri('/project') }] });
    assert.deepEqual(await prompts.expand('/release-notes'), { kind: 'plain' });
  });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { AccessReason } from '../../../../src/access/accessReasons.ts';
import { createRefusedFiles } from '../../../../src/editor/tools/refusedFiles.ts';
import { EventEmitter, extensions, FileSystemError, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createGitTools } = await withEditorStub(() => import('../../../../src/editor/tools/gitTools.ts'));

const [MODIFIED, UNTRACKED, BOTH_MODIFIED] = [5, 7, 18];

/** It has the format of one that is found. */
const KEY = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO2a2b3c'}`;

/** A place in a file system that isn't on the disk. */
const placeOf = (path: string): Uri & { readonly fsPath: string } =>
  Object.assign(new Uri(path), {
    scheme: 'mem',
    authority: '',
    fsPath: path,
    with: (other: { readonly path: string }) => placeOf(other.path),
  });

/** It has no rules of Git. */
const EMPTY_DISK = { stat: () => Promise.reject(new FileSystemError('FileNotFound')) };

const changeOf = (path: string, status = MODIFIED) => ({
  uri: placeOf(path),
  originalUri: placeOf(path),
  renameUri: undefined,
  status,
});

type Change = ReturnType<typeof changeOf>;

/** Its state is read again at once. */
function repositoryOf(root: string, state: Readonly<Record<string, readonly Change[]>>) {
  const read = new EventEmitter<undefined>();
  const diffOf = (of: string) => async (path: string) => `diff of ${path} with ${of}\n`;
  return {
    rootUri: placeOf(root),
    state: {
      HEAD: { commit: 'c' },
      indexChanges: [],
      workingTreeChanges: [],
      ...state,
      onDidChange: read.event,
    },
    status: async () => read.fire(undefined),
    log: async () => [{ hash: 'abcdef1234', message: 'Begin', authorName: 'A' }],
    diffWithHEAD: diffOf('the index'),
    diffWith: (ref: string, path: string) => diffOf(ref)(path),
  };
}

describe('The tools for Git', () => {
  restoreAfterEach(workspace, extensions, Uri);
  let repositories: readonly ReturnType<typeof repositoryOf>[];

  beforeEach(() => {
    Object.assign(Uri, { joinPath: ({ path }: Uri, below: string) => placeOf(`${path}/${below}`) });
    const folder = { uri: placeOf('/r/w'), name: 'w', index: 0 };
    Object.assign(workspace, {
      workspaceFolders: [folder],
      fs: EMPTY_DISK,
      getWorkspaceFolder: ({ path }: Uri) => (path.startsWith('/r/w') ? folder : undefined),
      asRelativePath: ({ path }: Uri) => path.replace('/r/w/', ''),
    });
    const git = {
      repositories,
      getRepository: ({ path }: Uri) =>
        repositories.find(({ rootUri }) => path.startsWith(rootUri.path)) ?? null,
    };
    Object.assign(extensions, {
      getExtension: () => ({
        activate: async () => ({ enabled: true, getAPI: () => ({ ...git, repositories }) }),
      }),
    });
  });

  async function textOf(
    args: Readonly<Record<string, string>>,
    name = 'git_diff',
    asked: readonly AccessReason[] = [],
  ): Promise<string> {
    const { path } = args;
    const { text } =
      (await createGitTools()
        .find(({ definition }) => definition.name === name)
        ?.run(args, {
          conversationId: 'c1',
          access: {
            open: async () => ({ uri: placeOf(`/r/w/${path}`) as never, realPath: `/r/w/${path}`, asked }),
            keepReadable: async () => new Set(),
            refused: createRefusedFiles(),
          },
          signal: new AbortController().signal,
          enter: () => undefined,
          token: {} as never,
        })) ?? assert.fail();
    return text;
  }

  it('have the files that a merge has left in conflict', async () => {
    repositories = [repositoryOf('/r/w', { mergeChanges: [changeOf('/r/w/a.ts', BOTH_MODIFIED)] })];
    for (const scope of ['all', 'unstaged'])
      assert.equal(await textOf({ scope }), 'diff of /r/w/a.ts with HEAD', scope);
    assert.equal(await textOf({ scope: 'staged' }), '[No changes.]');
  });

  it('have the diff of one file also if there are many others before it', async () => {
    const many = Array.from({ length: 250 }, (_, at) => changeOf(`/r/w/many/${at}.ts`));
    repositories = [repositoryOf('/r/w', { workingTreeChanges: [...many, changeOf('/r/w/z.ts')] })];
    assert.equal(await textOf({ path: 'z.ts' }), 'diff of /r/w/z.ts with HEAD');
  });

  it('say of files in the index that the rules of Git ignore why they are left out, and how to get them', async () => {
    const stat = async ({ path }: Uri) =>
      path === '/r/w/.gitignore' ? { type: 1, size: 6 } : Promise.reject(new FileSystemError('FileNotFound'));
    Object.assign(workspace, { fs: { stat, readFile: async () => Buffer.from('dist/\n') } });
    const changes = ['dist/a.js', 'dist/.env', 'b.ts'].map((name) => changeOf(`/r/w/${name}`));
    repositories = [repositoryOf('/r/w', { workingTreeChanges: changes })];
    assert.equal(
      await textOf({}),
      [
        '[dist/a.js: modified; git ignores it, so it is not shown. Ask for this path alone.]',
        '[dist/.env: modified; it may contain secrets and is not shown.]',
        'diff of /r/w/b.ts with HEAD',
      ].join('\n'),
    );
    assert.equal(await textOf({ path: 'dist/a.js' }), 'diff of /r/w/dist/a.js with HEAD');
  });

  it('show the diff of one file that the user has allowed in spite of its name, or of the keys in it', async () => {
    const changes = ['.env', 'keys.ts', 'notes.txt'].map((name) => changeOf(`/r/w/${name}`));
    const renamed = { ...changeOf('/r/w/notes.txt', 3), originalUri: placeOf('/r/w/.env') };
    const repository = repositoryOf('/r/w', { workingTreeChanges: changes, indexChanges: [renamed] });
    const diff = `@@ -1 +1 @@\n-const key = '${KEY}';\n+now`;
    const diffWith = async (_: string, path: string) =>
      path.endsWith('.env') ? 'diff of .env\n' : `${diff}\n`;
    repositories = [{ ...repository, diffWith }];
    const show = (path: string, asked?: AccessReason) => textOf({ path }, 'git_diff', asked && [asked]);
    assert.equal(await show('.env', 'secret'), 'diff of .env');
    assert.equal(await show('keys.ts', 'secret-content'), diff);
    // The user was not asked about what isn't in the file any more, or was in another one.
    for (const [path, asked] of [
      ['keys.ts'],
      ['keys.ts', 'outside'],
      ['notes.txt', 'secret-content'],
    ] as const)
      assert.equal(await show(path, asked), `[${path}: modified; it may contain secrets and is not shown.]`);
    assert.doesNotMatch(await show('', 'secret'), /diff of|const key/);
  });

  it('name files by the paths that other tools take, also if their repository is in a folder or around it', async () => {
    const inside = [changeOf('/r/w/sub/a.ts'), changeOf('/r/w/sub/new.ts', UNTRACKED)];
    repositories = [
      repositoryOf('/r/w/sub', { workingTreeChanges: inside }),
      repositoryOf('/r', { workingTreeChanges: [changeOf('/r/w/b.ts'), changeOf('/r/other/c.ts')] }),
    ];
    assert.equal(
      await textOf({}),
      [
        '[sub/a.ts]\ndiff of /r/w/sub/a.ts with HEAD',
        '[sub/new.ts: untracked; read_file shows it.]',
        '[b.ts]\ndiff of /r/w/b.ts with HEAD',
      ].join('\n'),
    );
  });

  it('say of which repository commits are, if there are several', async () => {
    repositories = [repositoryOf('/r/w/sub', {}), repositoryOf('/r', {})];
    const commit = 'abcdef12  A: Begin';
    assert.equal(await textOf({}, 'git_log'), `[sub]\n${commit}\n[r]\n${commit}`);
    repositories = repositories.slice(1);
    assert.equal(await textOf({}, 'git_log'), commit);
  });

  it('give the commits of the other repositories if one has none, of which Git says that it failed', async () => {
    const log = async () => {
      throw new Error('Failed to execute git');
    };
    const begun = repositoryOf('/r/w/sub', {});
    const fresh = { ...begun, log, state: { ...begun.state, HEAD: {} } } as never;
    repositories = [fresh, repositoryOf('/r', {})];
    assert.equal(await textOf({}, 'git_log'), '[r]\nabcdef12  A: Begin');
    repositories = [fresh];
    assert.equal(await textOf({}, 'git_log'), '[No commits.]');
    repositories = [{ ...begun, log } as never];
    await assert.rejects(textOf({}, 'git_log'), /Failed to execute git/);
  });
});

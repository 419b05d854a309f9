import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { GitVerdict } from '../../../../src/editor/workspace/gitIgnoreCheck.ts';
import { createIgnoreFinder } from '../../../../src/editor/workspace/ignoreFinder.ts';
import { findExcludesFile, type RuleDisk } from '../../../../src/editor/workspace/ignoreSources.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

interface Asked {
  readonly root: string;
  readonly paths: readonly string[];
}

interface Machine {
  /** Texts by path; undefined for a file that can't be read. A folder exists if something is in it. */
  readonly files: Readonly<Record<string, string | undefined>>;
  readonly links?: readonly string[];
  readonly folders?: readonly string[];
  readonly opened?: readonly string[];
  readonly git?: (asked: Asked) => readonly GitVerdict[] | undefined;
}

function createMachine({
  files,
  links = [],
  folders = ['/w'],
  opened = folders,
  git = () => undefined,
}: Machine) {
  const asked: Asked[] = [];
  const read: string[] = [];
  const names = Object.keys(files);
  const disk: RuleDisk = {
    async readText(path) {
      read.push(path);
      if (!names.includes(path)) return { kind: 'missing' };
      const text = files[path];
      return text === undefined ? { kind: 'unreadable' } : { kind: 'text', text };
    },
    exists: async (path) => names.some((name) => name === path || name.startsWith(`${path}/`)),
    isLink: async (path) => links.includes(path),
  };
  const finder = createIgnoreFinder({
    disk,
    folders,
    opened,
    foldCase: false,
    user: { home: '/home/me', config: '/home/me/.config' },
    async askGit(root, paths) {
      asked.push({ root, paths });
      return git({ root, paths });
    },
  });
  const find = async (...paths: string[]) => finder.find(paths);
  return { find, asked, read };
}

describe('Ignored files without Git', () => {
  it('are found by the rules of all folders above them', async () => {
    const { find } = createMachine({
      files: { '/w/.gitignore': '*.log\nbuilt/\n', '/w/a/.gitignore': '!loud.log\nown.txt\n' },
    });
    assert.deepEqual(
      await find('/w/x.log', '/w/a/loud.log', '/w/a/own.txt', '/w/own.txt', '/w/b/built/c/d.js', '/w/built/'),
      ['/w/x.log', undefined, '/w/a/own.txt', undefined, '/w/b/built/', '/w/built/'],
    );
  });

  it('let other work run while many files are compared with many rules, which a repository can have', async () => {
    const rules = Array.from({ length: 3000 }, (_, at) => `rule${at}\n`).join('');
    const { find } = createMachine({ files: { '/w/.gitignore': rules } });
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const found = await find(...Array.from({ length: 400 }, (_, at) => `/w/src/${at}.ts`));
    clearInterval(timer);
    assert.ok(found.every((by) => by === undefined));
    assert.ok(turns > 3, `${turns} turns`);
  });

  it('are found in a repository that is larger than the workspace, but not by rules above it', async () => {
    const { find, read } = createMachine({
      files: { '/.gitignore': '*', '/r/.git/HEAD': '', '/r/.gitignore': '*.key', '/r/w/src/a.key': '' },
      folders: ['/r/w'],
    });
    assert.deepEqual(await find('/r/w/src/a.key', '/r/w/src/a.ts'), ['/r/w/src/a.key', undefined]);
    assert.ok(!read.includes('/.gitignore'));
  });

  it('are found outside the workspace, in a repository', async () => {
    const files = { '/other/.git/HEAD': '', '/other/.gitignore': '*.log', '/none/.gitignore': '*.log' };
    const { find } = createMachine({ files });
    assert.deepEqual(await find('/other/a.log', '/none/a.log'), ['/other/a.log', undefined]);
  });

  it('are found by the rules of a repository around the one that they are in', async () => {
    const { find } = createMachine({
      files: { '/w/.git/HEAD': '', '/w/.gitignore': 'clones/', '/w/clones/x/.git/HEAD': '' },
    });
    assert.deepEqual(await find('/w/clones/x/a.ts'), ['/w/clones/']);
  });

  it('are found by info/exclude, which comes after the rules of the root', async () => {
    const { find } = createMachine({
      files: { '/w/.git/info/exclude': '*.txt\nmine/', '/w/.gitignore': '!a.txt' },
    });
    assert.deepEqual(await find('/w/a.txt', '/w/b.txt', '/w/mine/c'), [undefined, '/w/b.txt', '/w/mine/']);
  });

  it('are found by info/exclude in a worktree and in a submodule', async () => {
    const { find } = createMachine({
      files: {
        '/w/.git': 'gitdir: /main/.git/worktrees/w\n',
        '/main/.git/worktrees/w/commondir': '../..\n',
        '/main/.git/info/exclude': 'in-worktree',
        '/w/sub/.git': 'gitdir: ../../main/.git/modules/sub',
        '/main/.git/modules/sub/info/exclude': 'in-submodule',
      },
    });
    assert.deepEqual(await find('/w/in-worktree', '/w/sub/in-submodule', '/w/in-submodule'), [
      '/w/in-worktree',
      '/w/sub/in-submodule',
      undefined,
    ]);
  });

  it('are found by the user’s own file for all repositories', async () => {
    const at = (files: Machine['files']) =>
      createMachine({ files: { '/w/.git/HEAD': '', ...files } }).find('/w/a.local');
    assert.deepEqual(await at({ '/home/me/.config/git/ignore': '*.local' }), ['/w/a.local']);
    const config = { '/home/me/.gitconfig': '[core]\n\texcludesFile = ~/mine\n' };
    assert.deepEqual(await at({ ...config, '/home/me/mine': '*.local' }), ['/w/a.local']);
    assert.deepEqual(await at({ ...config, '/home/me/.config/git/ignore': '*.local' }), [undefined]);
  });

  it('are all files below rules that can’t be read', async () => {
    const { find } = createMachine({
      files: { '/w/a/.gitignore': undefined, '/w/.git/info/exclude': '', '/w/b/c.ts': '' },
    });
    assert.deepEqual(await find('/w/a/b/c.ts', '/w/b/c.ts'), ['/w/a/b/', undefined]);
  });

  it('are found by names with spaces, line breaks, and other characters', async () => {
    const { find } = createMachine({ files: { '/w/.gitignore': '*.log' } });
    const names = ['/w/a b.log', '/w/new\nline.log', '/w/ä/ö.log', '/w/[a].log'];
    assert.deepEqual(await find(...names), names);
  });

  it('are found on a drive of Windows', async () => {
    const { find } = createMachine({
      files: { '/c:/w/.git': 'gitdir: C:\\main\\.git', '/C:/main/.git/info/exclude': '*.log' },
      folders: ['/c:/w'],
    });
    assert.deepEqual(await find('/c:/w/a.log', '/c:/w/a.ts'), ['/c:/w/a.log', undefined]);
  });

  it('are read once', async () => {
    const { find, read } = createMachine({ files: { '/w/.gitignore': '*.log' } });
    await find('/w/a/1', '/w/a/2');
    await find('/w/a/3');
    assert.deepEqual(read.toSorted(), ['/w/.gitignore', '/w/a/.gitignore']);
  });
});

describe('Ignored files in a repository', () => {
  /** Git ignores what is named so. */
  const git = ({ paths }: Asked) =>
    paths.map((path) => (/(?:^|\/)ignored/.test(path) ? ('ignored' as const) : ('kept' as const)));
  const files = { '/w/.git/HEAD': '', '/w/.gitignore': '*', '/w/in/.git/HEAD': '' };

  it('are those that Git says, asked once about all of them', async () => {
    const { find, asked } = createMachine({ files, git });
    assert.deepEqual(await find('/w/a.ts', '/w/ignored.ts', '/w/b/ignored/c/d.ts', '/w/ignored/'), [
      undefined,
      '/w/ignored.ts',
      '/w/b/ignored/',
      '/w/ignored/',
    ]);
    assert.equal(asked.length, 1);
    assert.ok(asked[0]?.paths.includes('b/ignored/c/d.ts'));
  });

  it('are asked about in the repository that they are in, and in those around it', async () => {
    const { find, asked } = createMachine({ files, git });
    assert.deepEqual(await find('/w/in/a.ts', '/w/in/ignored.ts'), [undefined, '/w/in/ignored.ts']);
    assert.deepEqual(
      asked.toSorted((a, b) => a.root.length - b.root.length),
      [
        { root: '/w', paths: ['in'] },
        { root: '/w/in', paths: ['a.ts', 'ignored.ts'] },
      ],
    );
    const outer = createMachine({ files: { '/w/.git/HEAD': '', '/w/ignored/x/.git/HEAD': '' }, git });
    assert.deepEqual(await outer.find('/w/ignored/x/a.ts'), ['/w/ignored/']);
  });

  it('are not all of a folder that the user has opened although the repository around it ignores it', async () => {
    const inside = {
      '/w/.git/HEAD': '',
      '/w/ignored/x/.gitignore': '*.log',
      '/w/ignored/x/in/.git/HEAD': '',
    };
    const { find } = createMachine({ files: inside, folders: ['/w/ignored/x'], git });
    const paths = ['/w/ignored/x', '/w/ignored/x/', '/w/ignored/x/a.ts', '/w/ignored/x/in/a.ts'];
    assert.deepEqual(await find(...paths), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(await find('/w/ignored/x/a.log', '/w/ignored/x/in/ignored.ts', '/w/ignored/y'), [
      '/w/ignored/x/a.log',
      '/w/ignored/x/in/ignored.ts',
      '/w/ignored/',
    ]);
    // A workspace file, which can come with the repository, has named the folder.
    const named = createMachine({ files: inside, folders: ['/w/ignored/x'], opened: [], git });
    assert.deepEqual(await named.find('/w/ignored/x/a.ts'), ['/w/ignored/']);
  });

  it('include all of an opened folder if Git doesn’t say whether the repository around it ignores it', async () => {
    for (const verdict of ['unknown', 'kept'] as const) {
      const { find } = createMachine({
        files: { '/w/.git/HEAD': '' },
        folders: ['/w/x'],
        git: ({ paths }) => paths.map((path) => (path === 'x' ? verdict : 'ignored')),
      });
      assert.deepEqual(await find('/w/x/a.ts'), ['/w/x/a.ts']);
    }
  });

  it('include those that Git says nothing about', async () => {
    const { find } = createMachine({ files, git: ({ paths }) => paths.map(() => 'unknown' as const) });
    assert.deepEqual(await find('/w/a.ts'), ['/w/a.ts']);
  });

  it('are found by reading the rules when Git refuses the repository', async () => {
    const { find } = createMachine({ files: { ...files, '/w/.gitignore': '*.log' } });
    assert.deepEqual(await find('/w/a.log', '/w/a.ts'), ['/w/a.log', undefined]);
  });

  it('are found by reading the rules for a name with a null character', async () => {
    const { find, asked } = createMachine({ files: { '/w/.git/HEAD': '', '/w/.gitignore': '*.log' }, git });
    assert.deepEqual(await find('/w/a\0b.log', '/w/ignored'), ['/w/a\0b.log', '/w/ignored']);
    assert.deepEqual(asked, [{ root: '/w', paths: ['ignored'] }]);
  });

  it('are found by reading the rules along a path that leads through a link', async () => {
    const { find, asked } = createMachine({
      files: { '/w/.git/HEAD': '', '/w/link/.gitignore': '*.log', '/w/.gitignore': '' },
      links: ['/w/link'],
      git,
    });
    assert.deepEqual(await find('/w/link/a.log', '/w/link/a.ts', '/w/ignored'), [
      '/w/link/a.log',
      undefined,
      '/w/ignored',
    ]);
    assert.deepEqual(asked, [{ root: '/w', paths: ['ignored'] }]);
  });
});

describe('The name of the file for all repositories', () => {
  for (const [config, name] of [
    ['[core]\nexcludesFile = /a', '/a'],
    ['[Core]\n  ExcludesFile="/a b"', '/a b'],
    ['[core] excludesfile = ~/x', '~/x'],
    ['[core]\nexcludesFile = /a\n[user]\nexcludesFile = /b', '/a'],
    ['[core]\nexcludesFile = /a\n[core]\nexcludesFile = /b', '/b'],
    ['[core]\nexcludesFile = "C:\\\\Users\\\\me\\\\x"', 'C:\\Users\\me\\x'],
    ['[core]\n; excludesFile = /a', undefined],
    ['[core]\nexcludesFile =', undefined],
    // Without quotation marks, what follows is a comment, as Git reads it.
    ['[core] # mine\nexcludesFile = ~/mine ; of all', '~/mine'],
    ['[core]\nexcludesFile = /a b#c', '/a b'],
    ['[core]\nexcludesFile = "/a;b #c" # d "e"', '/a;b #c'],
    ['[core]\nexcludesFile = /a/"#b"/c', '/a/#b/c'],
    ['[core]\nexcludesFile = # none', undefined],
    ['', undefined],
  ] as const)
    it(`is ${name} in ${JSON.stringify(config)}`, () => assert.equal(findExcludesFile(config), name));

  it('is found in linear time, whatever the configuration of a repository has', () => {
    for (const start of ['[', '[x', '', '[core]excludesfile'])
      assert.ok(growthOf((length) => start + ' '.repeat(length), findExcludesFile, 500) < LINEAR, start);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseToolPath } from '../../../../src/conversation/toolCalls/toolPaths.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

const HERE = { schemes: ['file', 'vscode-vfs'], windows: false };
const kindOf = (path: string, around = HERE) => {
  const parsed = parseToolPath(path, around);
  return parsed.kind === 'refused' ? parsed.why : parsed.kind;
};

/** Paths with the expected result on a system without drives. */
const CASES: readonly (readonly [why: string, paths: readonly string[]])[] = [
  [
    'relative',
    ['src/a.ts', './src/a.ts', 'src\\a.ts', '', '.', '../a', '..\\a', 'a/../../b', '~a', '%2e%2e/a'],
  ],
  ['absolute', ['/etc/passwd', '/', '/a/../b', '\\etc\\passwd']],
  [
    'control-character',
    ['a\0b', 'a\0', '\u0000/etc', 'a\nb', 'a\tb', 'a\u007f', 'a\u0085b', 'file:///a%00b', 'file:///a%0ab'],
  ],
  [
    'network-path',
    [
      '//server/share/a',
      '\\\\server\\share\\a',
      '\\\\?\\C:\\a',
      '\\\\.\\pipe\\a',
      '//./pipe/a',
      '///etc/passwd',
      '/\\server/a',
      'file://server/share',
      'file://localhost/etc/passwd',
      'file:////server/share',
      'file://///server',
      'file:///%2fserver/a',
      'file:///%5Cserver/a',
      'file:a',
      'file:../a',
      'FILE://server/a',
      'file:\\\\server\\a',
    ],
  ],
  [
    'other-scheme',
    [
      'untitled:Untitled-1',
      'vscode-remote://ssh-remote+host/etc/passwd',
      'http://127.0.0.1/a',
      'https://example.com',
      'data:text/plain,a',
      'git:/a.ts?{}',
      'vscode-userdata:/User/settings.json',
      'output:k3',
      'k3-conversation:/a',
      'javascript:alert(1)',
      'command:k3.stop',
      'vscode-notebook-cell:/a',
      'ssh://host/a',
      'VSCODE-REMOTE://host/a',
    ],
  ],
  ['home', ['~', '~/.ssh/id_rsa', '~root/.bashrc', '~\\.ssh', '~+/a']],
  [
    'drive',
    [
      'C:\\Windows',
      'c:/Windows',
      'C:',
      'C:a.txt',
      'z:\\a',
      'file:///c:/Windows',
      'file:/C:/a',
      'file:///c%3A/a',
    ],
  ],
  [
    'ambiguous-name',
    [
      '.env.',
      '.env ./a',
      '.env::$DATA',
      'src/a:stream',
      'src./a.ts',
      'src /a.ts',
      'con',
      'src/NUL',
      'aux.txt',
      'com1',
      'LPT9.log',
      'CONIN$',
      'file:///a.ts?x',
      'file:///a.ts#x',
      'file:///a%',
      'file:///.env.',
      'file:///a%3Ab',
      '/c:/Windows',
      '.../a',
      'vscode-vfs://github/a./b',
    ],
  ],
  [
    'address',
    [
      'file:///etc/passwd',
      'file:/etc/passwd',
      'file:///a/%2e%2e/b',
      'FILE:///etc',
      'vscode-vfs://github/o/r/a.ts',
      'vscode-vfs://host:80/a',
    ],
  ],
];

describe('Parsing a path from a model', () => {
  for (const [kind, paths] of CASES) {
    for (const path of paths)
      it(`${JSON.stringify(path)} is ${kind}`, () => assert.equal(kindOf(path), kind));
  }

  it('refuses what is too long for a path, because each of its folders would be looked for', () => {
    for (const path of ['a/'.repeat(500_000), '/a'.repeat(5000), `file:///${'a/'.repeat(5000)}`])
      assert.equal(kindOf(path), 'too-long');
    assert.equal(kindOf('a/'.repeat(2000)), 'relative');
  });

  it('removes redundant parts', () => {
    const parsed = ['./a/b/', '.\\a\\b', ' a/b '].map((path) => parseToolPath(path, HERE));
    for (const one of parsed) assert.deepEqual(one, { kind: 'relative', path: 'a/b' });
    assert.deepEqual(parseToolPath('.//', HERE), { kind: 'relative', path: '' });
  });

  it('accepts a drive on systems with drives, but only with a path from its root', () => {
    const windows = { schemes: ['file'], windows: true };
    assert.deepEqual(parseToolPath('C:\\a\\b', windows), { kind: 'absolute', path: 'C:/a/b' });
    assert.equal(kindOf('file:///c:/a', windows), 'address');
    assert.equal(kindOf('C:a', windows), 'drive');
    assert.equal(kindOf('C:\\a\\.env.', windows), 'ambiguous-name');
    assert.equal(kindOf('C:\\a\\b:stream', windows), 'ambiguous-name');
  });

  it('converts a scheme to lower case, so that it can be compared', () => {
    assert.deepEqual(parseToolPath('FILE:///Etc', HERE), { kind: 'address', address: 'file:///Etc' });
  });

  it('decodes only addresses', () => {
    assert.deepEqual(parseToolPath('%2e%2e/a', HERE), { kind: 'relative', path: '%2e%2e/a' });
  });

  it('is read in linear time, whatever its slashes', () => {
    const growth = growthOf(
      (length) => `${'/'.repeat(length)}x`.slice(1),
      (path) => void parseToolPath(`a${path}`, HERE),
      8000,
    );
    assert.ok(growth < LINEAR, String(growth));
  });
});

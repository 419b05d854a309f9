import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type AccessPurpose, findAccessReasons, type PathFacts } from '../../../src/access/accessReasons.ts';

/** A file of the workspace `/w/shop`. */
const at = (path: string, more: Partial<PathFacts> = {}): PathFacts => ({
  inside: true,
  link: undefined,
  ignored: false,
  isFolder: false,
  paths: [`/w/shop/${path}`],
  pathsInWorkspace: [`shop/${path}`],
  holdsSecrets: false,
  addsHidden: false,
  ...more,
});

/** The second path is the target of the link. */
const linked = (path: string, target: string, more: Partial<PathFacts> = {}): PathFacts =>
  at(path, {
    link: 'link',
    paths: [`/w/shop/${path}`, target],
    pathsInWorkspace: [`shop/${path}`, target],
    ...more,
  });

const NOTES: PathFacts = linked('notes', '/etc/passwd', { inside: false });

describe('The policy for access', () => {
  const cases: readonly (readonly [string, PathFacts, AccessPurpose, readonly string[]])[] = [
    ['a file of the workspace', at('src/a.ts'), 'read', []],
    ['a change of one', at('src/a.ts'), 'write', []],
    ['a file outside', at('../b.ts', { inside: false }), 'read', ['outside']],
    ['a change outside', at('../b.ts', { inside: false }), 'write', ['outside']],
    ['a link that leads outside', NOTES, 'read', ['outside', 'link']],
    ['a change through one', NOTES, 'write', ['outside', 'link']],
    [
      'a file in a folder that is a link',
      linked('lib/a.ts', '/lib/a.ts', { inside: false, link: 'through-link' }),
      'read',
      ['outside', 'through-link'],
    ],
    ['a link within the workspace', linked('a.ts', '/w/shop/b.ts'), 'read', []],
    ['an ignored file', at('dist/a.js', { ignored: true }), 'read', ['ignored']],
    ['a file of git', at('.git/config'), 'read', ['git-folder']],
    ['a file of git in another case', at('.GIT/config'), 'read', ['git-folder']],
    ['a file of git by a stream of its folder', at('.git::$INDEX_ALLOCATION/config'), 'read', ['git-folder']],
    ['a file of git with a character that is not displayed', at('.g\u200cit/config'), 'read', ['git-folder']],
    ['a file of git with a dot that Windows removes', at('.git./config'), 'read', ['git-folder']],
    ['a file of git by its short name in Windows', at('GIT~1/config'), 'read', ['git-folder']],
    [
      'a file of git by its short name, with a stream',
      at('git~1 ::$INDEX_ALLOCATION/config'),
      'read',
      ['git-folder'],
    ],
    ['hooks by their short name', at('GIT~1/hooks/pre-commit'), 'write', ['protected']],
    ['a file with a similar name', at('.git-blame'), 'read', []],
    ['a file with backslashes', at('.git', { paths: ['C:\\w\\shop\\.git\\config'] }), 'read', ['git-folder']],
    ['a file with a name of secrets', at('.env'), 'read', ['secret']],
    ['a folder with such a name', at('src/credentials', { isFolder: true }), 'read', []],
    ['one that is ignored, too', at('.env', { ignored: true }), 'read', ['ignored', 'secret']],
    ['a file with a key in its text', at('src/a.ts', { holdsSecrets: true }), 'read', ['secret-content']],
    ['one with such a name, too', at('.env', { holdsSecrets: true }), 'read', ['secret', 'secret-content']],
    ['a proposal for one', at('src/a.ts', { holdsSecrets: true }), 'propose', []],
    ['a template of one', at('.env.example'), 'read', []],
    ['a link to a secret file', linked('plain', '/w/shop/server.key'), 'read', ['secret', 'link']],
    ['a proposal for a secret file', at('server.key'), 'propose', ['secret']],
    ['reading settings', at('.vscode/settings.json'), 'read', []],
    ['a change of settings', at('.vscode/settings.json'), 'write', ['protected']],
    ['a change of hooks', at('.git/hooks/pre-commit'), 'write', ['protected']],
    ['a change of .env', at('.env'), 'write', ['protected']],
    [
      'a change through a link to settings',
      linked('plain', '/w/shop/.vscode/tasks.json'),
      'write',
      ['protected', 'link'],
    ],
    ['a change of an ignored file', at('dist/a.js', { ignored: true }), 'write', []],
    ['a name with a hidden character', at('in\u200bdex.ts'), 'write', ['hidden-name']],
    ['a name with a line break at its end', at('index.ts\n'), 'write', ['hidden-name']],
    ['a folder with a space at its end', at('src\u00a0/index.ts'), 'write', ['hidden-name']],
    ['a name with a space between words', at('my notes.md'), 'write', []],
    ['a name with a joiner between letters', at('می\u200cخواهم.ts'), 'write', ['hidden-name']],
    ['reading one', at('in\u200bdex.ts'), 'read', []],
    [
      'a change that adds hidden characters',
      at('a.ts', { addsHidden: true }),
      'write',
      ['hidden-characters'],
    ],
    [
      'everything at once',
      linked('.vscode/\u202ea', '/b', { inside: false, addsHidden: true }),
      'write',
      ['outside', 'protected', 'hidden-name', 'hidden-characters', 'link'],
    ],
  ];

  for (const [name, place, purpose, reasons] of cases)
    it(`${reasons.length === 0 ? 'allows' : 'asks about'} ${name}, to ${purpose}`, () => {
      assert.deepEqual(findAccessReasons(place, purpose), reasons);
    });

  it('ignores the names of folders above the workspace', () => {
    const facts = at('a.ts', { paths: ['/home/.claude/shop/a.ts'], pathsInWorkspace: ['shop/a.ts'] });
    assert.deepEqual(findAccessReasons(facts, 'write'), []);
    const spaced = at('a.ts', { paths: ['/home/Work /shop/a.ts'], pathsInWorkspace: ['shop/a.ts'] });
    assert.deepEqual(findAccessReasons(spaced, 'write'), []);
  });
});

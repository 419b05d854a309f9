import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { affectedTests, readGraph } from '../../../scripts/lib/affectedTests.mjs';

const graph = {
  imports: new Map(
    Object.entries({
      'test/unit/manifest.test.ts': [],
      'test/unit/packaging.test.ts': ['scripts/lib/packaging.mjs'],
      'test/unit/review/hunks/hunks.test.ts': ['src/review/hunks/hunks.ts', 'src/text/lines.ts'],
      'test/unit/text/lines.test.ts': ['src/text/lines.ts'],
      'test/editor/proposals/hunks.test.ts': ['src/review/hunks/hunks.ts'],
      'test/editor/proposals/menus.test.ts': [],
      'test/editor/hostile/links.test.ts': ['src/review/hunks/hunks.ts'],
      'test/ui/pages/cards.test.ts': ['test/support/chatPage.ts'],
      'test/ui/review.test.ts': ['test/support/reviewDriver.ts', 'test/ui/review/keys.ts'],
    }).map(([test, files]) => [test, new Set([test, ...files])]),
  ),
  page: new Set(['src/webview/chat/main.ts', 'src/text/lines.ts']),
  program: new Set([
    ...['src/webview/chat/main.ts', 'src/text/lines.ts', 'src/review/hunks/hunks.ts'],
    ...['src/editor/proposals/menus.ts', 'src/editor/code/code.ts'],
  ]),
};

/** A test of the whole repository, which always runs, is left out. */
function affected(...changed: string[]) {
  const { unit, editor, pages, workbench } = affectedTests(changed, graph);
  assert.ok(unit.includes('test/unit/manifest.test.ts'));
  return [...unit, ...editor, ...pages, ...workbench].filter((test) => !test.includes('manifest'));
}

const PACKAGE = 'test/unit/packaging.test.ts';
const UNIT = ['test/unit/review/hunks/hunks.test.ts', 'test/unit/text/lines.test.ts'];

describe('The tests that a change can affect', () => {
  it('are those that import it, without those with hostile workspaces', () => {
    assert.deepEqual(affected('src/review/hunks/hunks.ts'), [UNIT[0], 'test/editor/proposals/hunks.test.ts']);
    assert.deepEqual(affected('test/support/reviewDriver.ts'), ['test/ui/review.test.ts']);
    assert.deepEqual(affected('test/unit/text/lines.test.ts'), ['test/unit/text/lines.test.ts']);
  });

  it('are those of the room in the editor that it is in', () => {
    const room = ['test/editor/proposals/hunks.test.ts', 'test/editor/proposals/menus.test.ts'];
    assert.deepEqual(affected('src/editor/proposals/menus.ts'), room);
    assert.deepEqual(affected('src/editor/code/code.ts'), []);
  });

  it('are those of pages for what is in a webview', () => {
    assert.deepEqual(affected('src/text/lines.ts'), [...UNIT, 'test/ui/pages/cards.test.ts']);
  });

  it('are all unit tests for what nothing imports, and none but those of the whole repository for documents', () => {
    for (const file of ['package.json', 'l10n/bundle.l10n.de.json', 'scripts/lib/l10n.mjs'])
      assert.deepEqual(affected(file), [PACKAGE, ...UNIT]);
    assert.deepEqual(affected('scripts/lib/packaging.mjs'), [PACKAGE]);
    assert.deepEqual(affected('docs/architecture.md', 'CHANGELOG.md'), []);
  });
});

describe('What the tests of this repository import', () => {
  let real: Awaited<ReturnType<typeof readGraph>>;
  before(async () => {
    real = await readGraph();
  });

  it('leads from a file to its tests', () => {
    const { unit, editor } = affectedTests(['src/service/chunkPattern.ts'], real);
    assert.ok(unit.includes('test/unit/service/chunkPattern.test.ts'));
    assert.ok(unit.length < 150, `${unit.length} of ${real.imports.size}`);
    assert.ok(editor.length < 20, editor.join());
    assert.ok(affectedTests(['src/webview/usage/usage.css'], real).pages.length > 20);
  });
});

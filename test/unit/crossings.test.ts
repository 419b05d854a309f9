/** Checks docs/crossings.md: every pair of features has a row, no cell is empty, and every cited test exists. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

/** The cells of the rows of a table below a heading. */
function tableBelow(page: string, heading: string): readonly (readonly string[])[] {
  const [, below = ''] = page.split(`\n${heading}\n`);
  const [section = ''] = below.split(/\n#+ /);
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The names of the tests in a file, as they are written there: `${name}` stays. */
const testsIn = (source: string): ReadonlySet<string> =>
  new Set(
    [...source.matchAll(/\bit\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(([, , name = '']) =>
      name.replace(/\\(.)/g, '$1'),
    ),
  );

/** What is wrong with a page, for each pair of features that has no row, two rows, or a cell that says nothing. */
function wrongRows(page: string): readonly string[] {
  const features = tableBelow(page, '## Features').map(([feature = '']) => feature);
  const known = new Set(
    ['## Reasons', '## Tests'].flatMap((heading) => tableBelow(page, heading).map(([id = '']) => id)),
  );
  return features.flatMap((feature, index) => {
    const rows = tableBelow(page, `### ${feature}`);
    const others = features.slice(index + 1);
    const surplus = rows.flatMap(([other = '']) => (others.includes(other) ? [] : [`${feature}: ${other}`]));
    const wrong = others.flatMap((other) => {
      const cells = rows.flatMap(([name, cell = '']) => (name === other ? [cell] : []));
      const [cell = ''] = cells;
      const says = cells.length === 1 && cell.split(', ').every((one) => known.has(one));
      return says ? [] : [`${feature} with ${other}: “${cells.join('”, “')}”`];
    });
    return [...surplus, ...wrong];
  });
}

const page = read('docs/crossings.md');

describe('The table of crossings', () => {
  it('has a row for every pair of features, and no empty cell', () => {
    assert.ok(tableBelow(page, '## Features').length >= 24);
    assert.deepEqual(wrongRows(page), []);
  });

  it('cites tests that exist, by their file and name', () => {
    const wrong = tableBelow(page, '## Tests').flatMap(([id = '', file = '', name = '']) => {
      const path = file.replaceAll('`', '');
      return existsSync(new URL(path, root)) && testsIn(read(path)).has(name)
        ? []
        : [`${id}: ${file}, ${name}`];
    });
    assert.deepEqual(wrong, []);
  });

  it('uses every test and reason that it lists, each listed once', () => {
    const listed = ['## Reasons', '## Tests'].flatMap((heading) =>
      tableBelow(page, heading).map(([id = '']) => id),
    );
    const used = new Set(
      tableBelow(page, '## Features').flatMap(([feature = '']) =>
        tableBelow(page, `### ${feature}`).flatMap(([, cell = '']) => cell.split(', ')),
      ),
    );
    assert.deepEqual(listed.toSorted(), [...used].toSorted());
  });
});

describe('The check of the table', () => {
  it('finds a missing pair, a second row, an empty cell, and a test that is not listed', () => {
    const table = (heading: string, ...rows: readonly string[]) =>
      ['', heading, '', '| a | b |', '|---|---|', ...rows, ''].join('\n');
    const pageOf = (...rows: readonly string[]) =>
      [
        table('## Features', '| ask | |', '| queue | |', '| stop | |'),
        table('## Reasons', '| apart | |'),
        table('### ask', ...rows),
        table('### queue', '| stop | T1, apart |'),
        table('## Tests', '| T1 | `a.test.ts` | b |'),
      ].join('\n');
    assert.deepEqual(wrongRows(pageOf('| queue | T1 |', '| stop | apart |')), []);
    assert.deepEqual(wrongRows(pageOf('| queue | T1 |')), ['ask with stop: “”']);
    assert.deepEqual(wrongRows(pageOf('| queue | T1 |', '| queue | T1 |', '| stop | |')), [
      'ask with queue: “T1”, “T1”',
      'ask with stop: “”',
    ]);
    assert.deepEqual(wrongRows(pageOf('| queue | T2 |', '| stop | T1 |', '| fork | T1 |')), [
      'ask: fork',
      'ask with queue: “T2”',
    ]);
  });

  it('finds the names of tests, however they are quoted', () => {
    const source = "it('is one', () => 1);\nit(\n  `is two`, () => 2);\nit('isn\\'t three', () => 3);";
    assert.deepEqual([...testsIn(source)], ['is one', 'is two', "isn't three"]);
  });
});

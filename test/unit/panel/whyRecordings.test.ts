/**
 * The judged turns of docs/why.md that come from vercel/ai (Apache-2.0). Their texts are not in this repository: `K3_RECORDINGS`
 * names a copy of its sources. Without it, there is nothing to test.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { toStepTexts } from '../../../src/panel/reasoningSteps.ts';
import { createStepIndex } from '../../../src/panel/why.ts';

const folder = process.env['K3_RECORDINGS'];

interface Row {
  /** Below `packages` of vercel/ai. */
  readonly file: string;
  readonly selected: string;
  /** The best steps that were found, counted from 1, and the number of all steps. */
  readonly found: readonly number[];
  readonly of: number;
}

/** The rows 1 to 8, in their order. */
const ROWS: readonly Row[] = [
  {
    file: 'alibaba/src/__fixtures__/alibaba-reasoning.chunks.txt',
    selected: 'They overlook the first "r" in "straw" (position 3).',
    found: [7, 2],
    of: 13,
  },
  {
    file: 'alibaba/src/__fixtures__/alibaba-reasoning.json',
    selected: 'They assume the double "r" in "berry" counts as one occurrence',
    found: [3, 4],
    of: 9,
  },
  {
    file: 'anthropic/src/__fixtures__/anthropic-combined-context-editing.1.chunks.txt',
    selected: '25 × 7 = 175',
    found: [5, 3],
    of: 9,
  },
  {
    file: 'deepseek/src/chat/__fixtures__/deepseek-reasoning.chunks.txt',
    selected: 'contains three "r"s',
    found: [3],
    of: 5,
  },
  {
    file: 'deepseek/src/chat/__fixtures__/deepseek-reasoning.json',
    selected: 'one after the "t" and two before the "y"',
    found: [1],
    of: 2,
  },
  {
    file: 'groq/src/__fixtures__/groq-reasoning.chunks.txt',
    selected: 'spelled as S-T-R-A-W-B-E-R-R-Y',
    found: [2, 8],
    of: 11,
  },
  {
    file: 'groq/src/__fixtures__/groq-reasoning.json',
    selected: 'The letter "R" appears at the 3rd, 8th, and 9th positions.',
    found: [3, 1, 18],
    of: 18,
  },
  {
    file: 'xai/src/responses/__fixtures__/xai-text-streaming.1.chunks.txt',
    selected: 'flour tortillas and cheese',
    found: [],
    of: 2,
  },
];

/** The texts of these fields in a JSON value, joined. */
function textOf(value: unknown, fields: readonly string[]): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, one]) =>
      typeof one === 'string' ? (fields.includes(name) ? one : '') : textOf(one, fields),
    )
    .join('');
}

/** The reasoning in a recorded response, or in the lines of a stream. */
function reasoningIn(file: string): string {
  const text = readFileSync(file, 'utf8');
  const values: readonly unknown[] = file.endsWith('.json')
    ? [JSON.parse(text)]
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line));
  return values
    .map((value) => {
      const type = typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : '';
      if (!type.startsWith('response.')) return textOf(value, ['reasoning_content', 'reasoning', 'thinking']);
      return /reasoning\w*\.delta$/.test(type) ? textOf(value, ['delta']) : '';
    })
    .join('');
}

describe('The recorded turns of docs/why.md', () => {
  it('are those that can be ranked again', () => {
    const page = readFileSync(new URL('../../../docs/why.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| (\d+)\*? \| A, `(.+?)` \| (.+?) \| (.+?) \|/gm)];
    assert.equal(listed.length, ROWS.length);
    for (const [index, [, number, name = '', selected, result = '']] of listed.entries()) {
      const row = ROWS[index] ?? assert.fail();
      assert.deepEqual([number, selected], [`${index + 1}`, row.selected]);
      assert.ok(row.file.includes(name), name);
      const best = row.found.length === 0 ? 'none' : row.found.join(', ');
      assert.equal(result, `${best} of ${row.of}`);
    }
  });
});

if (folder !== undefined)
  describe('Why? on recorded turns', () => {
    for (const [index, { file, selected, found, of }] of ROWS.entries())
      it(`finds for “${selected}” what was judged (row ${index + 1})`, () => {
        const steps = toStepTexts(reasoningIn(join(folder, 'packages', file)));
        const ranked = createStepIndex(steps).rank(selected);
        const best = ranked.slice(0, found.length).map(({ index: step }) => step + 1);
        assert.deepEqual([best, steps.length], [found, of]);
        // Where no step is good enough, none is found.
        assert.equal(ranked[0]?.strength, found.length === 0 ? undefined : 'strong');
      });
  });

/**
 * Changes one operator of `src` at a time and checks whether a unit test fails. For a mutant that survives, a test is missing,
 * the code is dead, or the change has no effect (docs/mutants.md lists the last kind).
 *
 *   npm run mutants -- --folder review --count 100 --seed 1
 *   npm run mutants -- --folder review --count 100 --seed 1 --skip 100
 *   npm run mutants -- --folder review --at src/review/hunks/hunks.ts:40
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode24 } from './lib/node24.mjs';
import { Failure, main, root, say } from './lib/project.mjs';
import { reaches, reachOf } from './mutants/coverage.mjs';
import { runTests } from './mutants/tests.mjs';
import { createTypeCheck } from './mutants/typeCheck.mjs';

/** @typedef {import('./mutants/mutations.mjs').Mutation & { file: string, source: string }} Mutant */
/** @typedef {'killed' | 'too long' | 'refused by types' | 'equal' | 'not reached' | 'survived'} Fate */

/** Seconds that the test files of one process usually take. After a few times as long, a test counts as hanging. */
const PART_SECONDS = 10;

const options = /** @type {const} */ ({
  folder: { type: 'string', multiple: true, default: ['service', 'review', 'conversation', 'history'] },
  count: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  skip: { type: 'string', default: '0' },
  at: { type: 'string', multiple: true, default: [] },
});

await main(import.meta.url, async () => {
  await underNode24();
  await ensureDependencies();
  const { values } = parseArgs({ options });
  const [count = 0, seed = 0, skip = 0] = [values.count, values.seed, values.skip].map(Number);
  if (!(count > 0 && skip >= 0 && Number.isInteger(seed)))
    throw new Failure('--count, --seed, and --skip are numbers.');
  const rows = [];
  for (const folder of values.folder)
    rows.push(await tryFolder(folder, { count, seed, skip, at: values.at }));
  say('');
  console.table(Object.fromEntries(rows));
});

/**
 * Tries mutants of a folder, and prints each mutant that no test noticed.
 * @param {string} folder of src
 * @param {{ count: number, seed: number, skip: number, at: string[] }} choice skip: how many of the sample were tried before;
 * at: only these places, `FILE:LINE`
 * @returns the folder, and the number of mutants by fate
 */
async function tryFolder(folder, { count, seed, skip, at }) {
  const { described } = await import('./mutants/mutations.mjs');
  const all = await mutantsIn(folder);
  const asked = all.filter((one) => at.includes(`${one.file}:${described(one.source, one).line}`));
  const chosen = at.length > 0 ? asked : shuffled(all, seed).slice(skip, skip + count);
  const reach = await reachOf(folder, say);
  const equal = await readFile(join(root, 'docs/mutants.md'), 'utf8').catch(() => '');
  const check = await createTypeCheck();
  /** @type {Record<'tried' | Fate, number>} */
  const fates = {
    tried: 0,
    killed: 0,
    'too long': 0,
    'refused by types': 0,
    equal: 0,
    'not reached': 0,
    survived: 0,
  };
  try {
    for (const mutant of chosen) {
      const { line, change } = described(mutant.source, mutant);
      const fate = equal.includes(rowOf(mutant.file, change)) ? 'equal' : await fateOf(mutant, reach, check);
      fates.tried += 1;
      fates[fate] += 1;
      if (fate === 'survived' || fate === 'not reached') say(`${fate}: ${mutant.file}:${line}  ${change}`);
      if (fates.tried % 20 === 0) say(`${folder}, so far: ${JSON.stringify(fates)}`);
    }
  } finally {
    await check.dispose();
  }
  say(`${folder}, of ${all.length} mutants: ${JSON.stringify(fates)}`);
  return /** @type {const} */ ([folder, fates]);
}

/** The beginning of the row of docs/mutants.md that says why a mutant is equal in effect. */
function rowOf(/** @type {string} */ file, /** @type {string} */ change) {
  return `| \`${file}\` | \`${change.replaceAll('|', '\\|')}\` |`;
}

/** Runs the tests that reach a mutant: the one that mirrors its file first, then the quick ones. */
async function fateOf(
  /** @type {Mutant} */ { file, source, start, end, text },
  /** @type {import('./mutants/coverage.mjs').Reach[]} */ reach,
  /** @type {Awaited<ReturnType<typeof createTypeCheck>>} */ check,
) {
  const after = source.slice(0, start) + text + source.slice(end);
  const mirror = `test/unit/${file.slice('src/'.length, -'.ts'.length)}.test.ts`;
  const weight = (/** @type {{ test: string, seconds: number }} */ one) =>
    one.test === mirror ? 0 : one.seconds;
  const reaching = reach.filter((one) => reaches(one, file, start)).toSorted((a, b) => weight(a) - weight(b));
  const folder = await mkdtemp(join(tmpdir(), 'k3-mutant-'));
  try {
    const description = join(folder, 'mutant.json');
    const url = pathToFileURL(join(root, file)).href;
    await writeFile(description, JSON.stringify({ url, source: after }));
    const hook = pathToFileURL(join(root, 'scripts/mutants/hook.mjs')).href;
    const env = { K3_MUTANT: description, NODE_OPTIONS: `--import ${hook}` };
    for (const { part, seconds: usual } of inParts(reaching)) {
      const seconds = 15 + 3 * usual;
      const result = await runTests(
        part.map(({ test }) => test),
        env,
        seconds,
      );
      if (result !== 'passed') return result === 'failed' ? 'killed' : result;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (!(await check.accepts(file, source, after))) return 'refused by types';
  return reaching.length === 0 ? 'not reached' : 'survived';
}

/** The test files in their order, in groups. The first file, which finds most mutants, is a group of its own. */
function inParts(/** @type {import('./mutants/coverage.mjs').Reach[]} */ [first, ...others]) {
  if (first === undefined) return [];
  const parts = [{ part: [first], seconds: first.seconds }];
  for (const one of others) {
    const last = parts.at(-1);
    if (parts.length > 1 && last !== undefined && last.seconds + one.seconds <= PART_SECONDS) {
      last.part.push(one);
      last.seconds += one.seconds;
    } else parts.push({ part: [one], seconds: one.seconds });
  }
  return parts;
}

/** All mutants of a folder of `src`, by file and place. */
async function mutantsIn(/** @type {string} */ folder) {
  const { mutationsOf } = await import('./mutants/mutations.mjs');
  const names = (await readdir(join(root, 'src', folder))).filter((name) => name.endsWith('.ts')).toSorted();
  /** @type {Mutant[]} */
  const mutants = [];
  for (const name of names) {
    const file = `src/${folder}/${basename(name)}`;
    const source = await readFile(join(root, file), 'utf8');
    mutants.push(...mutationsOf(file, source).map((one) => ({ ...one, file, source })));
  }
  return mutants;
}

/**
 * The elements in a random order, which is the same for the same seed (Fisher and Yates, with the generator mulberry32).
 * @template T
 * @param {readonly T[]} list
 * @param {number} seed
 */
function shuffled(list, seed) {
  const result = [...list];
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  for (let left = result.length - 1; left > 0; left--) {
    const other = Math.floor(random() * (left + 1));
    const [a, b] = [result[left], result[other]];
    if (a !== undefined && b !== undefined) [result[left], result[other]] = [b, a];
  }
  return result;
}

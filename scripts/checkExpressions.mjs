/**
 * Checks that every regular expression in `src` takes linear time for any text. Other expressions have to be in
 * `scripts/boundedExpressions.json`, with the reason why their text is short or our own. The checker runs as a native program
 * if there is one for the platform, which takes a fifth of the time; otherwise it runs in this process.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';
import { cache, main, root, say } from './lib/project.mjs';

/**
 * The file with the expressions that a version of the checker found to be linear, also in other branches and checkouts, so that each
 * expression is checked once on a machine. The result depends only on the expression and the version.
 */
const fileOf = (/** @type {string} */ version) => join(cache, `expressions-${version}.json`);

/**
 * Milliseconds for one expression. The checker needs a few milliseconds for most, and up to 18 s of processor time for some, which
 * take a minute on a busy machine. Its searches have no time limit of their own, so that the result doesn't depend on the machine.
 */
const LIMITS = { timeout: 300_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

await main(import.meta.url, async () => {
  /** @type {Record<string, Record<string, string>>} file → expression → reason */
  const bounded = JSON.parse(await readFile(join(root, 'scripts/boundedExpressions.json'), 'utf8'));
  const version = JSON.parse(await readFile(join(root, 'node_modules/recheck/package.json'), 'utf8')).version;
  const known = await readKnown(version);
  const found = new Set();
  const problems = [];
  const used = new Set();
  for (const { file, line, expression, pattern, flags } of await expressionsOf(join(root, 'src'))) {
    if (bounded[file]?.[expression] !== undefined) {
      used.add(`${file} ${expression}`);
      continue;
    }
    if (known.has(expression) || found.has(expression)) continue;
    const result = await check(pattern, flags, LIMITS);
    if (result.status === 'safe') found.add(expression);
    else {
      const why = result.status === 'vulnerable' ? result.complexity.summary : result.error.kind;
      problems.push(`src/${file}:${line}  ${expression}  ${why}`);
    }
  }
  if (found.size > 0) await writeKnown(version, found);
  for (const [file, expressions] of Object.entries(bounded))
    for (const expression of Object.keys(expressions))
      if (!used.has(`${file} ${expression}`))
        problems.push(`scripts/boundedExpressions.json: ${file} no longer has ${expression}`);
  for (const problem of problems) say(problem);
  if (problems.length > 0) process.exitCode = 1;
  else say('Every expression takes linear time, or has a short text.');
});

/** @returns the expressions that this version of the checker found to be linear */
async function readKnown(/** @type {string} */ version) {
  try {
    const known = JSON.parse(await readFile(fileOf(version), 'utf8'));
    return new Set(Array.isArray(known) ? known : []);
  } catch {
    return new Set();
  }
}

/**
 * Adds expressions to the current file, because another checkout can have added its own meanwhile. The file is written under another
 * name and then renamed. If it can't be written, the expressions are checked again the next time.
 *
 * @param {string} version @param {ReadonlySet<string>} found
 */
async function writeKnown(version, found) {
  try {
    await mkdir(cache, { recursive: true });
    const unfinished = join(cache, `${randomUUID()}.new`);
    await writeFile(unfinished, JSON.stringify([...(await readKnown(version)), ...found]));
    await rename(unfinished, fileOf(version));
  } catch (error) {
    say(`What is known of expressions could not be kept: ${error}`);
  }
}

/**
 * @param {string} folder
 * @returns the expressions that are written as literals, each once for a file
 */
async function expressionsOf(folder) {
  const found = new Map();
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((one) => one.endsWith('.ts')).toSorted()) {
    const text = await readFile(join(folder, name), 'utf8');
    const file = name.split(sep).join('/');
    const visitor = new Visitor({
      Literal(node) {
        if (!('regex' in node)) return;
        const { pattern, flags } = node.regex;
        const expression = `/${pattern}/${flags}`;
        const line = text.slice(0, node.start).split('\n').length;
        found.set(`${file} ${expression}`, { file, line, expression, pattern, flags });
      },
    });
    visitor.visit(parseSync(name, text).program);
  }
  return [...found.values()];
}

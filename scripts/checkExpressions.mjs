/**
 * Checks that every regular expression in `src` takes linear time, whatever the text. One that doesn't has to be in
 * `scripts/boundedExpressions.json`, with the reason why its text is short or our own.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { main, root, say } from './lib/project.mjs';

// In this process: the native programs of the checker aren't there for every platform.
process.env['RECHECK_BACKEND'] = 'pure';
const { check } = await import('recheck');

/** Milliseconds for one expression. The checker needs a few for most, and some seconds for a few. */
const TIMEOUT = 60_000;

await main(import.meta.url, async () => {
  /** @type {Record<string, Record<string, string>>} file → expression → reason */
  const bounded = JSON.parse(await readFile(join(root, 'scripts/boundedExpressions.json'), 'utf8'));
  const problems = [];
  const used = new Set();
  for (const { file, line, expression, pattern, flags } of await expressionsOf(join(root, 'src'))) {
    if (bounded[file]?.[expression] !== undefined) {
      used.add(`${file} ${expression}`);
      continue;
    }
    const result = await check(pattern, flags, { timeout: TIMEOUT });
    if (result.status === 'safe') continue;
    const why = result.status === 'vulnerable' ? result.complexity.summary : result.error.kind;
    problems.push(`src/${file}:${line}  ${expression}  ${why}`);
  }
  for (const [file, expressions] of Object.entries(bounded))
    for (const expression of Object.keys(expressions))
      if (!used.has(`${file} ${expression}`))
        problems.push(`scripts/boundedExpressions.json: ${file} no longer has ${expression}`);
  for (const problem of problems) say(problem);
  if (problems.length > 0) process.exitCode = 1;
  else say('Every expression takes linear time, or has a short text.');
});

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

/** Plays all rows, or those of the faults that are named, and prints the table. Run by `npm run faults`. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FAULTS } from './all.ts';
import { rowsOf } from './fault.ts';
import { runRows, toPlain } from './run.ts';
import { toLines } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, 'at-once': { type: 'string' } },
});
const wanted = FAULTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
if (wanted.length === 0) {
  console.error(`There is no such fault. The faults are: ${FAULTS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const atOnce = Number(values['at-once'] ?? 0);
const start = performance.now();
const results = await runRows(rowsOf(wanted), atOnce > 0 ? { atOnce } : {});
for (const line of toLines(results)) console.log(line);
console.log(`in ${((performance.now() - start) / 1000).toFixed(1)} s`);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results.map(toPlain), undefined, 1));
process.exit(results.every(({ violations }) => violations.length === 0) ? 0 : 1);

/** Runs all rows, or the rows of the named faults, and prints the table. Run by `npm run faults`. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FAULTS } from './all.ts';
import { rowsOf } from './fault.ts';
import { runRows, runStoreFaults, toPlain } from './run.ts';
import { STORE_FAULTS } from './store/disk.ts';
import { toLines } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, 'at-once': { type: 'string' } },
});
const isWanted = ({ name }: { readonly name: string }) =>
  positionals.length === 0 || positionals.includes(name);
const wanted = FAULTS.filter(isWanted);
const ofDisk = STORE_FAULTS.filter(isWanted);
if (wanted.length + ofDisk.length === 0) {
  const names = [...FAULTS, ...STORE_FAULTS].map(({ name }) => name).join(', ');
  console.error(`There is no such fault. The faults are: ${names}`);
  process.exit(2);
}
const atOnce = Number(values['at-once'] ?? 0);
const start = performance.now();
const results = [
  ...(await runRows(rowsOf(wanted), atOnce > 0 ? { atOnce } : {})),
  ...(await runStoreFaults(ofDisk)),
];
for (const line of toLines(results)) console.log(line);
console.log(`in ${((performance.now() - start) / 1000).toFixed(1)} s`);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results.map(toPlain), undefined, 1));
process.exit(results.every(({ violations }) => violations.length === 0) ? 0 : 1);

/** The results as lines of text. */
import { groupBy } from '../../src/text/groupBy.ts';
import { nameOf, type RowResult, toTotals } from './run.ts';

export function toLines(results: readonly RowResult[]): readonly string[] {
  const byFault = [...groupBy(results, ({ row }) => row.fault.name)];
  const lines = byFault.map(([name, rows]) => {
    const survived = rows.filter(({ violations }) => violations.length === 0).length;
    const outcomes = [...new Set(rows.map(({ outcome }) => outcome))].sort().join(', ');
    return cells(name, String(rows.length), String(survived), String(slowest(rows, 'stopped')), outcomes);
  });
  return [
    cells('fault', 'rows', 'survived', 'stop ms', 'outcomes'),
    ...lines,
    '',
    ...toFailures(results),
    ...toTotalLines(results),
  ];
}

const slowest = (rows: readonly RowResult[], key: 'stopped' | 'lasted') =>
  Math.max(...rows.map((row) => row[key]));

const cells = (name: string, rows: string, survived: string, ms: string, rest: string) =>
  `${name.padEnd(28)} ${rows.padStart(5)} ${survived.padStart(9)} ${ms.padStart(8)}  ${rest}`;

function toFailures(results: readonly RowResult[]): readonly string[] {
  return results.flatMap(({ row, violations }) =>
    violations.map(({ rule, says }) => `✗ ${nameOf(row)}\n    ${rule}: ${says}`),
  );
}

function toTotalLines(results: readonly RowResult[]): readonly string[] {
  const totals = toTotals(results);
  return [
    `faults tried                  ${totals.rows}`,
    `survived                      ${totals.survived}`,
    `received characters lost      ${totals.charactersLost}`,
    `twice-sent requests           ${totals.sentTwice}`,
    `turns that did not end        ${totals.notEnded}`,
    `account entries missing       ${totals.accountMissing}`,
  ];
}

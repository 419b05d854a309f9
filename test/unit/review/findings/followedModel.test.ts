/** Lines that are followed through random changes, against lines that have numbers of their own. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type FollowedLines, followLines } from '../../../../src/review/findings/followedLines.ts';

/** The number of random cases. `RUNS=100000` is the long version. */
const RUNS = Number(process.env['RUNS'] ?? 2000);
const SEED = Number(process.env['SEED'] ?? 1);

interface Line {
  readonly id: number;
  readonly text: string;
}

const act = fc.record({
  /** Inserts or deletes lines, from their beginning or from the end of the one above; replaces them; types in one. */
  kind: fc.constantFrom('insert', 'enter', 'delete', 'deleteEnds', 'replace', 'type'),
  at: fc.nat(20),
  count: fc.integer({ min: 1, max: 3 }),
});

type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;
type Change = Parameters<typeof followLines>[1][number];

/** What an act does at a line; undefined if the text has too few lines for it. */
function perform({ kind, count }: Act, line: number, lines: readonly Line[], fresh: () => Line, end: string) {
  const lengthOf = (index: number) => lines[index]?.text.length ?? 0;
  const added = ['insert', 'enter', 'replace'].includes(kind) ? Array.from({ length: count }, fresh) : [];
  const texts = added.map(({ text }) => text);
  const put = (from: number, to: number) => [...lines.slice(0, from), ...added, ...lines.slice(to)];
  const change = (from: readonly [number, number], to: readonly [number, number], text: string): Change => ({
    ...{ startLine: from[0], startCharacter: from[1] },
    ...{ endLine: to[0], endCharacter: to[1], text },
  });
  const last = line + count;
  switch (kind) {
    case 'insert':
      return {
        change: change([line, 0], [line, 0], texts.join(end) + end),
        next: put(line, line),
        last: line,
      };
    case 'enter': {
      const place = [line, lengthOf(line)] as const;
      return {
        change: change(place, place, end + texts.join(end)),
        next: put(line + 1, line + 1),
        last: line,
      };
    }
    case 'delete':
      if (last >= lines.length) return undefined;
      return { change: change([line, 0], [last, 0], ''), next: put(line, last), last };
    case 'deleteEnds': {
      if (last >= lines.length) return undefined;
      const ends = change([line, lengthOf(line)], [last, lengthOf(last)], '');
      return { change: ends, next: put(line + 1, last + 1), last };
    }
    case 'replace': {
      if (last > lines.length) return undefined;
      const all = change([line, 0], [last - 1, lengthOf(last - 1)], texts.join(end));
      return { change: all, next: put(line, last), last };
    }
    case 'type': {
      const next = lines.map((one, index) => (index === line ? { ...one, text: `x${one.text}` } : one));
      return { change: change([line, 0], [line, 0], 'x'), next, last: line };
    }
  }
}

describe('Lines of a text that changes', () => {
  it('are followed as long as one of them is left, without others that were there before', () => {
    fc.assert(
      fc.property(
        fc.record({
          count: fc.integer({ min: 1, max: 9 }),
          first: fc.nat(8),
          more: fc.nat(3),
          end: fc.constantFrom('\n', '\r\n'),
          events: fc.array(fc.array(act, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 4 }),
        }),
        ({ count, first, more, end, events }) => {
          let ids = 0;
          const fresh = (): Line => ({ id: ids, text: `line ${ids++}` });
          let lines: readonly Line[] = Array.from({ length: count }, fresh);
          const startLine = first % count;
          let now: Pick<FollowedLines, 'lines' | 'deleted'> = {
            lines: { startLine, endLine: Math.min(count - 1, startLine + more) },
            deleted: undefined,
          };
          const mine = new Set(lines.slice(startLine, now.lines.endLine + 1).map(({ id }) => id));
          const textOf = () => lines.map(({ text }) => text).join(end);
          for (const event of events) {
            const before = textOf();
            const changes: Change[] = [];
            let below = lines.length;
            const { length } = lines;
            for (const one of event.toSorted((a, b) => (b.at % length) - (a.at % length))) {
              // A changed line below deleted ones is what they were replaced with.
              if (one.kind === 'type' && event.length > 1) continue;
              const done = perform(one, one.at % length, lines, fresh, end);
              if (done === undefined || done.last >= below + (changes.length === 0 ? 1 : 0)) continue;
              below = one.at % length;
              changes.push(done.change);
              lines = done.next;
            }
            if (changes.length === 0) continue;
            now = followLines(now, changes, before, textOf());
            const at = [...lines.keys()].filter((index) => mine.has(lines[index]?.id ?? -1));
            if (at.length === 0) return;
            const { startLine: from, endLine: to } = now.lines;
            const said = JSON.stringify({ before, changes, now });
            assert.ok(from <= (at[0] ?? 0) && (at.at(-1) ?? 0) <= to && to < lines.length, said);
            const inside = lines.slice(from, to + 1);
            assert.ok(
              inside.every(({ id }) => mine.has(id) || id >= count),
              said,
            );
          }
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  }).timeout(3_600_000);
});

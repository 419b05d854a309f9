/** Finds the violations in a row: of the rules for all rows, and of the expectations of its fault. */
import type { Turn } from '../../src/conversation/turn.ts';
import type { Text } from './answer.ts';
import type { Expected, Row } from './fault.ts';
import { LIMIT, type Played } from './play.ts';

/** The rules for each row, and the expectations of the fault. */
export const RULES = [
  'lost',
  'sent twice',
  'not ended',
  'account',
  'late',
  'stop',
  'outcome',
  'told',
  'open',
  'times',
] as const;
export type Rule = (typeof RULES)[number];

export interface Violation {
  readonly rule: Rule;
  readonly says: string;
}

/** The allowed time after the limit of the phase, and from a stop to the end of the turn, in milliseconds. */
const MAY_BE_LATE = 1000;
const STOPS_WITHIN = 100;

/** Longer than any turn of a row, in milliseconds. */
const LONGEST = 60_000;

const KEPT_ALIVE_FACTOR = 4;

/** The rules for a turn that is not stopped. */
export function judgeEnd(row: Row, played: Played): readonly Violation[] {
  const expected = row.fault.expected(row);
  const found = [...judgeAlways(played), ...judgeOutcome(expected, played), ...judgeTold(expected, played)];
  const allowed = limitOf(row) + (expected.longer ?? 0) + MAY_BE_LATE;
  if (played.ends > 0 && played.lasted > allowed)
    found.push({ rule: 'late', says: `ended after ${Math.round(played.lasted)} ms, allowed ${allowed}` });
  const posts = postsOf(row, expected);
  if (played.ledger.posts !== posts)
    found.push({
      rule: played.ledger.posts > posts ? 'sent twice' : 'outcome',
      says: `${played.ledger.posts} requests, expected ${posts}`,
    });
  return found;
}

/** The rules for a turn that is stopped in the fault. If the fault ends a turn at once, the turn may have ended before the stop. */
export function judgeStop(row: Row, played: Played): readonly Violation[] {
  const { outcome } = row.fault.expected(row);
  const found = [...judgeAlways(played)];
  const is = played.turn?.outcome;
  const mayEnd = row.fault.waits === undefined && is === outcome;
  if (is !== 'stopped' && !mayEnd) found.push({ rule: 'outcome', says: `stopped, but ended as ${is}` });
  if (played.ends > 0 && played.lasted > STOPS_WITHIN)
    found.push({ rule: 'stop', says: `stopped after ${Math.round(played.lasted)} ms` });
  return found;
}

/** All requests of a turn: those of the round of the fault, and those of the round before or after it. */
function postsOf({ phase }: Row, { posts, outcome }: Expected): number {
  const complete = outcome === 'complete';
  if (phase === 'connecting') return complete ? 1 : 0;
  return (posts ?? 1) + (phase.startsWith('tool-') || (phase === 'arguments' && complete) ? 1 : 0);
}

function limitOf({ fault: { waits } }: Row): number {
  if (waits === undefined) return 0;
  return waits === 'limit' ? LIMIT : LIMIT * KEPT_ALIVE_FACTOR;
}

function judgeAlways({ turn, ends, text, ledger, account, stored, open }: Played): Violation[] {
  const found: Violation[] = [];
  const say = (rule: Rule, says: string) => void found.push({ rule, says });
  if (ends !== 1) say('not ended', `${ends} outcomes`);
  if (ledger.late > 0) say('sent twice', `${ledger.late} requests after a body had begun`);
  if (account.length !== 1) say('account', `${account.length} entries in the account`);
  else if (account[0] !== turn?.outcome) say('account', `${turn?.outcome} stands there as ${account[0]}`);
  if (ends > 0 && stored.outcome !== turn?.outcome) say('lost', `stored as ${stored.outcome}`);
  if (!isSame(stored.text, text)) say('lost', `stored text: ${show(stored.text)} instead of ${show(text)}`);
  const odd = turn === undefined ? [] : timesOf(turn).filter((time) => time < 0 || time > LONGEST);
  if (odd.length > 0) say('times', `durations of ${odd.join(', ')} ms`);
  if (open > 0) say('open', `${open} connections stay open`);
  return found;
}

/** All measured durations of a turn, in milliseconds. */
function timesOf({ timings, rounds }: Turn): readonly number[] {
  const { connected, firstReasoning, firstAnswer, ended, lastLife } = timings;
  const ends = rounds.map(({ times }) => times.endedAt - times.startedAt);
  return [connected, firstReasoning, firstAnswer, ended, lastLife, ...ends].filter(
    (time) => time !== undefined,
  );
}

function judgeOutcome(expected: Expected, { turn, text, ledger }: Played): Violation[] {
  const found: Violation[] = [];
  if (!isSame(text, ledger.text))
    found.push({ rule: 'lost', says: `${show(text)} instead of ${show(ledger.text)}` });
  const kinds = [expected.failure ?? []].flat();
  const kind = turn?.failure?.kind;
  const isKind = kind === undefined ? kinds.length === 0 : kinds.includes(kind);
  if (turn?.outcome !== expected.outcome || !isKind)
    found.push({
      rule: 'outcome',
      says: `${turn?.outcome} (${kind ?? 'no failure'}), expected ${expected.outcome} (${kinds.join(' or ') || 'no failure'})`,
    });
  return found;
}

const NOTICE_OF = { empty: 'empty-answer' } as const;

function judgeTold({ outcome, also = [], told }: Expected, played: Played): Violation[] {
  const codes = played.told.map(({ code }) => code);
  const first =
    outcome === 'complete' || outcome === 'stopped' ? [] : [outcome === 'empty' ? NOTICE_OF.empty : outcome];
  const expected = [...first, ...also];
  if (codes.join() !== expected.join())
    return [
      {
        rule: 'told',
        says: `notices ${codes.join(', ') || 'none'}, expected ${expected.join(', ') || 'none'}`,
      },
    ];
  const text = played.told[0]?.text ?? '';
  if (told !== undefined && !told.test(text))
    return [{ rule: 'told', says: `“${text}” doesn’t say ${told}` }];
  return [];
}

/** The number of characters of a text that are missing or were never sent. */
export const charactersLost = ({ text, ledger }: Played): number =>
  (['reasoning', 'answer', 'calls'] as const).reduce(
    (sum, part) =>
      sum +
      (text[part] === ledger.text[part] ? 0 : Math.max(1, ledger.text[part].length - text[part].length)),
    0,
  );

const isSame = (a: Text, b: Text) =>
  a.reasoning === b.reasoning && a.answer === b.answer && a.calls === b.calls;
const show = (text: Text) => JSON.stringify(text);

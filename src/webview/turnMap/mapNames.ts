/** The names of the parts of a map, for the line below the map and for screen readers. */
import { isolated } from '../../panel/direction.ts';
import { durationText } from '../../panel/durations.ts';
import type { MapPart } from '../../panel/turnMapParts.ts';
import type { TurnView } from '../../panel/views.ts';
import { joinList } from '../base/joinList.ts';
import type { PageContext } from '../base/pageContext.ts';

type Word = PageContext['word'];

/** A shorter time would be shown as 0 seconds. In milliseconds. */
const MIN_MS = 50;
/** How much longer a call may be than its part of the row before the name says that other calls ran in parallel. In milliseconds. */
const MIN_BESIDE_MS = 50;

/** The name of a kind of parts. */
export function kindName({ kind }: Pick<MapPart, 'kind'>, word: Word): string {
  switch (kind) {
    case 'waiting':
      return word('Waiting for the service');
    case 'step':
    case 'reasoning':
      return word('Reasoning');
    case 'answer':
      return word('Answer');
    case 'writing':
      return word('Writing tool calls');
    case 'approval':
      return word('Waiting for approval');
    case 'call':
      return word('Tools');
    case 'between':
      return word('Between requests');
    case 'silence':
      return word('No data');
    case 'input':
      return word('Input');
    case 'uncached':
      return word('Uncached input');
    case 'cached':
      return word('Cached input');
  }
}

function label(part: MapPart, turn: TurnView, word: Word): string {
  if (part.kind === 'step') return word('Step {0}: {1}', (part.step ?? 0) + 1, isolated(part.title ?? ''));
  const title = isolated(callOfPart(part, turn)?.title ?? '');
  if (part.kind === 'call') return word('Tool call, {0}', title);
  const name = kindName(part, word);
  return part.kind === 'approval' && title !== '' ? joinList([name, title], word) : name;
}

/** The call that a part is about, even if it was cut off. */
export function callOfPart({ round = -1, call = -1 }: MapPart, turn: TurnView) {
  return (round === turn.rounds.length ? turn.toolCalls : turn.rounds[round]?.calls)?.[call];
}

/** The name of one part or of several, with their figures. */
export function nameOfParts(
  parts: readonly MapPart[],
  row: 'times' | 'tokens',
  turn: TurnView,
  word: Word,
): string {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return '';
  if (parts.length === 1) {
    const { ms = 0, tokens, estimated = false, value } = first;
    const isBeside = first.kind === 'call' && row === 'times' && ms > value + MIN_BESIDE_MS;
    const time = row === 'times' ? [atLeastText(ms, word)] : secondsText(ms, word);
    const took = [...time, ...(isBeside ? [word('in parallel with other tool calls')] : [])];
    return joinList([label(first, turn, word), ...took, ...tokenFigures(tokens, estimated, word)], word);
  }
  const name = word(
    '{0} more, from “{1}” to “{2}”',
    parts.length,
    label(first, turn, word),
    label(last, turn, word),
  );
  const sum = sumOf(parts);
  const isEstimated = parts.some(({ estimated }) => estimated);
  return joinList(
    [name, ...(row === 'times' ? secondsText(sum, word) : tokenFigures(sum, isEstimated, word))],
    word,
  );
}

export const sumOf = (parts: readonly MapPart[]) => parts.reduce((sum, { value }) => sum + value, 0);

export function secondsText(ms: number, word: Word): readonly string[] {
  if (ms < MIN_MS) return [];
  return [durationText(ms, word)];
}

/** Parts of the row of times always have a time, even a very short one. Without it, they would seem to be about tokens. */
const atLeastText = (ms: number, word: Word): string => secondsText(ms, word)[0] ?? `< ${word('{0} s', 0.1)}`;

export function tokenFigures(
  tokens: number | undefined,
  isEstimated: boolean,
  word: Word,
): readonly string[] {
  if (tokens === undefined) return [];
  return [
    isEstimated
      ? word('about {0, plural, one {# token} other {# tokens}}', tokens)
      : word('{0, plural, one {# token} other {# tokens}}', tokens),
  ];
}

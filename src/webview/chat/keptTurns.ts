/** Finds the turns of a snapshot that the page already shows. */
import type { PanelState } from '../../panel/panelState.ts';
import type { ExchangeView } from '../../panel/views.ts';

type Shown = NonNullable<ExchangeView['turn']>;

/**
 * The IDs of the turns whose texts are the same as on the page, or continue them. The elements of these turns stay, with the text that
 * the user selects in them: a snapshot comes after each round that has text.
 */
export function keptTurns(before: PanelState | undefined, { exchanges }: PanelState): ReadonlySet<string> {
  const known = new Map(before?.exchanges.map(({ turn }) => [turn?.id, turn]));
  return new Set(
    exchanges.flatMap(({ turn }) =>
      turn !== undefined && goesOn(known.get(turn.id), turn) ? [turn.id] : [],
    ),
  );
}

function goesOn(before: Shown | undefined, { answer, reasoning, rounds, outcome }: Shown): boolean {
  if (before === undefined || (before.outcome !== 'running' && outcome === 'running')) return false;
  const isEnded = before.outcome !== 'running';
  return (
    (isEnded ? answer === before.answer : answer.startsWith(before.answer)) &&
    (isEnded ? reasoning === before.reasoning : reasoning.startsWith(before.reasoning)) &&
    before.rounds.every((round, at) => round.answer === rounds[at]?.answer)
  );
}

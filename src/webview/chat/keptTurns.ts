/** Which turns of a snapshot the page shows already. */
import type { PanelState } from '../../panel/panelState.ts';
import type { ExchangeView } from '../../panel/views.ts';

type Shown = NonNullable<ExchangeView['turn']>;

/**
 * The ids of the turns whose texts are those that the page had, or go on from there. Their elements stay, with what the user selects
 * in them: there is a snapshot after each round that has words.
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

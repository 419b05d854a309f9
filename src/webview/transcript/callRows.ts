/** The rows that show the rounds of a turn, in order: texts, tool calls, and groups of consecutive finished calls. */
import type { PlanView, ToolCallView, TurnView } from '../../panel/views.ts';

/** A call and its place. Rounds and indexes count from 0. */
export interface PlacedCall {
  readonly call: ToolCallView;
  readonly round: number;
  readonly index: number;
}

export type CallRow =
  | { readonly kind: 'text'; readonly round: number; readonly answer: string }
  | { readonly kind: 'call'; readonly placed: PlacedCall }
  /** The plan of the answer, at the place of the call that has last written it. */
  | { readonly kind: 'plan'; readonly placed: PlacedCall; readonly plan: PlanView }
  /** Two or more calls. */
  | { readonly kind: 'group'; readonly calls: readonly PlacedCall[] };

/**
 * Only calls that are done are grouped: the others need the user, or explain why the answer is as it is. Text between two calls
 * separates them; the end of a round doesn't.
 */
export function toCallRows(rounds: TurnView['rounds']): readonly CallRow[] {
  const rows: CallRow[] = [];
  let done: PlacedCall[] = [];
  const endGroup = () => {
    const [first] = done;
    if (first !== undefined)
      rows.push(done.length === 1 ? { kind: 'call', placed: first } : { kind: 'group', calls: done });
    done = [];
  };
  for (const [round, { answer, calls }] of rounds.entries()) {
    if (answer !== '') {
      endGroup();
      rows.push({ kind: 'text', round, answer });
    }
    for (const [index, call] of calls.entries()) {
      const placed = { call, round, index };
      if (call.plan !== undefined) {
        endGroup();
        rows.push({ kind: 'plan', placed, plan: call.plan });
      } else if (call.state === 'done') {
        done.push(placed);
      } else {
        endGroup();
        rows.push({ kind: 'call', placed });
      }
    }
  }
  endGroup();
  return rows;
}

/** A key that identifies a row while others are added after it. */
export function rowKeyOf(row: CallRow): string {
  if (row.kind === 'plan') return 'plan';
  if (row.kind === 'text') return `text/${row.round}`;
  const first = row.kind === 'call' ? row.placed : row.calls[0];
  return `${row.kind}/${first?.round}/${first?.index}`;
}

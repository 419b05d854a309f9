/** Comments that were sent with a review, until their answer is complete. */
import * as v from 'valibot';
import { decode, type WrongField } from '../../validation/decode.ts';
import { decodeRemarks, type Remark } from './keptRemarks.ts';

/** By the ID of the turn that answers the comments, also if it was cut off and can still be continued or tried again. */
export type SentRemarks = ReadonlyMap<string, readonly Remark[]>;

/** A turn that has ended. */
export interface EndedTurn {
  readonly id: string;
  /** The turn whose answer this turn continues. */
  readonly continues: string | undefined;
  /** All attempts for the question of this turn. */
  readonly attempts?: readonly string[];
  /** Whether the answer, with its earlier parts, is complete. */
  readonly whole: boolean;
}

export interface SettledRemarks {
  readonly sent: SentRemarks;
  /** The comments that return to the editor, because their answer is not complete. */
  readonly back: readonly Remark[];
  /** The comments that are answered. Some may be in the editor again, because an earlier part of the answer was cut off. */
  readonly done: readonly Remark[];
}

export function settleRemarks(
  sent: SentRemarks,
  { id, continues = '', attempts = [], whole }: EndedTurn,
): SettledRemarks {
  const own = sent.get(id);
  const written = own ?? [continues, ...attempts].map((one) => sent.get(one)).find(Boolean);
  if (written === undefined) return { sent, back: [], done: [] };
  if (!whole) return { sent: new Map([...sent, [id, written]]), back: own ?? [], done: [] };
  return { sent: new Map([...sent].filter(([, one]) => one !== written)), back: [], done: written };
}

/**
 * The comments after `how` has changed those of each turn, for example after a rename. Turns that share a list share the changed
 * list, too.
 */
export function withEachSent(
  sent: SentRemarks,
  how: (written: readonly Remark[]) => readonly Remark[],
): SentRemarks {
  const changed = new Map([...sent.values()].map((written) => [written, how(written)]));
  return new Map([...sent].map(([turnId, written]) => [turnId, changed.get(written) ?? written]));
}

/** The comments in the editor that were sent or answered. Comments that the user has changed since are not included. */
export function doneOf(remarks: readonly Remark[], done: readonly Remark[]): readonly Remark[] {
  return remarks.filter((one) => done.some(({ id, text }) => id === one.id && text === one.text));
}

/** The stored form of the comments whose answer is still running: a window that is reloaded isn't told how the answer ends. */
export const toStoredSent = (sent: SentRemarks, running: ReadonlySet<string>): readonly unknown[] =>
  [...sent].flatMap(([turnId, remarks]) => (running.has(turnId) ? [{ turnId, remarks }] : []));

const storedSent = v.array(v.unknown());
const storedTurn = v.object({ turnId: v.string(), remarks: v.unknown() });

/**
 * The stored comments that can be read. Another version of the extension may have written them.
 *
 * @param stored undefined when nothing is stored
 * @param onWrong called for each turn and each comment that is left out
 */
export function decodeSent(stored: unknown, onWrong: (wrong: WrongField) => void): SentRemarks {
  const list = decode(storedSent, stored ?? []);
  if (!list.ok) onWrong(list.wrong);
  const turns = (list.ok ? list.value : []).flatMap((one) => {
    const turn = decode(storedTurn, one);
    if (!turn.ok) onWrong(turn.wrong);
    return turn.ok ? [[turn.value.turnId, decodeRemarks(turn.value.remarks, onWrong)] as const] : [];
  });
  return new Map(turns);
}

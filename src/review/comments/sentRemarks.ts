/** Comments that were sent with a review, until their answer is complete. */
import * as v from 'valibot';
import { decode, type WrongField } from '../../validation/decode.ts';
import { decodeRemarks, type Remark } from './keptRemarks.ts';

/** By the turn that answers them, or by the one that was cut off and can still be continued, or tried again. */
export type SentRemarks = ReadonlyMap<string, readonly Remark[]>;

/** A turn that has ended. */
export interface EndedTurn {
  readonly id: string;
  /** The turn whose answer it continues. */
  readonly continues: string | undefined;
  /** All attempts for its question. */
  readonly attempts?: readonly string[];
  /** Whether its answer, with its earlier parts, is complete. */
  readonly whole: boolean;
}

export interface SettledRemarks {
  readonly sent: SentRemarks;
  /** The comments that return to the editor, because their answer is not complete. */
  readonly back: readonly Remark[];
  /** The comments that are done, of which some may be in the editor again since an earlier part was cut off. */
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

/** The comments after those of each turn were changed, such as renamed. What two turns share, they still share. */
export function withEachSent(
  sent: SentRemarks,
  how: (written: readonly Remark[]) => readonly Remark[],
): SentRemarks {
  const changed = new Map([...sent.values()].map((written) => [written, how(written)]));
  return new Map([...sent].map(([turnId, written]) => [turnId, changed.get(written) ?? written]));
}

/** Of the comments in the editor, those that were sent, or are done. One that the user has changed since is not. */
export function doneOf(remarks: readonly Remark[], done: readonly Remark[]): readonly Remark[] {
  return remarks.filter((one) => done.some(({ id, text }) => id === one.id && text === one.text));
}

/** Those whose answer is running, as they are stored: a window that is reloaded is not told how it ends. */
export const toStoredSent = (sent: SentRemarks, running: ReadonlySet<string>): readonly unknown[] =>
  [...sent].flatMap(([turnId, remarks]) => (running.has(turnId) ? [{ turnId, remarks }] : []));

const storedSent = v.array(v.unknown());
const storedTurn = v.object({ turnId: v.string(), remarks: v.unknown() });

/**
 * Those that can be read. Another version of the extension may have written them.
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

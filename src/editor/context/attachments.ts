/**
 * What is attached to the next message: context, what is still being read or scaled, and images that were
 * rejected.
 */
import { randomUUID } from 'node:crypto';
import { type ContextItem, hasLines, isSameContext } from '../../conversation/context/context.ts';

/** Context that is sent with the next message. */
export interface AttachedContext {
  /** Stays the same when the item is read again. */
  readonly id: string;
  readonly item: ContextItem;
  /** Its source has changed since it was added. */
  readonly changed: boolean;
}

export const toAttached = (item: ContextItem): AttachedContext => ({
  id: randomUUID(),
  item,
  changed: item.older === true,
});

/**
 * Whether both are about the same source. Its file may have another name now: an item that has the name is about it. Two symbols
 * of a file can have one name, and two selections be in one line. The label of a cell, or in another set of folders that of any file,
 * changes while its address stays.
 *
 * @param changed the source of the first one has changed since it was read
 */
export const isSameSource = (one: ContextItem, other: ContextItem, changed = one.older === true): boolean =>
  one.kind === other.kind &&
  one.uri === other.uri &&
  (one.label === other.label || one.kind === 'file' || one.kind === 'folder') &&
  commandOf(one) === commandOf(other) &&
  (changed || !hasLines(one) || isSameContext(one, other));

/** The command of an output of a terminal. The label of the item can have only the beginning of it. */
const commandOf = ({ kind, parts: [part] }: ContextItem): string | undefined =>
  kind === 'terminal' ? part?.label.replace(/,[^,]*$/, '') : undefined;

/** The stored items that are not attached yet, and behind them what is attached. */
export const withStored = (
  context: readonly AttachedContext[],
  stored: readonly ContextItem[],
): readonly AttachedContext[] => [
  ...stored
    .filter((item) => !context.some((one) => isSameSource(one.item, item, one.changed)))
    .map(toAttached),
  ...context,
];

/** An image, or context that is read for the first time. */
export interface WorkingItem {
  readonly name: string;
  readonly isContext?: true;
  cancel(): void;
  /** Resolves when it is attached, rejected, or canceled. */
  readonly done: Promise<void>;
}

export interface RejectedImage {
  readonly text: string;
  /** The user can select the image as a file instead. */
  readonly offersFile: boolean;
}

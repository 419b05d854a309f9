/** The attachments of the next message: context, items that are still being read or scaled, and images that were rejected. */
import { randomUUID } from 'node:crypto';
import { type ContextItem, hasLines, isSameContext } from '../../conversation/context/context.ts';

/** Context that is sent with the next message. */
export interface AttachedContext {
  /** An ID that stays the same when the item is read again. */
  readonly id: string;
  readonly item: ContextItem;
  /** Whether the source of the item has changed since it was attached. */
  readonly changed: boolean;
}

export const toAttached = (item: ContextItem): AttachedContext => ({
  id: randomUUID(),
  item,
  changed: item.older === true,
});

/**
 * Whether two items have the same source. By now, the file of the first item may have another name; then an item with its
 * name has the same source. Two symbols of a file can have the same name, and two selections can be in the same line. The
 * label of a cell, or of any file when other folders are opened, can change while its URI stays the same.
 *
 * @param changed whether the source of the first item has changed since it was read
 */
export const isSameSource = (one: ContextItem, other: ContextItem, changed = one.older === true): boolean =>
  one.kind === other.kind &&
  one.uri === other.uri &&
  (one.label === other.label || one.kind === 'file' || one.kind === 'folder') &&
  commandOf(one) === commandOf(other) &&
  (changed || !hasLines(one) || isSameContext(one, other));

/** The command of the output of a terminal. The label of the item may contain only its beginning. */
const commandOf = ({ kind, parts: [part] }: ContextItem): string | undefined =>
  kind === 'terminal' ? part?.label.replace(/,[^,]*$/, '') : undefined;

/** The stored items that are not attached yet, followed by the attached items. */
export const withStored = (
  context: readonly AttachedContext[],
  stored: readonly ContextItem[],
): readonly AttachedContext[] => [
  ...stored
    .filter((item) => !context.some((one) => isSameSource(one.item, item, one.changed)))
    .map(toAttached),
  ...context,
];

/** An image, or context that is being read for the first time. */
export interface WorkingItem {
  readonly name: string;
  readonly isContext?: true;
  cancel(): void;
  /** Resolves when it is attached, rejected, or canceled. */
  readonly done: Promise<void>;
}

export interface RejectedImage {
  readonly text: string;
  /** Whether the user can attach the image as a file instead. */
  readonly offersFile: boolean;
}

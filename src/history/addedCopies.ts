/** Adds complete conversations: forks and imports. */
import type { Conversation } from '../conversation/conversation.ts';
import { allIdsOf, type ImportOptions, isSameExport, toImportedCopy, toOwnIds } from './importedCopy.ts';
import { allInMemory, type StoreParts } from './storeParts.ts';
import { withExportedTurns } from './unfinished.ts';

/** Adds a copy of another conversation, whose cost is already recorded. */
export function putCopy({ ends, saved, listed }: StoreParts, conversation: Conversation): void {
  ends.addCopy(conversation);
  saved.putCopy(conversation);
  listed.refresh();
}

/** A conversation in a file, and the ID of the copy that was added. */
interface Import {
  readonly conversation: Conversation;
  readonly id: string;
}

/** Returns the ID of the conversation with the import, and whether it was added now. */
type PutImported = (
  conversation: Conversation,
  options: ImportOptions,
) => { readonly id: string; readonly isNew: boolean };

export function createImports(parts: StoreParts): PutImported {
  /** The last import of each conversation, by its ID in the file, while the database couldn't say which conversations are known. */
  const imports = new Map<string, Import>();

  return (conversation, options) => {
    const finished = withExportedTurns(conversation);
    const add = (one: Conversation) => {
      putCopy(parts, one);
      return { id: one.id, isNew: true };
    };
    const known = parts.loaded.get(conversation.id);
    if (known !== undefined && [conversation, finished].some((one) => isSameExport(known, one)))
      return { id: known.id, isNew: false };
    const isOpen = parts.history?.isOpen() !== false;
    const last = isOpen ? undefined : imports.get(conversation.id);
    if (last !== undefined && parts.open.has(last.id) && isSameExport(last.conversation, conversation))
      return { id: last.id, isNew: false };
    if (isFree(parts, finished)) return add(finished);
    const copy = toImportedCopy(finished, { ...options, newId: toOwnIds(finished) });
    const earlier = parts.loaded.get(copy.id);
    if (earlier !== undefined && isSameExport(earlier, { ...copy, createdAt: earlier.createdAt }))
      return { id: earlier.id, isNew: false };
    const imported = isFree(parts, copy) ? copy : toImportedCopy(finished, options);
    if (!isOpen) imports.set(conversation.id, { conversation, id: imported.id });
    return add(imported);
  };
}

/** Matches all IDs that this extension creates. Other IDs could be equal to those of view rows, or of parts of a turn on the page. */
const PLAIN_ID = /^[\w-]+$/;

/** Whether the IDs of a conversation, its exchanges, and its turns are all unused, unique, and plain. */
function isFree(parts: StoreParts, conversation: Conversation): boolean {
  const { history, attempt } = parts;
  const ids = allIdsOf(conversation);
  const used = new Set(allInMemory(parts).flatMap(allIdsOf));
  if (new Set(ids).size < ids.length || ids.some((id) => used.has(id) || !PLAIN_ID.test(id))) return false;
  // If the database doesn't answer, new IDs are safe.
  return attempt('looking for known conversations', () => !history?.isKnown(ids)) ?? false;
}

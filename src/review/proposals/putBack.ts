/**
 * Keeps a hunk accepted when a hunk of a later proposal that puts its original lines back is accepted. Otherwise it would be under
 * review again, and accepting all hunks would write the lines that the user has just had removed.
 */
import { toTrimmed } from '../edits/linePlaces.ts';
import { type AnchoredHunk, toTextEdit } from '../hunks/anchors.ts';
import { addedLinesOf, deletedLinesOf, toLines } from '../hunks/hunks.ts';
import { withTextChanges } from '../hunks/lineChanges.ts';
import { type FileProposal, type Proposal, withFile } from './proposal.ts';

/**
 * The proposals after a change of a file. A hunk stays accepted, marked with `putBack`, if the change would open it because it has
 * accepted hunks of a later proposal.
 *
 * @param before the proposals before the change
 * @param after the same proposals, in the same order, with the hunks in the text after the change
 * @param isStep whether undo or redo has led to a text in which the hunks of a file are known. Then they are as they were in it
 */
export function withPutBackBy(
  before: readonly Proposal[],
  after: readonly Proposal[],
  uri: string,
  isStep: (file: FileProposal) => boolean,
): readonly Proposal[] {
  const pairs = after.map((proposal, at) => ({ was: fileIn(before[at], uri), now: fileIn(proposal, uri) }));
  return after.map((one, index) => {
    const { was, now } = pairs[index] ?? {};
    if (was === undefined || now === undefined || was === now) return one;
    const known = byId(was);
    const opened = now.hunks.filter(
      ({ state, hunk }) => state === 'open' && known.get(hunk.id)?.state === 'accepted',
    );
    if (opened.length === 0 || isStep(was)) return one;
    const later = pairs.slice(index + 1).flatMap((pair) => toAccepted(pair) ?? []);
    const isPutBack = (hunk: AnchoredHunk) => later.some((accepted) => areOpposite(hunk, accepted));
    const ids = new Set(opened.filter(isPutBack).map(({ hunk }) => hunk.id));
    return ids.size === 0 ? one : withFile(one, uri, (file) => withMarked(file, ids));
  });
}

const fileIn = (proposal: Proposal | undefined, uri: string): FileProposal | undefined =>
  proposal?.files.find((file) => file.uri === uri);

const byId = ({ hunks }: FileProposal): ReadonlyMap<string, AnchoredHunk> =>
  new Map(hunks.map((one) => [one.hunk.id, one]));

interface Accepted {
  /** The lines that the accepted hunks add, and those that they delete, without trailing white space. */
  readonly added: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  /** Whether nothing else was changed. A save in another window can be a change of many lines. */
  readonly isAll: boolean;
}

/** The hunks of a file that a change has accepted; undefined if there are none. */
function toAccepted(pair: {
  readonly was: FileProposal | undefined;
  readonly now: FileProposal | undefined;
}): Accepted | undefined {
  const { was, now } = pair;
  if (was === undefined || now === undefined || was === now) return undefined;
  const known = byId(was);
  const hunks = now.hunks.filter((one) => {
    const then = known.get(one.hunk.id);
    return one.state === 'accepted' && then !== undefined && then.state !== 'accepted';
  });
  if (hunks.length === 0) return undefined;
  const changes = hunks.flatMap((one) => {
    const then = known.get(one.hunk.id);
    const edit = then && toTextEdit(then);
    return edit ? [{ offset: edit.from, removed: edit.to - edit.from, inserted: edit.text }] : [];
  });
  return {
    added: new Set(hunks.flatMap((one) => linesOf(addedLinesOf(one.hunk)))),
    deleted: new Set(hunks.flatMap((one) => linesOf(deletedLinesOf(one.hunk)))),
    isAll: withTextChanges(was.text, changes) === now.text,
  };
}

const linesOf = (text: string): readonly string[] => toLines(text).map(toTrimmed);

/**
 * Whether accepted hunks delete the lines that another one adds, and add those that it deletes. If nothing else was changed, they may do
 * so with some of the lines, because the others were changed before, or with other lines that have replaced those that were only added.
 */
function areOpposite({ hunk }: AnchoredHunk, { added, deleted, isAll }: Accepted): boolean {
  const lines = [
    ...linesOf(addedLinesOf(hunk)).map((line) => deleted.has(line)),
    ...linesOf(deletedLinesOf(hunk)).map((line) => added.has(line)),
  ];
  return isAll ? deletedLinesOf(hunk) === '' || lines.includes(true) : !lines.includes(false);
}

const withMarked = (file: FileProposal, ids: ReadonlySet<string>): FileProposal => ({
  ...file,
  hunks: file.hunks.map((one) => (ids.has(one.hunk.id) ? { ...one, state: 'accepted', putBack: true } : one)),
});

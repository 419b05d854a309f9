/** Messages that change a file in a window without an editor: each is a proposal for the text as it is then. */
import { withTextChanges } from '../../../src/review/hunks/lineChanges.ts';
import { toAcceptance } from '../../../src/review/proposals/openHunks.ts';
import {
  type FileProposal,
  type Proposal,
  toFileProposal,
  withRejected,
  withReplaced,
} from '../../../src/review/proposals/proposal.ts';
import { planRevert } from '../../../src/review/proposals/revertPlan.ts';
import { type EditorWindow, openWindow, type Shared, URI } from './sharedWindow.ts';

export const shareText = (disk: string): Shared => ({ disk, stored: new Map(), clock: 0, names: 0 });

/** The file of a proposal in a window. */
export function fileIn(at: EditorWindow, id: string): FileProposal {
  const file = at.get(id)?.files.find(({ uri }) => uri === URI);
  if (file === undefined) throw new Error(`no proposal ${id}`);
  return file;
}

/** The states of all hunks, message by message. A hunk whose original lines a later message has put back is `put back`. */
export const statesIn = (at: EditorWindow): readonly (readonly string[])[] =>
  at
    .all()
    .map(({ files }) =>
      files.flatMap(({ hunks }) => hunks.map((one) => (one.putBack ? 'put back' : one.state))),
    );

/** Proposes the text `after`. */
export function ask(at: EditorWindow, shared: Shared, after: string): string {
  const id = `p${++shared.clock}`;
  const texts = {
    uri: URI,
    label: 'a',
    isNew: false,
    before: at.text(),
    after,
    asked: undefined,
    unplaced: [],
  };
  const made: Proposal = {
    id,
    turnId: id,
    conversationId: 'c',
    createdAt: ++shared.clock,
    files: [toFileProposal({ ...texts, lineEnd: '\n' })],
    trouble: undefined,
    revises: undefined,
  };
  at.put(made);
  for (const other of at.all()) if (other.id !== id) at.put(withReplaced(other, made));
  return id;
}

/** Accepts hunks of a proposal, all of them if none are named, as one edit. */
export function accept(at: EditorWindow, id: string, ...hunkIds: readonly string[]): void {
  const file = fileIn(at, id);
  const ids = hunkIds.length > 0 ? hunkIds : file.hunks.map(({ hunk }) => hunk.id);
  at.change(
    toAcceptance(file, new Set(ids)).edits.map(({ from, to, text }) => ({
      offset: from,
      removed: to - from,
      inserted: text,
    })),
  );
}

/** A message whose changes are all accepted at once. Returns the ID of its proposal. */
export function askAndAccept(at: EditorWindow, shared: Shared, after: string): string {
  const id = ask(at, shared, after);
  accept(at, id);
  return id;
}

/** Takes proposals back, as the command does. Returns the number of hunks that were taken back, and of those that were kept. */
export function revert(at: EditorWindow, ...ids: readonly string[]): readonly [taken: number, kept: number] {
  const plan = planRevert(
    at.all().filter(({ id }) => ids.includes(id)),
    () => ({ text: at.text(), lineEnd: '\n' }),
  );
  for (const { edits, files } of plan.files) {
    at.change(edits.map(({ from, to, text }) => ({ offset: from, removed: to - from, inserted: text })));
    for (const { proposalId, file } of files)
      at.changeFile(proposalId, ({ hunks }) =>
        withRejected(
          file,
          new Set(hunks.flatMap(({ hunk, state }) => (state === 'rejected' ? [hunk.id] : []))),
        ),
      );
  }
  return [plan.count, plan.kept.length];
}

/** Replaces the first `find` in the text, as typing does. */
export function type(at: EditorWindow, find: string, inserted: string): void {
  const change = { offset: at.text().indexOf(find), removed: find.length, inserted };
  if (change.offset === -1 || withTextChanges(at.text(), [change]) === at.text())
    throw new Error(`no ${find}`);
  at.change([change]);
}

/** The window is closed and opened again. */
export function reload(at: EditorWindow, shared: Shared): EditorWindow {
  at.save();
  at.flush();
  return openWindow(at.name, shared);
}

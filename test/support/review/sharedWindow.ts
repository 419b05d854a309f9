/** A window of the editor with a file and the stored proposals, both of which other windows have as well, without an editor. */
import { type TextChange, withTextChanges } from '../../../src/review/hunks/lineChanges.ts';
import { type ChangeReason, NO_STEPS } from '../../../src/review/hunks/undoSteps.ts';
import {
  baseAfter,
  joinedWith,
  withDecidedElsewhere,
} from '../../../src/review/proposals/decidedElsewhere.ts';
import { withTextNow } from '../../../src/review/proposals/fileChanges.ts';
import { type FileProposal, type Proposal, withFile } from '../../../src/review/proposals/proposal.ts';
import {
  lastAcceptedIn,
  reviewsOfFile,
  withFileChanged,
  withProposal,
} from '../../../src/review/proposals/proposalSet.ts';
import { isKnownStep, withChanges } from '../../../src/review/proposals/proposalTextChanges.ts';
import { betweenSameLines, inverse } from './plainEditor.ts';

export const URI = 'file:///a';

/** What all windows have: the file on the disk, and the stored proposals. */
export interface Shared {
  disk: string;
  readonly stored: Map<string, { readonly stamp: number; readonly proposal: Proposal }>;
  clock: number;
  names: number;
}

const toStored = (proposal: Proposal): Proposal =>
  JSON.parse(
    JSON.stringify({ ...proposal, files: proposal.files.map((file) => ({ ...file, steps: NO_STEPS })) }),
  ) as Proposal;

export function openWindow(name: string, shared: Shared) {
  let text = shared.disk;
  let saved = shared.disk;
  let all: readonly Proposal[] = [];
  const done: { readonly changes: readonly TextChange[]; readonly back: readonly TextChange[] }[] = [];
  let undone: typeof done = [];
  const due = new Map<string, Proposal>();
  const last = new Map<string, { readonly proposal: Proposal; readonly stamp: number | undefined }>();
  for (const { stamp, proposal } of [...shared.stored.values()].sort(
    (a, b) => a.proposal.createdAt - b.proposal.createdAt,
  )) {
    all = [...all, toStored(proposal)];
    last.set(proposal.id, { proposal: toStored(proposal), stamp });
  }
  const get = (id: string) => all.find((one) => one.id === id);
  function put(next: Proposal, isStored = false): void {
    if (get(next.id) === next) return;
    all = withProposal(all, next);
    if (!isStored) due.set(next.id, next);
  }
  function update(how: (file: FileProposal) => FileProposal, isStep?: (file: FileProposal) => boolean): void {
    for (const one of withFileChanged(all, URI, how, () => true, isStep)) put(one);
  }
  const opened = () => update((file) => withTextNow(file, text, '\n'));
  function fire(changes: readonly TextChange[], reason: ChangeReason): void {
    const next = withTextChanges(text, changes);
    text = next;
    update(
      (file) => withChanges(file, changes, next, '\n', reason),
      (file) => isKnownStep(file, changes, next, reason),
    );
  }
  function change(changes: readonly TextChange[]): void {
    if (withTextChanges(text, changes) === text) return;
    const descending = changes.toSorted((a, b) => b.offset - a.offset);
    done.push({ changes: descending, back: inverse(text, descending) });
    undone = [];
    fire(descending, 'edit');
  }
  opened();
  return {
    name,
    all: () => all,
    text: () => text,
    isDirty: () => text !== saved,
    get,
    put,
    change,
    undo() {
      const step = done.pop();
      if (step === undefined) return false;
      undone.push(step);
      fire(step.back, 'undo');
      return true;
    },
    redo() {
      const step = undone.pop();
      if (step === undefined) return false;
      done.push(step);
      fire(step.changes, 'redo');
      return true;
    },
    save() {
      shared.disk = text;
      saved = text;
    },
    /** The editor reads the file again, unless it has unsaved changes. */
    diskChanged() {
      if (text !== saved || text === shared.disk) return;
      change([betweenSameLines(text, shared.disk)]);
      saved = text;
    },
    flush() {
      for (const proposal of due.values()) {
        const [file, base] = [shared.stored.get(proposal.id), last.get(proposal.id)];
        const whole =
          file !== undefined && base !== undefined && base.stamp !== file.stamp
            ? joinedWith(proposal, base.proposal, toStored(file.proposal))
            : proposal;
        shared.stored.set(proposal.id, { stamp: ++shared.clock, proposal: toStored(whole) });
        last.set(proposal.id, { proposal, stamp: whole === proposal ? shared.clock : undefined });
      }
      due.clear();
    },
    focus() {
      const found: Proposal[] = [];
      for (const [id, { stamp, proposal }] of shared.stored) {
        const base = last.get(id);
        if (base !== undefined && base.stamp === stamp) continue;
        const theirs = toStored(proposal);
        const own = get(id);
        const next = own && base ? withDecidedElsewhere(own, base.proposal, theirs) : (own ?? theirs);
        const both = own && base ? baseAfter(own, base.proposal, theirs, next) : theirs;
        last.set(id, { stamp: both === theirs ? stamp : undefined, proposal: both });
        if (due.has(id)) due.set(id, next);
        if (next !== own) found.push(next);
      }
      for (const one of found) put(one, true);
      if (found.length > 0) opened();
    },
    besides() {
      const shown = reviewsOfFile(all, URI).map(({ proposal }) => proposal.id);
      const accepted = lastAcceptedIn(all, URI);
      return all.filter((one) => shown.includes(one.id) || accepted.includes(one));
    },
    changeFile(id: string, how: (file: FileProposal) => FileProposal) {
      const one = get(id);
      if (one !== undefined) put(withFile(one, URI, how));
    },
  };
}

export type EditorWindow = ReturnType<typeof openWindow>;

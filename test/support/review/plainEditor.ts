/** A document with its undo history and its proposals, without an editor. */
import { diffChars } from 'diff';
import { lineEndOf, placeEdits, replaceSpan } from '../../../src/review/edits/editPlacement.ts';
import { toFileBlocks } from '../../../src/review/edits/fileBlocks.ts';
import { readProposal } from '../../../src/review/edits/readProposal.ts';
import { findSentText } from '../../../src/review/findings/sentText.ts';
import { type ChangeReason, NO_STEPS } from '../../../src/review/hunks/undoSteps.ts';
import { ANYWHERE, type Succession, withBeside } from '../../../src/review/proposals/besideProposals.ts';
import { withMissing, withRenamed, withTextNow } from '../../../src/review/proposals/fileChanges.ts';
import { toAcceptance } from '../../../src/review/proposals/openHunks.ts';
import {
  type FileProposal,
  isUndecided,
  type Proposal,
  toFileProposal,
  withFile,
  withRejected,
  withReplaced,
  withRestored,
} from '../../../src/review/proposals/proposal.ts';
import { lastAcceptedIn, reviewsOfFile, withFileChanged } from '../../../src/review/proposals/proposalSet.ts';
import { isKnownStep, withChanges } from '../../../src/review/proposals/proposalTextChanges.ts';
import { storedProposal } from '../../../src/review/proposals/storedProposal.ts';
import { decode } from '../../../src/validation/decode.ts';
import type { Change, LineEnd } from './lines.ts';
import type { Asked, Reviewer } from './steps.ts';

interface Step {
  readonly changes: readonly Change[];
  readonly back: readonly Change[];
  /** A change of the line ends. */
  readonly ends?: readonly [LineEnd, LineEnd];
}

/** How the editor reports an edit: unchanged, without equal text at its edges, or as the differing characters. */
type Passing = 'as-is' | 'trimmed' | 'characters';

export function createPlainEditor(start: string | undefined, lineEnd: LineEnd): Reviewer {
  let uri = 'file:///code.txt';
  let exists = start !== undefined;
  let text = start ?? '';
  let end = lineEnd;
  let proposals: readonly Proposal[] = [];
  let done: Step[] = [];
  let undone: Step[] = [];
  let passed = 0;

  function fire(changes: readonly Change[], next: string, reason: ChangeReason): void {
    text = next;
    const how = (file: FileProposal) => withChanges(file, changes, next, end, reason);
    proposals = withFileChanged(proposals, uri, how, isListed, (file) =>
      isKnownStep(file, changes, next, reason),
    );
  }

  function change(changes: readonly Change[]): void {
    // The document has one kind of line end, whatever is inserted.
    const normal = changes.map((one) => ({ ...one, inserted: one.inserted.replace(/\r\n|\r|\n/g, end) }));
    const endOf = ({ offset, removed }: Change) => offset + removed;
    const descending = normal.toReversed().sort((a, b) => endOf(b) - endOf(a));
    done.push({ changes: descending, back: inverse(text, descending) });
    undone = [];
    fire(descending, applied(text, descending), 'edit');
  }

  function changeEnds(): void {
    const other = end === '\n' ? '\r\n' : '\n';
    const next = text.replace(/\r?\n/g, other);
    const changes = [{ offset: 0, removed: text.length, inserted: next }];
    done.push({ changes, back: inverse(text, changes), ends: [end, other] });
    undone = [];
    end = other;
    fire(changes, next, 'edit');
  }

  /** The document is opened: its undo history is empty, and a text without a line end gets that of the system. */
  function opened(next: string): void {
    [done, undone] = [[], []];
    text = next;
    end = lineEndOf(text, '\n');
    proposals = withFileChanged(proposals, uri, (file) => withTextNow(file, text, end), isListed);
  }

  function mark(missing: boolean): void {
    exists = !missing;
    proposals = proposals.map((one) => withFile(one, uri, (file) => withMissing(file, missing)));
  }

  function create(next: string): void {
    mark(false);
    opened(next);
  }

  const besides = () => {
    const shown = reviewsOfFile(proposals, uri).map(({ proposal }) => proposal.id);
    const accepted = lastAcceptedIn(proposals, uri);
    return proposals.filter((one) => shown.includes(one.id) || accepted.includes(one));
  };

  function changeFile(id: string, how: (file: FileProposal) => FileProposal): void {
    proposals = proposals.map((one) => (one.id === id ? withFile(one, uri, how) : one));
  }

  function accept(id: string, ids: ReadonlySet<string>): void {
    const file = proposals.find((one) => one.id === id)?.files[0];
    if (file === undefined || file.replacedBy !== undefined || file.missing) return;
    const { edits } = toAcceptance(file, ids);
    if (file.isNew) {
      if (edits.length > 0) create(file.after);
      return;
    }
    const changes = edits.map(({ from, to, text: inserted }) => ({
      offset: from,
      removed: to - from,
      inserted,
    }));
    passed += 1;
    const passing = (['as-is', 'trimmed', 'characters'] as const)[passed % 3] ?? 'as-is';
    const smaller = changes.flatMap((one) => pass(text, one, passing));
    if (smaller.length > 0) change(smaller);
  }

  return {
    text: () => text,
    proposals: () => proposals,
    change,
    undo() {
      const step = done.pop();
      if (step === undefined) return;
      undone.push(step);
      end = step.ends?.[0] ?? end;
      fire(step.back, applied(text, step.back), 'undo');
    },
    redo() {
      const step = undone.pop();
      if (step === undefined) return;
      done.push(step);
      end = step.ends?.[1] ?? end;
      fire(step.changes, applied(text, step.changes), 'redo');
    },
    changeEnds,
    save: () => undefined,
    writeOutside(next) {
      if (lineEndOf(next, end) === end) change([betweenSameLines(text, next)]);
      else changeEnds();
    },
    revert(saved) {
      if (text !== saved) change([betweenSameLines(text, saved)]);
    },
    rename() {
      const to = `${uri}x`;
      proposals = proposals.map((one) => withRenamed(one, uri, to, 'code.txt'));
      uri = to;
      opened(text);
    },
    delete() {
      mark(true);
      text = '';
    },
    create,
    reload(changed) {
      proposals = proposals.map(stored);
      if (exists) opened(changed ?? text);
    },
    propose(answer, asked) {
      const id = `p${proposals.length}`;
      const placed = toFiles(answer, { text, uri, lineEnd: exists ? end : undefined }, asked);
      // A question about known lines leaves the hunks of others alone.
      const files =
        asked === undefined ? placed : placed.map((file) => withBeside(file, besides(), byLines(asked)));
      const fresh = {
        id,
        turnId: id,
        conversationId: 'c',
        createdAt: 0,
        files,
        trouble: undefined,
        revises: undefined,
      };
      proposals = [...proposals.map((one) => withReplaced(one, fresh)), fresh];
      return fresh;
    },
    accept,
    restore(id) {
      changeFile(id, (file) => withTextNow(withRestored(file), text, end));
      const others = besides().filter((one) => one.id !== id);
      changeFile(id, (file) => withBeside(file, others, ANYWHERE));
      const files = proposals.find((one) => one.id === id)?.files.filter(isUndecided) ?? [];
      proposals = proposals.map((one) => (one.id === id ? one : withReplaced(one, { id, files })));
    },
    reject(id, ids) {
      changeFile(id, (file) => withRejected(file, ids));
    },
  };
}

const applied = (text: string, descending: readonly Change[]): string =>
  descending.reduce(
    (all, { offset, removed, inserted }) => all.slice(0, offset) + inserted + all.slice(offset + removed),
    text,
  );

/** The changes that undo other changes. Their offsets are in the text after those changes. */
export function inverse(text: string, descending: readonly Change[]): readonly Change[] {
  let moved = 0;
  return descending
    .toReversed()
    .map(({ offset, removed, inserted }) => {
      const back = {
        offset: offset + moved,
        removed: inserted.length,
        inserted: text.slice(offset, offset + removed),
      };
      moved += inserted.length - removed;
      return back;
    })
    .reverse();
}

function pass(text: string, change: Change, passing: Passing): readonly Change[] {
  const old = text.slice(change.offset, change.offset + change.removed);
  if (passing === 'characters') return byCharacters(change.offset, old, change.inserted);
  if (passing === 'as-is') return [change];
  let head = 0;
  while (head < old.length && head < change.inserted.length && old[head] === change.inserted[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, change.inserted.length) - head;
  while (tail < most && old.at(-1 - tail) === change.inserted.at(-1 - tail)) tail += 1;
  const inserted = change.inserted.slice(head, change.inserted.length - tail);
  return [{ offset: change.offset + head, removed: old.length - head - tail, inserted }];
}

/** How the editor applies a text from the disk: without the equal lines at both ends. */
export function betweenSameLines(old: string, next: string): Change {
  const [before, after] = [old, next].map((text) => text.split(/(?<=\n)/)) as [string[], string[]];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const lengthOf = (lines: readonly string[]) => lines.join('').length;
  return {
    offset: lengthOf(before.slice(0, head)),
    removed: lengthOf(before.slice(head, before.length - tail)),
    inserted: after.slice(head, after.length - tail).join(''),
  };
}

function byCharacters(offset: number, old: string, inserted: string): readonly Change[] {
  const changes: Change[] = [];
  let at = offset;
  for (const { value, added, removed } of diffChars(old, inserted)) {
    const last = changes.at(-1);
    if (added && last !== undefined && last.offset + last.removed === at && last.inserted === '')
      changes[changes.length - 1] = { ...last, inserted: value };
    else if (added) changes.push({ offset: at, removed: 0, inserted: value });
    else if (removed) changes.push({ offset: at, removed: value.length, inserted: '' });
    if (!added) at += value.length;
  }
  return changes;
}

/** The proposal after the store has written and read it. */
function stored(proposal: Proposal): Proposal {
  const files = proposal.files.map((file) => ({ ...file, steps: NO_STEPS }));
  const read = decode(storedProposal, JSON.parse(JSON.stringify({ ...proposal, files })));
  if (!read.ok) throw new Error(`can't be read back: ${JSON.stringify(read.wrong)}`);
  return read.value;
}

const isListed = () => true;

const byLines = (asked: Asked): Succession => ({
  replaces: () => false,
  askedIn: (_, text) => [findSentText(text, asked.text, asked.line)].filter((span) => span !== undefined),
});

interface Document {
  readonly uri: string;
  readonly text: string;
  /** Undefined if the file doesn't exist. */
  readonly lineEnd: LineEnd | undefined;
}

/** The files of an answer, placed in the text. */
function toFiles(answer: string, document: Document, asked: Asked | undefined): readonly FileProposal[] {
  const { uri, text, lineEnd } = document;
  const read = readProposal(answer);
  const sent = asked === undefined ? undefined : findSentText(text, asked.text, asked.line);
  const toFile = (after: string, unplaced: FileProposal['unplaced'] = []) => [
    toFileProposal({
      uri,
      label: 'code.txt',
      isNew: lineEnd === undefined,
      before: text,
      after,
      asked: sent,
      unplaced,
      lineEnd,
    }),
  ];
  if (read.kind === 'malformed') return [];
  const [block] = read.kind === 'code' ? toFileBlocks(read.blocks) : [];
  const edits = read.kind === 'edits' ? read.answer.files.flatMap((file) => file.edits) : block?.edits;
  if (edits !== undefined) {
    const { after, unplaced } = placeEdits(text, edits, sent, lineEnd);
    return toFile(after, unplaced);
  }
  if (block === undefined || sent === undefined) return [];
  return toFile(replaceSpan(text, sent, block.code, lineEnd));
}

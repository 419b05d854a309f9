import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { LineEnd } from '../../../../src/review/edits/editPlacement.ts';
import type { HunkState } from '../../../../src/review/hunks/anchors.ts';
import { addedLinesOf, deletedLinesOf, toLines } from '../../../../src/review/hunks/hunks.ts';
import type { TextChange } from '../../../../src/review/hunks/lineChanges.ts';
import { withTextChanges } from '../../../../src/review/hunks/lineChanges.ts';
import { NO_STEPS } from '../../../../src/review/hunks/undoSteps.ts';
import { toAcceptance } from '../../../../src/review/proposals/openHunks.ts';
import {
  type Proposal,
  toFileProposal,
  withFile,
  withReplaced,
} from '../../../../src/review/proposals/proposal.ts';
import { withFileChanged } from '../../../../src/review/proposals/proposalSet.ts';
import { withChanges, withText } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { planRevert } from '../../../../src/review/proposals/revertPlan.ts';
import { type Act, type FileStory, stories } from '../../../support/review/revertModel.ts';

/** The number of random cases, of ten files each. `RUNS=100000` is the long version. */
const RUNS = Number(process.env['RUNS'] ?? 1000);
const SEED = process.env['SEED'];

/** A line of the simple model: its text, and whose it is. Every text is there once. */
interface Line {
  readonly text: string;
  /** `hand`, `start`, or the key of the hunk that inserted it. */
  readonly owner: string;
}

/** What an accepted hunk did, in lines. */
interface Done {
  readonly key: string;
  readonly message: number;
  readonly added: readonly string[];
  readonly deleted: readonly Line[];
}

/** The place where a hunk only deleted lines is a line of the model that no text has. */
const MARK = '\u0000';

let names = 0;
/** A text of two words in letters, so that no diff finds one inside another. */
const fresh = (kind: 'model' | 'hand'): string =>
  `${kind} ${(++names).toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))}`;
const freshByHand = () => fresh('hand').toUpperCase();

/** A file in an editor, its proposals, and the simple model beside them. */
function playFile(story: FileStory, uri: string) {
  const end: LineEnd = story.crlf ? '\r\n' : '\n';
  let lines: Line[] = Array.from({ length: story.lines }, () => ({ text: fresh('model'), owner: 'start' }));
  let proposals: readonly Proposal[] = [];
  let done: Done[] = [];
  let isOpen = true;
  let isSimple = true;
  const shown = () => lines.filter(({ text }) => !text.startsWith(MARK));
  const textOf = () =>
    shown()
      .map(({ text }) => text + end)
      .join('');

  /** The editor reports a change, or it happens while the window is closed. */
  function report(before: string, changes: readonly TextChange[]): void {
    const text = withTextChanges(before, changes);
    assert.equal(text, textOf(), 'the model and the text differ');
    if (!isOpen) return;
    proposals = withFileChanged(
      proposals,
      uri,
      (file) => withChanges(file, changes, text, end),
      () => true,
    );
  }

  /** Replaces some of the shown lines. */
  function splice(at: number, remove: number, insert: readonly Line[]): void {
    const before = textOf();
    const there = shown();
    const offset = there.slice(0, at).reduce((sum, { text }) => sum + text.length + end.length, 0);
    const gone = there.slice(at, at + remove);
    const removed = gone.reduce((sum, { text }) => sum + text.length + end.length, 0);
    const first = there[at];
    const position = first === undefined ? lines.length : lines.indexOf(first);
    lines.splice(position, 0, ...insert);
    lines = lines.filter((line) => !gone.includes(line));
    report(before, [{ offset, removed, inserted: insert.map(({ text }) => text + end).join('') }]);
  }

  /** The store writes the hunks without those in earlier and later texts. */
  function close(): void {
    isOpen = false;
    proposals = proposals.map((one) => withFile(one, uri, (file) => ({ ...file, steps: NO_STEPS })));
  }

  function reopen(): void {
    if (isOpen) return;
    isOpen = true;
    const text = textOf();
    proposals = withFileChanged(
      proposals,
      uri,
      (file) => withText(file, text, end),
      () => true,
    );
  }

  function propose({ splices, accepts, isMessage }: Extract<Act, { kind: 'propose' }>): void {
    reopen();
    const before = textOf();
    const wanted = toLines(before);
    for (const [at, remove, insert] of splices)
      wanted.splice(
        at % (wanted.length + 1),
        remove,
        ...Array.from({ length: insert }, () => fresh('model') + end),
      );
    const id = `p${proposals.length}`;
    const texts = {
      uri,
      label: uri,
      isNew: false,
      before,
      after: wanted.join(''),
      asked: undefined,
      unplaced: [],
    };
    const file = toFileProposal({ ...texts, lineEnd: end });
    const made: Proposal = {
      id,
      turnId: String(isMessage),
      conversationId: 'c',
      createdAt: proposals.length,
      files: [file],
      trouble: undefined,
      revises: undefined,
    };
    proposals = [...proposals.map((one) => withReplaced(one, made)), made];
    for (const [index, { hunk }] of file.hunks.entries())
      if (accepts[index % 4]) accept(id, hunk.id, isMessage);
  }

  function accept(id: string, hunkId: string, message: number): void {
    const file = proposals.find((one) => one.id === id)?.files[0];
    const one = file?.hunks.find(({ hunk }) => hunk.id === hunkId);
    const [edit] = file === undefined ? [] : toAcceptance(file, new Set([hunkId])).edits;
    if (one === undefined || edit === undefined) return;
    const key = `${id}:${hunkId}`;
    const before = textOf();
    const at = toLines(before.slice(0, edit.from)).length;
    const gone = shown().slice(at, at + toLines(deletedLinesOf(one.hunk)).length);
    const added = toLines(addedLinesOf(one.hunk)).map((text) => text.trimEnd());
    done = [...done, { key, message, added, deleted: gone }];
    const [top, bottom] = [gone[0], gone.at(-1)];
    // Lines on both sides of a mark: the model can't say where the mark is when they are back.
    if (top !== undefined && bottom !== undefined)
      isSimple &&= lines.indexOf(bottom) - lines.indexOf(top) === gone.length - 1;
    const insert =
      added.length === 0 ? [{ text: MARK + key, owner: key }] : added.map((text) => ({ text, owner: key }));
    const first = shown()[at];
    lines.splice(first === undefined ? lines.length : lines.indexOf(first), 0, ...insert);
    lines = lines.filter((line) => !gone.includes(line));
    report(before, [{ offset: edit.from, removed: edit.to - edit.from, inserted: edit.text }]);
  }

  const typed = (count: number): readonly Line[] =>
    Array.from({ length: count }, () => ({ text: freshByHand(), owner: 'hand' }));

  function perform(act: Act): void {
    const there = shown();
    if (act.kind === 'propose') propose(act);
    else if (act.kind === 'reload') close();
    else if (act.kind === 'type') splice(act.at % (there.length + 1), 0, typed(act.count));
    else if (act.kind === 'delete') splice(act.at % (there.length + 1), act.count, []);
    else if (there.length > 0) {
      const at = act.at % there.length;
      splice(at, 1, [{ text: `${there[at]?.text} ${freshByHand()}`, owner: 'hand' }]);
    }
  }

  const first = textOf();
  for (const act of story.acts) perform(act);
  const isByModel = story.acts.every(({ kind }) => kind === 'propose' || kind === 'reload');
  return { uri, end, first, text: textOf(), proposals, lines, done, isSimple, isByModel };
}

type Played = ReturnType<typeof playFile>;

/** Whether the lines of a hunk are there as they were accepted, or, if it has none, its mark. */
function isIntact(lines: readonly Line[], { key, added }: Done): boolean {
  const own = lines.flatMap(({ owner, text }, at) => (owner === key ? [{ at, text }] : []));
  if (added.length === 0) return own.length === 1;
  // Marks have no text, so they are between no lines.
  const seen = lines.filter(({ text }) => !text.startsWith(MARK));
  const at = seen.findIndex(({ owner }) => owner === key);
  return at !== -1 && added.every((text, index) => seen[at + index]?.text === text);
}

/** The simple reference: the lines of a hunk, or its mark, become the lines that it had deleted. */
function takeBack(lines: readonly Line[], { key, deleted }: Done): readonly Line[] {
  const at = lines.findIndex(({ owner }) => owner === key);
  return [...lines.slice(0, at), ...deleted, ...lines.slice(at).filter(({ owner }) => owner !== key)];
}

const byHand = (text: string) => text.match(/[A-Z]+ [A-Z]+/g) ?? [];

/** What was taken back of what could be, for the report. */
const tally = { intact: 0, back: 0, changed: 0 };

function check(played: Played, isWanted: (proposal: Proposal) => boolean): void {
  const { uri, end, text, proposals, done } = played;
  const wanted = proposals.filter(isWanted);
  const plan = planRevert(wanted, () => ({ text, lineEnd: end }));
  const [file] = plan.files;
  const next = file === undefined ? text : (file.next ?? '');
  // A hunk can have deleted lines that were typed before, which are back now.
  const typed = new Set(byHand(text));
  assert.deepEqual(
    byHand(next).filter((words) => typed.has(words)),
    [...typed],
    'the work of the hand is as it was',
  );
  if (file !== undefined)
    assert.equal(
      withTextChanges(
        text,
        file.edits.map((one) => ({ offset: one.from, removed: one.to - one.from, inserted: one.text })),
      ),
      next,
    );
  if (played.isByModel && wanted.length === proposals.length)
    assert.equal(next, played.first, `${uri} is as it was before all messages`);
  const kept = new Set(plan.kept.map(({ proposalId, hunkId }) => `${proposalId}:${hunkId}`));
  const states = new Map<string, HunkState>(
    wanted.flatMap((one) =>
      one.files.flatMap(({ hunks }) => hunks.map(({ hunk, state }) => [`${one.id}:${hunk.id}`, state])),
    ),
  );
  const known = new Set<string>(done.map(({ key }) => key));
  // Deleting the lines by hand that a hunk would delete accepts it, which the simple model doesn't follow.
  if (!played.isSimple || [...states].some(([key, state]) => state === 'accepted' && !known.has(key))) return;
  let lines: readonly Line[] = played.lines;
  const loose = new Set<string>();
  for (const one of done.toReversed()) {
    if (states.get(one.key) !== 'accepted') continue;
    const intact = isIntact(lines, one);
    tally[intact ? 'intact' : 'changed'] += 1;
    // One that was undone by hand is neither kept nor taken back: the lines below show that nothing was changed.
    if (kept.has(one.key) || !intact) continue;
    tally.back += 1;
    lines = takeBack(lines, one);
    if (one.added.length === 0) for (const { text: gone } of one.deleted) loose.add(gone);
  }
  const expected = lines.map((line) => line.text).filter((line) => !line.startsWith(MARK));
  const found = toLines(next).map((line) => line.slice(0, -end.length));
  assert.deepEqual(found.toSorted(), expected.toSorted(), `the lines of ${uri}`);
  // Where nothing but deleted lines was, lines that were typed can be above or below them.
  const placed = (all: readonly string[]) => all.filter((line) => !loose.has(line));
  assert.deepEqual(placed(found), placed(expected), `the order of lines of ${uri}`);
}

describe('Taking back what was accepted in ten files', () => {
  it('equals a simple model, and loses nothing that was typed in between', () => {
    fc.assert(
      fc.property(stories, ({ files, from, onlyOne }) => {
        const played = files.map((story, index) => playFile(story, `file:///f${index}`));
        for (const one of played)
          check(one, ({ turnId }) => (onlyOne ? Number(turnId) === from : Number(turnId) >= from));
      }),
      { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    );
    const isEnough = tally.intact < 200 || tally.back > 0.96 * tally.intact;
    assert.ok(isEnough, `${tally.back} of ${tally.intact} hunks were taken back`);
  }).timeout(3_600_000);
});

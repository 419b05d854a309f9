/** Runs the steps of a scenario in a document, and the corresponding steps in the model. */
import assert from 'node:assert/strict';
import { hasRejected, type Proposal } from '../../../src/review/proposals/proposal.ts';
import { newTexts, possibleTexts, spliced, writeAnswer } from './answers.ts';
import { type Change, freshLines, type LineEnd, type Lines, textOf } from './lines.ts';
import { createReviewModel, type ReviewModel } from './model.ts';
import type { Scenario, Step } from './scenario.ts';
import { createTexts, type Texts, toChanges, toLineChange, toSplices, toTrimming } from './typing.ts';

/** The lines of a question. */
export interface Asked {
  readonly line: number;
  readonly text: string;
}

type Maybe<T> = T | Promise<T>;

/** A document under review: without an editor, or in one. */
export interface Reviewer {
  text(): string;
  /** The proposals for the document, oldest first. */
  proposals(): readonly Proposal[];
  change(changes: readonly Change[]): Maybe<void>;
  undo(): Maybe<void>;
  redo(): Maybe<void>;
  changeEnds(): Maybe<void>;
  save(): Maybe<void>;
  /** Another program writes the file while it is open. */
  writeOutside(text: string): Maybe<void>;
  /** The file is reverted to the text with which it was saved. */
  revert(saved: string): Maybe<void>;
  rename(): Maybe<void>;
  /** Deletes the file. */
  delete(): Maybe<void>;
  /** Creates the file with this text, as another program would. */
  create(text: string): Maybe<void>;
  /** Closes and opens everything. The file, if it exists, may have changed in between. */
  reload(changed: string | undefined): Maybe<void>;
  propose(answer: string, asked: Asked | undefined): Maybe<Proposal>;
  accept(id: string, ids: ReadonlySet<string>): Maybe<void>;
  reject(id: string, ids: ReadonlySet<string>): Maybe<void>;
  /** Restores the rejected hunks of a proposal. */
  restore(id: string): Maybe<void>;
}

/** Runs the steps in a document and in the model, and compares them after each. */
export async function runScenario(
  { exists, unique, lines, lineEnd, lastEnded, steps }: Scenario,
  open: (text: string | undefined, lineEnd: LineEnd) => Maybe<Reviewer>,
  stop: () => boolean = () => false,
): Promise<number> {
  const texts = createTexts(unique);
  const text = texts(lines)
    .map((line) => line + lineEnd)
    .join('');
  const start = exists ? freshLines(lastEnded ? text : text.slice(0, -lineEnd.length)) : [];
  const model = createReviewModel({ lines: start, lineEnd, unique, exists });
  const reviewer = await open(exists ? model.text() : undefined, lineEnd);
  let count = 0;
  for (const one of steps) {
    if (stop()) break;
    await runStep(one, { model, reviewer, texts });
    assert.equal(reviewer.text(), model.text(), 'the text of the document');
    model.check(reviewer.proposals());
    count += 1;
  }
  return count;
}

interface Running {
  readonly model: ReviewModel;
  readonly reviewer: Reviewer;
  readonly texts: Texts;
}

/** Steps that are possible for a file that doesn't exist. */
async function runWithoutFile(step: Step, running: Running): Promise<void> {
  const { model, reviewer, texts } = running;
  switch (step.do) {
    case 'create':
    case 'vanish': {
      const lines = model.deletedLines();
      model.created(spliced(lines, toSplices(lines, step.splices, texts)));
      return reviewer.create(model.text());
    }
    case 'reload':
      return reviewer.reload(undefined);
    case 'accept':
    case 'reject':
      return decide(step, running);
    case 'propose':
      return propose_({ ...step, style: { ...step.style, form: 'edits' } }, running);
    default:
      return;
  }
}

async function runStep(step: Step, running: Running): Promise<void> {
  const { model, reviewer, texts } = running;
  if (!model.exists()) return runWithoutFile(step, running);
  switch (step.do) {
    case 'type': {
      const changes = toChanges(model.text(), model.end(), step.typing);
      if (changes.length === 0) return;
      model.typed(changes);
      return reviewer.change(changes);
    }
    case 'lines': {
      const change = toLineChange(
        { lines: model.lines(), end: model.end() },
        toSplices(model.lines(), [step.splice], texts),
        step.fromLineEnd,
      );
      if (change === undefined) return;
      model.typed([change]);
      return reviewer.change([change]);
    }
    case 'format': {
      const removed = model.text().length;
      const next = spliced(model.lines(), toSplices(model.lines(), step.splices, texts));
      const inserted = textOf(next, model.end());
      if (inserted === model.text()) return;
      model.replaced(next, false);
      return reviewer.change([{ offset: 0, removed, inserted }]);
    }
    case 'external': {
      const next = spliced(model.lines(), toSplices(model.lines(), step.splices, texts));
      // A text without a line end would be read with that of the system.
      const isSame = textOf(next, model.end()) === model.text();
      if (isSame || !next.some(({ ended }) => ended)) return;
      model.replaced(next, false);
      return reviewer.writeOutside(model.text());
    }
    case 'revert': {
      const [before, saved] = [model.lines(), model.text()];
      const changes = toChanges(saved, model.end(), step.typing);
      if (changes.length === 0 || !before.some(({ ended }) => ended)) return;
      await reviewer.save();
      model.typed(changes);
      await reviewer.change(changes);
      // What was typed can be the lines of a rejected hunk, which is open when they are gone.
      model.check(reviewer.proposals());
      // Several changes together can result in the same text, and then there is nothing to revert.
      if (model.text() !== saved) model.replaced(before, false);
      return reviewer.revert(saved);
    }
    case 'reload': {
      const next = spliced(model.lines(), toSplices(model.lines(), step.splices, texts));
      model.replaced(next, true);
      return reviewer.reload(step.splices.length === 0 ? undefined : model.text());
    }
    case 'undo':
    case 'redo': {
      const direction = step.do === 'undo' ? -1 : 1;
      if (!model.canGo(direction)) return;
      model.went(direction);
      return reviewer[step.do]();
    }
    case 'ends':
      model.endsChanged();
      return reviewer.changeEnds();
    case 'endsOutside':
      if (!model.lines().some(({ ended }) => ended)) return;
      model.endsChanged();
      return reviewer.writeOutside(model.text());
    case 'trim': {
      const changes = toTrimming(model.text(), model.end());
      if (changes.length > 0) {
        model.typed(changes);
        await reviewer.change(changes);
      }
      return reviewer.save();
    }
    case 'save':
      return reviewer.save();
    case 'rename':
      model.forgetHistory();
      return reviewer.rename();
    case 'delete':
      model.deleted();
      return reviewer.delete();
    case 'create':
      return;
    case 'vanish':
      model.deleted();
      await reviewer.delete();
      await acceptAll(reviewer);
      return runWithoutFile(step, running);
    case 'accept':
    case 'reject':
      return decide(step, running);
    case 'restore':
      return restore(step, running);
    case 'propose':
      return propose_(step, running);
  }
}

/** Accepting a hunk must not create a deleted file again, nor change it later. */
/** One that was proposed as new would be created. */
async function acceptAll(reviewer: Reviewer): Promise<void> {
  const proposal = reviewer.proposals().at(-1);
  if (proposal?.files[0]?.created === false) return;
  const ids = proposal?.files[0]?.hunks.map(({ hunk }) => hunk.id) ?? [];
  if (proposal !== undefined && ids.length > 0) await reviewer.accept(proposal.id, new Set(ids));
}

async function decide(
  step: Extract<Step, { do: 'accept' | 'reject' }>,
  { model, reviewer }: Running,
): Promise<void> {
  const all = reviewer.proposals();
  const proposal = step.earlier ? all.at(-2) : all.at(-1);
  const hunks = proposal?.files[0]?.hunks ?? [];
  if (proposal === undefined || hunks.length === 0) return;
  const chosen = step.all ? hunks : [hunks[step.which % hunks.length]];
  const ids = new Set(chosen.flatMap((one) => (one === undefined ? [] : [one.hunk.id])));
  if (step.do === 'accept') model.accepted(proposal, ids);
  else model.rejected(proposal, ids);
  await reviewer[step.do](proposal.id, ids);
}

async function restore(step: Extract<Step, { do: 'restore' }>, { model, reviewer }: Running): Promise<void> {
  const proposal = reviewer.proposals().at(step.earlier ? -2 : -1);
  const file = proposal?.files[0];
  if (proposal === undefined || file === undefined || !hasRejected(file)) return;
  model.restored(proposal);
  await reviewer.restore(proposal.id);
}

async function propose_(
  step: Extract<Step, { do: 'propose' }>,
  { model, reviewer, texts }: Running,
): Promise<void> {
  const lines = model.lines();
  const wanted = toSplices(lines, step.splices, texts);
  if (wanted.length === 0) return;
  const { answer, asked, splices, clear } = writeAnswer(lines, model.end(), wanted, step.style);
  const proposal = await reviewer.propose(answer, asked === undefined ? undefined : toAsked(lines, asked));
  const possible = model.exists() ? possibleTexts(lines, model.end(), splices) : newTexts(splices);
  const file = proposal.files[0];
  if (clear)
    assert.deepEqual(
      file?.unplaced ?? 'no file',
      [],
      `every change of ${JSON.stringify(answer)} has its place`,
    );
  const complete = file?.unplaced.length === 0 && possible.all;
  model.proposed(proposal, complete ? possible.all : possible.some);
}

function toAsked(lines: Lines, { from, count }: { readonly from: number; readonly count: number }): Asked {
  const text = lines
    .slice(from, from + count)
    .map((line) => `${line.text}${line.ended ? '\n' : ''}`)
    .join('');
  return { line: from, text };
}

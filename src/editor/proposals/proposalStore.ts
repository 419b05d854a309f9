/** Saves each proposal in its own file, so that a review continues after a reload. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { NO_STEPS } from '../../review/hunks/undoSteps.ts';
import { baseAfter, joinedWith, withDecidedElsewhere } from '../../review/proposals/decidedElsewhere.ts';
import { isUnderReview, type Proposal } from '../../review/proposals/proposal.ts';
import { storedProposal } from '../../review/proposals/storedProposal.ts';
import { decode, describeWrong } from '../../validation/decode.ts';
import type { Log } from '../base/log.ts';
import { removeUnfinished, stampOf, writeWhole } from '../storage/wholeFiles.ts';
import { REVIEWS, type WindowPlace } from '../storage/windowPlace.ts';

export interface ProposalStore extends vscode.Disposable {
  /** All readable proposals, oldest first. Deletes the oldest decided ones, and those of removed conversations. */
  load(): readonly Proposal[];
  /** Saves the proposal after a delay, because a review changes with each key press. */
  save(proposal: Proposal): void;
  /** Saves delayed proposals now. */
  flush(): void;
  /** Saves delayed proposals in the next task, because the user may go to another window right after a command. */
  soon(): void;
  /**
   * The proposals that other windows have added, and those of this window with the decisions of other windows since it last read or
   * wrote the files.
   *
   * @param mine the proposals of this window
   * @param toHere returns a stored proposal with the URIs that its files have in this window
   */
  changedElsewhere(mine: readonly Proposal[], toHere: (stored: Proposal) => Proposal): readonly Proposal[];
}

/** The delay before a changed proposal is saved, in milliseconds. */
const SAVE_MS = 1000;
/** The pause after a proposal couldn't be saved, such as on a full disk, in milliseconds. */
const RETRY_MS = 5000;
/** The number of decided proposals to keep. */
const MAX_DECIDED = 100;
const VERSION = 1;

/** Where proposals are saved. */
export interface ReviewPlace {
  /** A local folder; without one, nothing is saved. */
  readonly folder: string | undefined;
  /** The ID of this window if other windows save in the same folder. Undefined if they don't. */
  readonly window?: string | undefined;
}

/** @param purged the IDs of permanently deleted conversations, including those deleted later */
export function createProposalStore(
  { folder, window }: ReviewPlace,
  log: Log,
  purged: Pick<ReadonlySet<string>, 'has'>,
): ProposalStore {
  const due = new Map<string, Proposal>();
  /** The conversation ID of each proposal, by the proposal ID. */
  const known = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  /** Each proposal as this window last read or wrote it, if it could, and the stamp of its file, which tells it from later versions. */
  const last = new Map<
    string,
    { readonly proposal: Proposal | undefined; readonly stamp: string | undefined }
  >();
  const pathOf = (id: string) => join(folder ?? '', `${id}.json`);
  const isHere = (read: ReadFile | undefined) => (read?.owner ?? window) === window;

  let told: string | undefined;

  const keepAsLast = (proposal: Proposal, stamp: string | undefined) =>
    last.set(proposal.id, { proposal, stamp });

  /** A file that can't be removed, such as in a read-only folder, doesn't stop the review. */
  function remove(id: string): void {
    try {
      rmSync(pathOf(id), { force: true });
    } catch (error) {
      log.warn(`couldn't remove the review ${id}: ${String(error)}`);
    }
  }

  /** A proposal with later decisions of another window. Throws if they can't be read now, because they would be overwritten. */
  function joined(path: string, proposal: Proposal): Proposal {
    const [base, stamp] = [last.get(proposal.id), stampOf(path)];
    if (base?.proposal === undefined || stamp === undefined || base.stamp === stamp) return proposal;
    readFileSync(path);
    const theirs = readOne(path, log)?.proposal;
    return theirs === undefined ? proposal : joinedWith(proposal, base.proposal, theirs);
  }

  /** Reads a proposal again; undefined if no other window has changed it. `own` is the proposal in this window. */
  function lookAgain(
    id: string,
    own: Proposal | undefined,
    toHere: (stored: Proposal) => Proposal,
  ): Proposal | undefined {
    const path = pathOf(id);
    const [base, stamp] = [last.get(id), stampOf(path)];
    if (base !== undefined && base.stamp === stamp) return undefined;
    const read = readOne(path, log);
    const theirs = read && toHere(read.proposal);
    // If the file can't be read now, for example because another program has opened it, it is read again later. Otherwise its
    // decisions would be lost.
    const isLost = theirs === undefined && base?.proposal !== undefined;
    last.set(id, { stamp: isLost ? undefined : stamp, proposal: theirs ?? base?.proposal });
    if (theirs === undefined || !isHere(read)) return undefined;
    known.set(id, theirs.conversationId);
    const both = own && base?.proposal && { own, base: base.proposal };
    const next = both ? withDecidedElsewhere(both.own, both.base, theirs) : (own ?? theirs);
    const shared = both ? baseAfter(both.own, both.base, theirs, next) : theirs;
    if (shared !== theirs) last.set(id, { stamp: undefined, proposal: shared });
    if (due.has(id)) due.set(id, next);
    return next === own ? undefined : next;
  }

  function writeOne(path: string, proposal: Proposal): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const whole = joined(path, proposal);
    const stored: StoredFile = {
      version: VERSION,
      proposal: withoutHistory(whole),
      window: changesUntitled(proposal) ? window : undefined,
    };
    writeWhole(path, JSON.stringify(stored));
    // If decisions of another window were merged, this window doesn't know them yet, so the file is read again next time.
    keepAsLast(proposal, whole === proposal ? stampOf(path) : undefined);
    due.delete(proposal.id);
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (folder === undefined) return;
    let failure: string | undefined;
    for (const proposal of [...due.values()]) {
      try {
        writeOne(pathOf(proposal.id), proposal);
      } catch (error) {
        failure ??= String(error);
      }
    }
    if (failure !== undefined) timer = setTimeout(write, RETRY_MS);
    if (failure !== undefined && failure !== told) log.warn(`couldn't save a review: ${failure}`);
    told = failure;
  }

  function load(): readonly Proposal[] {
    if (folder === undefined) return [];
    removeUnfinished(folder);
    const all = readAll(folder, log);
    const read = all.filter(isHere).map(({ proposal }) => proposal);
    const decided = read.filter((one) => !isUnderReview(one));
    const old = new Set(decided.slice(0, Math.max(0, decided.length - MAX_DECIDED)));
    for (const { proposal } of all) if (purged.has(proposal.conversationId)) old.add(proposal);
    for (const { id } of old) remove(id);
    const left = read.filter((one) => !old.has(one));
    for (const { proposal, stamp } of all) {
      if (!left.includes(proposal)) continue;
      known.set(proposal.id, proposal.conversationId);
      keepAsLast(proposal, stamp);
    }
    return left;
  }

  return {
    load,
    save(proposal) {
      due.set(proposal.id, proposal);
      known.set(proposal.id, proposal.conversationId);
      timer ??= setTimeout(write, SAVE_MS);
    },
    flush: write,
    soon() {
      clearTimeout(timer);
      timer = setTimeout(write);
    },
    changedElsewhere(mine, toHere) {
      const own = new Map(mine.map((one) => [one.id, one]));
      return (folder === undefined ? [] : listFiles(folder, log)).flatMap((name) => {
        const id = basename(name, '.json');
        return lookAgain(id, own.get(id), toHere) ?? [];
      });
    },
    dispose() {
      write();
      clearTimeout(timer);
      // Repeated here, because the database may have been locked when the proposals were loaded.
      for (const [id, conversationId] of known)
        if (folder !== undefined && purged.has(conversationId)) remove(id);
    },
  };
}

/** The proposal without its undo history, which doesn't survive a reload. */
const withoutHistory = (proposal: Proposal): Proposal => ({
  ...proposal,
  files: proposal.files.map((file) => ({ ...file, steps: NO_STEPS })),
});

/** Whether a proposal changes an untitled document. Each window has its own untitled documents, with the same names. */
const changesUntitled = ({ files }: Proposal): boolean =>
  files.some(({ uri, isNew }) => uri.startsWith('untitled:') && !isNew);

interface ReadFile {
  readonly proposal: Proposal;
  /** The ID of the window with its untitled documents; undefined if it has none. */
  readonly owner: string | undefined;
  /** The stamp from before the file was read, because another window can write it meanwhile. */
  readonly stamp: string | undefined;
}

/** All readable proposals, oldest first. Unreadable files are logged and kept. */
function readAll(folder: string, log: Log): readonly ReadFile[] {
  const proposals = listFiles(folder, log).flatMap((name) => readOne(join(folder, name), log) ?? []);
  return proposals.toSorted((a, b) => a.proposal.createdAt - b.proposal.createdAt);
}

function readOne(path: string, log: Log): ReadFile | undefined {
  try {
    const stamp = stampOf(path);
    const decoded = decode(storedFile, JSON.parse(readFileSync(path, 'utf8')));
    if (decoded.ok) return { proposal: decoded.value.proposal, owner: decoded.value.window, stamp };
    log.warn(`couldn't read the review ${basename(path)}: ${describeWrong(decoded.wrong)}`);
  } catch (error) {
    log.warn(`couldn't read the review ${basename(path)}: ${String(error)}`);
  }
  return undefined;
}

function listFiles(folder: string, log: Log): readonly string[] {
  try {
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  } catch (error) {
    log.warn(`couldn't read ${folder}: ${String(error)}`);
    return [];
  }
}

/** The format of a file. A file of another version, or a damaged one, doesn't match. */
const storedFile = v.object({
  version: v.literal(VERSION),
  proposal: storedProposal,
  window: v.optional(v.string()),
});
type StoredFile = v.InferOutput<typeof storedFile>;

/** The place for reviews, beside the other data of the window. */
export function toReviewPlace({ home, window }: WindowPlace): ReviewPlace {
  return { folder: home && join(home, REVIEWS), window };
}

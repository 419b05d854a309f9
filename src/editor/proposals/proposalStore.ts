/** Saves each proposal in a file of its own, so that a review continues after a reload. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { isUnderReview, type Proposal } from '../../review/proposal.ts';
import { storedProposal } from '../../review/storedProposal.ts';
import { NO_STEPS } from '../../review/undoSteps.ts';
import { decode, describeWrong } from '../../validation/decode.ts';
import type { Log } from '../base/log.ts';
import { REVIEWS, type WindowPlace } from '../storage/windowPlace.ts';

export interface ProposalStore extends vscode.Disposable {
  /** All readable proposals, oldest first. Deletes the oldest decided ones, and those of removed conversations. */
  load(): readonly Proposal[];
  /** Saves the proposal after a delay, because a review changes with every keystroke. */
  save(proposal: Proposal): void;
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

/** @param purged the IDs of conversations that were finally removed, also later */
export function createProposalStore(
  { folder, window }: ReviewPlace,
  log: Log,
  purged: Pick<ReadonlySet<string>, 'has'>,
): ProposalStore {
  const due = new Map<string, Proposal>();
  /** The IDs of the conversations, by those of the proposals. */
  const known = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  const pathOf = (id: string) => join(folder ?? '', `${id}.json`);

  let told: string | undefined;

  function writeOne(path: string, proposal: Proposal): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const stored: StoredFile = {
      version: VERSION,
      proposal: withoutHistory(proposal),
      window: changesUntitled(proposal) ? window : undefined,
    };
    // Renaming is atomic: if the window crashes, the previous version remains.
    writeFileSync(`${path}.new`, JSON.stringify(stored), { mode: 0o600 });
    renameSync(`${path}.new`, path);
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
    const all = readAll(folder, log);
    const read = all.filter(({ owner = window }) => owner === window).map(({ proposal }) => proposal);
    const decided = read.filter((one) => !isUnderReview(one));
    const old = new Set(decided.slice(0, Math.max(0, decided.length - MAX_DECIDED)));
    for (const { proposal } of all) if (purged.has(proposal.conversationId)) old.add(proposal);
    for (const one of old) rmSync(pathOf(one.id), { force: true });
    const left = read.filter((one) => !old.has(one));
    for (const { id, conversationId } of left) known.set(id, conversationId);
    return left;
  }

  return {
    load,
    save(proposal) {
      due.set(proposal.id, proposal);
      known.set(proposal.id, proposal.conversationId);
      timer ??= setTimeout(write, SAVE_MS);
    },
    dispose() {
      write();
      clearTimeout(timer);
      // The database may have been locked when the proposals were loaded.
      for (const [id, conversationId] of known)
        if (folder !== undefined && purged.has(conversationId)) rmSync(pathOf(id), { force: true });
    },
  };
}

/** Undo history doesn't survive a reload. */
const withoutHistory = (proposal: Proposal): Proposal => ({
  ...proposal,
  files: proposal.files.map((file) => ({ ...file, steps: NO_STEPS })),
});

/** Whether a proposal changes an untitled document. Every window has its own, with the same names. */
const changesUntitled = ({ files }: Proposal): boolean =>
  files.some(({ uri, isNew }) => uri.startsWith('untitled:') && !isNew);

interface ReadFile {
  readonly proposal: Proposal;
  /** The ID of the window that alone has its documents. */
  readonly owner: string | undefined;
}

/** All readable proposals, oldest first. Unreadable files are logged and kept. */
function readAll(folder: string, log: Log): readonly ReadFile[] {
  const proposals: ReadFile[] = [];
  for (const name of listFiles(folder)) {
    try {
      const decoded = decode(storedFile, JSON.parse(readFileSync(join(folder, name), 'utf8')));
      if (decoded.ok) proposals.push({ proposal: decoded.value.proposal, owner: decoded.value.window });
      else log.warn(`couldn't read the review ${name}: ${describeWrong(decoded.wrong)}`);
    } catch (error) {
      log.warn(`couldn't read the review ${name}: ${String(error)}`);
    }
  }
  return proposals.toSorted((a, b) => a.proposal.createdAt - b.proposal.createdAt);
}

function listFiles(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder).filter((name) => name.endsWith('.json'))
    : [];
}

/** The format of a file. It doesn't match when another version wrote the file, or when the file is damaged. */
const storedFile = v.object({
  version: v.literal(VERSION),
  proposal: storedProposal,
  window: v.optional(v.string()),
});
type StoredFile = v.InferOutput<typeof storedFile>;

/** Beside what else the window saves. */
export function toReviewPlace({ home, window }: WindowPlace): ReviewPlace {
  return { folder: home && join(home, REVIEWS), window };
}

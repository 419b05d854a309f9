/** Saves each proposal in a file of its own, so that a review continues after a reload. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { isUnderReview, type Proposal } from '../../review/proposal.ts';
import { storedProposal } from '../../review/storedProposal.ts';
import { NO_STEPS } from '../../review/undoSteps.ts';
import { decode, describeWrong } from '../../validation/decode.ts';
import type { Log } from '../base/log.ts';

export interface ProposalStore extends vscode.Disposable {
  /** All readable proposals, oldest first. Deletes the oldest decided ones. */
  load(): readonly Proposal[];
  /** Saves the proposal after a delay, because a review changes with every keystroke. */
  save(proposal: Proposal): void;
}

/** The delay before a changed proposal is saved, in milliseconds. */
const SAVE_MS = 1000;
/** The number of decided proposals to keep. */
const MAX_DECIDED = 100;
const VERSION = 1;

/** @param folder a local folder; without one, nothing is saved */
export function createProposalStore(folder: string | undefined, log: Log): ProposalStore {
  const due = new Map<string, Proposal>();
  let timer: NodeJS.Timeout | undefined;
  const pathOf = (id: string) => join(folder ?? '', `${id}.json`);

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (folder === undefined) return;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const proposal of due.values()) {
        const path = pathOf(proposal.id);
        // Renaming is atomic: if the window crashes, the previous version remains.
        writeFileSync(
          `${path}.new`,
          JSON.stringify({ version: VERSION, proposal: withoutHistory(proposal) }),
          {
            mode: 0o600,
          },
        );
        renameSync(`${path}.new`, path);
        due.delete(proposal.id);
      }
    } catch (error) {
      // These proposals are saved with the next change, or when the window closes.
      log.warn(`couldn't save a review: ${String(error)}`);
    }
  }

  return {
    load() {
      if (folder === undefined) return [];
      const read = readAll(folder, log);
      const decided = read.filter((one) => !isUnderReview(one));
      const old = new Set(decided.slice(0, Math.max(0, decided.length - MAX_DECIDED)));
      for (const one of old) rmSync(pathOf(one.id), { force: true });
      return read.filter((one) => !old.has(one));
    },
    save(proposal) {
      due.set(proposal.id, proposal);
      timer ??= setTimeout(write, SAVE_MS);
    },
    dispose: write,
  };
}

/** Undo history doesn't survive a reload. */
const withoutHistory = (proposal: Proposal): Proposal => ({
  ...proposal,
  files: proposal.files.map((file) => ({ ...file, steps: NO_STEPS })),
});

/** All readable proposals, oldest first. Unreadable files are logged and kept. */
function readAll(folder: string, log: Log): readonly Proposal[] {
  const proposals: Proposal[] = [];
  for (const name of listFiles(folder)) {
    try {
      const decoded = decode(storedFile, JSON.parse(readFileSync(join(folder, name), 'utf8')));
      if (decoded.ok) proposals.push(decoded.value.proposal);
      else log.warn(`couldn't read the review ${name}: ${describeWrong(decoded.wrong)}`);
    } catch (error) {
      log.warn(`couldn't read the review ${name}: ${String(error)}`);
    }
  }
  return proposals.toSorted((a, b) => a.createdAt - b.createdAt);
}

function listFiles(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder).filter((name) => name.endsWith('.json'))
    : [];
}

/** The format of a file. It doesn't match when another version wrote the file, or when the file is damaged. */
const storedFile = v.object({ version: v.literal(VERSION), proposal: storedProposal });

/** The folder of the proposals: in the storage of the workspace that they change. Undefined if it isn't local. */
export function toReviewFolder({
  storageUri,
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>): string | undefined {
  const home = storageUri ?? globalStorageUri;
  return home.scheme === 'file' ? join(home.fsPath, 'reviews') : undefined;
}

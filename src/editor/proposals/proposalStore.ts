/** Proposals on disk, a file each, so that an unfinished review is there again after a reload. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { isUnderReview, type Proposal } from '../../review/proposal.ts';
import { storedProposal } from '../../review/storedProposal.ts';
import { decode, describeWrong } from '../../validation/decode.ts';
import type { Log } from '../base/log.ts';

export interface ProposalStore extends vscode.Disposable {
  /** All that can be read, oldest first. Of those that are decided, the oldest are removed. */
  load(): readonly Proposal[];
  /** Writes soon; a review is written often, because it follows the keyboard. */
  save(proposal: Proposal): void;
}

/** How long a changed proposal waits for the disk, in milliseconds. */
const SAVE_MS = 1000;
/** So many proposals that are decided stay; older ones go. */
const KEPT_DECIDED = 100;
const VERSION = 1;

/** @param folder a folder of this machine; undefined where the editor keeps none, and reviews end with the window */
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
        // In one step, so that a window that dies here leaves the one before.
        writeFileSync(`${path}.new`, JSON.stringify({ version: VERSION, proposal: toKept(proposal) }), {
          mode: 0o600,
        });
        renameSync(`${path}.new`, path);
        due.delete(proposal.id);
      }
    } catch (error) {
      // What waits goes with the next one that changes, or when the window closes.
      log.warn(`couldn't save a review: ${String(error)}`);
    }
  }

  return {
    load() {
      if (folder === undefined) return [];
      const read = readAll(folder, log);
      const decided = read.filter((one) => !isUnderReview(one));
      const old = new Set(decided.slice(0, Math.max(0, decided.length - KEPT_DECIDED)));
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

/** After a reload there is nothing to undo. */
const toKept = (proposal: Proposal): Proposal => ({
  ...proposal,
  files: proposal.files.map((file) => ({ ...file, past: [] })),
});

/** All that can be read, oldest first. One that cannot be read is left where it is. */
function readAll(folder: string, log: Log): readonly Proposal[] {
  const proposals: Proposal[] = [];
  for (const name of listFiles(folder)) {
    try {
      const decoded = decode(kept, JSON.parse(readFileSync(join(folder, name), 'utf8')));
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

/** What can be wrong with a file of ours: another version wrote it, or a disk damaged it. */
const kept = v.object({ version: v.literal(VERSION), proposal: storedProposal });

/** The folder of the reviews: with the workspace, because that is what they change; files of this machine only. */
export function toReviewFolder({
  storageUri,
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>): string | undefined {
  const home = storageUri ?? globalStorageUri;
  return home.scheme === 'file' ? join(home.fsPath, 'reviews') : undefined;
}

/**
 * Tracks for all windows which comments were sent or deleted. If a folder is open in two tabs of a browser, each tab has a copy of
 * the workspace state from its start, and overwrites what the other one has written. So there is a file for each comment that is
 * gone, which only one window can create.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import { isSameProcess, processStartOf } from '../base/processStart.ts';

const t = vscode.l10n.t;

/**
 * `free`: the comment is in the editor. `sending`: another window has sent it and waits for the end of the answer. `done`: its
 * answer is complete, or the user has deleted it.
 */
export type RemarkClaim = 'free' | 'sending' | 'done';

export interface RemarkClaims {
  of(id: string): RemarkClaim;
  /** Claims comments to send them: all, or none if one of them isn't free. Returns whether they were claimed. */
  take(ids: readonly string[]): boolean;
  finish(ids: readonly string[]): void;
  /** Releases comments, which are in the editor again. */
  release(ids: readonly string[]): void;
}

/**
 * After this time, the window of an unfinished answer counts as closed, and its process ID as that of another process. In
 * milliseconds.
 */
const SENDING_MS = 12 * 60 * 60 * 1000;
/** How long the file of a comment is kept, in milliseconds. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

const DONE = 'done';

/**
 * Creates the claims.
 *
 * @param folder the path of a folder that all windows share
 * @param own the ID of this process
 * @param machine the name of this machine, because several machines can share a home folder
 * @param began the start time of this process
 */
export function createRemarkClaims(
  folder: string,
  log: Pick<Log, 'warn'>,
  own: number = process.pid,
  machine: string = hostname(),
  began: string = processStartOf(own),
): RemarkClaims {
  const fileOf = (id: string) => join(folder, createHash('sha256').update(id).digest('hex'));

  /** Runs an operation on the files. If it fails, comments can still be written and sent. */
  function attempt<T>(otherwise: T, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') log.warn(`the files of sent comments can't be used: ${String(error)}`);
      return otherwise;
    }
  }

  /**
   * The state of a claim; undefined without a file, which another window may have just removed. A file in the state `free` was left
   * by a window that has ended.
   */
  function stateOf(file: string): RemarkClaim | undefined {
    return attempt<RemarkClaim | undefined>(undefined, () => {
      const [text, { mtimeMs }] = [readFileSync(file, 'utf8'), statSync(file)];
      if (text === DONE) return 'done';
      const age = Date.now() - mtimeMs;
      if (age > SENDING_MS) return 'free';
      // Earlier versions didn't write the machine, or not the start time.
      const [processId, there = machine, start = ''] = text.split('@');
      if (there !== machine) return 'sending';
      const isLeft = Number(processId) === own || age > uptime() * 1000;
      return isLeft || !isSameProcess(Number(processId), start) ? 'free' : 'sending';
    });
  }

  function put(file: string, text: string, flag: 'w' | 'wx'): boolean {
    return attempt(true, () => {
      mkdirSync(folder, { recursive: true });
      try {
        writeFileSync(file, text, { flag });
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
    });
  }

  const remove = (file: string) => attempt(undefined, () => rmSync(file, { force: true }));

  /** Creates a file. A file left by a window that has ended is replaced. */
  const takeFile = (file: string): boolean =>
    create(file) || (stateOf(file) === 'free' && removeLeft(file) && create(file));

  const create = (file: string) => put(file, `${own}@${machine}@${began}`, 'wx');

  /**
   * Removes a file that was left. If two windows both see it as left, they must not both remove it, because the second one would
   * remove the new file of the first. So a window first claims the removal, and checks the state again.
   */
  function removeLeft(file: string): boolean {
    const removal = `${file}.left`;
    if (!takeFile(removal)) return false;
    if (stateOf(file) === 'free') remove(file);
    remove(removal);
    return true;
  }

  const release = (ids: readonly string[]) => {
    for (const id of ids) remove(fileOf(id));
  };

  inBackground(log, removeOld(folder), 'removing old files of sent comments');
  return {
    of: (id) => stateOf(fileOf(id)) ?? 'free',
    take(ids) {
      const taken: string[] = [];
      for (const id of ids) {
        if (!takeFile(fileOf(id))) {
          release(taken);
          return false;
        }
        taken.push(id);
      }
      return true;
    },
    finish(ids) {
      for (const id of ids) put(fileOf(id), DONE, 'w');
    },
    release,
  };
}

/** Whether another window is sending some of these comments. Shows a message if so. */
export function tellSentElsewhere(
  claims: Pick<RemarkClaims, 'of'>,
  remarks: readonly { readonly id: string }[],
): boolean {
  const isSent = remarks.some(({ id }) => claims.of(id) !== 'free');
  const message = t(
    'Another window has sent comments that are here as well, and its answer is still running. Wait for it, and send the review again.',
  );
  if (isSent) void showInformation(message);
  return isSent;
}

async function removeOld(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const file of names.map((name) => join(folder, name))) {
    // Another window can have removed the file.
    const written = (await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - written > KEPT_MS) await rm(file, { force: true });
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

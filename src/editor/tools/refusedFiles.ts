/**
 * The files with keys or passwords that the user has refused to the tools of a conversation. Searches leave them out: whether a file has
 * a match would tell a key letter by letter (docs/security.md, The boundary).
 */
import { untilAborted } from '../../service/abort.ts';
import type { AskedPlace } from '../workspace/accessDialog.ts';
import type { OpenPlace } from '../workspace/workspaceBoundary.ts';

type Asked = Pick<AskedPlace, 'realPath' | 'requested'>;

export interface RefusedFiles {
  has(place: Pick<OpenPlace, 'realPath'>): boolean;
  /** The paths of all refused files, as they were requested. */
  labels(): readonly string[];
  refuse(places: readonly Asked[]): void;
  /** Searches read the file again, and ask about it again. */
  allow(place: Pick<OpenPlace, 'realPath'>): void;
  /**
   * Runs a search. Settles when all searches that run at the same time have ended or were aborted. So the result of each can
   * leave out what the user has refused to one of them: otherwise, a search without a match would tell what the others found.
   */
  whileSearching<T>(search: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createRefusedFiles(): RefusedFiles {
  const refused = new Map<string, string>();
  /** The ends of the searches that are running. These promises never reject. */
  const running = new Set<Promise<void>>();
  return {
    has: ({ realPath }) => refused.has(realPath),
    labels: () => [...new Set(refused.values())].sort(),
    refuse(places) {
      for (const { realPath, requested } of places) refused.set(realPath, requested);
    },
    allow: ({ realPath }) => void refused.delete(realPath),
    async whileSearching(search, signal) {
      const found = untilAborted(search(), signal);
      const end = found.then(
        () => undefined,
        // The caller gets the error.
        () => undefined,
      );
      running.add(end);
      void end.then(() => running.delete(end));
      const result = await found;
      while (running.size > 0) await untilAborted(Promise.all(running), signal);
      return result;
    },
  };
}

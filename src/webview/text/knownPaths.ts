/**
 * Which paths exist in the workspace, as far as the page knows, and the questions to the host about the others. Symbols
 * are kept in a list of their own.
 */
import { MAX_PATHS_ASKED } from '../../panel/pathText.ts';

export interface KnownPaths {
  /** Whether a path, as it is written, exists. Undefined until the host has answered; the question is sent soon. */
  exists(written: string): boolean | undefined;
  /** The answer of the host. */
  answered(existing: readonly string[], missing: readonly string[]): void;
  /** Asks again about what didn't exist, because everything is shown anew. */
  renew(): void;
}

export interface KnownPathsDeps {
  ask(paths: readonly string[]): void;
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Calls a function a moment later. */
  later(call: () => void): void;
}

/** The most paths of a page. Others are shown as text. */
const MAX_KNOWN = 5000;
/** After this time, a missing path is asked about again when it is shown: the file may have been created. */
const MISSING_MS = 5000;

interface Entry {
  readonly exists: boolean | undefined;
  readonly at: number;
}

export function createKnownPaths({ ask, now, later }: KnownPathsDeps): KnownPaths {
  const known = new Map<string, Entry>();
  const wanted = new Set<string>();

  function send(): void {
    const paths = [...wanted];
    wanted.clear();
    for (let at = 0; at < paths.length; at += MAX_PATHS_ASKED) ask(paths.slice(at, at + MAX_PATHS_ASKED));
  }

  function want(written: string, shown: boolean | undefined): void {
    if (!known.has(written) && known.size >= MAX_KNOWN) return;
    known.set(written, { exists: shown, at: now() });
    if (wanted.size === 0) later(send);
    wanted.add(written);
  }

  return {
    exists(written) {
      const entry = known.get(written);
      if (entry === undefined) want(written, undefined);
      else if (entry.exists === false && now() - entry.at > MISSING_MS) want(written, false);
      return entry?.exists;
    },
    answered(existing, missing) {
      for (const written of existing) known.set(written, { exists: true, at: now() });
      for (const written of missing) known.set(written, { exists: false, at: now() });
    },
    renew() {
      for (const [written, { exists }] of known) if (exists !== true) known.delete(written);
    },
  };
}

/** Remembers which paths exist in the workspace, and asks the host about unknown ones. Symbols have an instance of their own. */
import { MAX_PATHS_ASKED } from '../../panel/pathText.ts';

export interface KnownPaths {
  /** Whether a path, as it is written, exists. Undefined until the host has answered. An unknown path is asked about soon. */
  exists(written: string): boolean | undefined;
  /** Takes the answer of the host. */
  answered(existing: readonly string[], missing: readonly string[]): void;
  /** Forgets unanswered and missing paths, so that they are asked about again when everything is drawn anew. */
  renew(): void;
}

export interface KnownPathsDeps {
  ask(paths: readonly string[]): void;
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Calls a function a moment later. */
  later(call: () => void): void;
}

/** The maximum number of paths of a page. Others are shown as text. */
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

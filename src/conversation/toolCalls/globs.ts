/** Glob patterns of tool calls. */
import { isPathTooLong } from './toolPaths.ts';

/**
 * The maximum number of wildcards. Each further one multiplies the time for which the editor is blocked, by a factor that depends
 * on the paths.
 */
const MAX_WILDCARDS = 5;

/** Whether matching a pattern can take minutes, because it has too many `*` and `**`. Of alternatives in braces, one counts. */
export function isSlowGlob(glob: string): boolean {
  if (isPathTooLong(glob)) return true;
  let pattern = glob;
  for (let flat = withoutInner(pattern); flat !== pattern; flat = withoutInner(pattern)) pattern = flat;
  return wildcardsIn(pattern) > MAX_WILDCARDS;
}

/** Replaces each innermost pair of braces by its alternative with the most wildcards, separated from the text beside it. */
function withoutInner(glob: string): string {
  return glob.replace(/\{([^{}]*)\}/g, (_, inner: string) => {
    const most = inner.split(',').reduce((one, next) => (wildcardsIn(next) > wildcardsIn(one) ? next : one));
    return `?${most}?`;
  });
}

const wildcardsIn = (glob: string): number => glob.match(/\*+/g)?.length ?? 0;

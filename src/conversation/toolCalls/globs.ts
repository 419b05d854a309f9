/** Glob patterns of tool calls. */
import { isPathTooLong } from './toolPaths.ts';

/** What each more of them multiplies the time of the editor by, which is blocked meanwhile, depends on the paths. */
const MAX_WILDCARDS = 5;

/** Whether matching a pattern can take minutes: it has too many `*` and `**` one behind another. */
export function isSlowGlob(glob: string): boolean {
  if (isPathTooLong(glob)) return true;
  let pattern = glob;
  for (let flat = withoutInner(pattern); flat !== pattern; flat = withoutInner(pattern)) pattern = flat;
  return wildcardsIn(pattern) > MAX_WILDCARDS;
}

/** With the alternative that has the most in each pair of innermost braces, parted from those beside them. */
function withoutInner(glob: string): string {
  return glob.replace(/\{([^{}]*)\}/g, (_, inner: string) => {
    const most = inner.split(',').reduce((one, next) => (wildcardsIn(next) > wildcardsIn(one) ? next : one));
    return `?${most}?`;
  });
}

const wildcardsIn = (glob: string): number => glob.match(/\*+/g)?.length ?? 0;

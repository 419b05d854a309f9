/** Merges JSON that two windows have changed. */
import { someObject, tryDecode } from '../../validation/decode.ts';

/** The depth to which changes are merged: the fields of an item, a list in a field, and the fields of each entry of the list. */
const DEPTH = 3;

/**
 * Merges the changes of two windows to a common base. If both have changed the same field, `mine` wins.
 *
 * @param depth 0 for values that are merged only as a whole
 */
export function merged(base: unknown, mine: unknown, theirs: unknown, depth = DEPTH): unknown {
  if (isSame(mine, base)) return theirs;
  if (depth === 0 || isSame(theirs, base)) return mine;
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs))
    return mine.length === theirs.length && mine.length === base.length
      ? mine.map((one, at) => merged(base[at], one, theirs[at], depth - 1))
      : mine;
  const [had, has, have] = [base, mine, theirs].map((one) => tryDecode(someObject, one));
  if (had === undefined || has === undefined || have === undefined) return mine;
  return Object.fromEntries(
    [...new Set([...Object.keys(has), ...Object.keys(have)])].flatMap((name) => {
      const value = merged(had[name], has[name], have[name], depth - 1);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

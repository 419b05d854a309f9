/** Finds merge conflicts by the markers that Git writes into a file, with or without the common ancestor (diff3). */
import { splitEndedLines, splitLines } from './lineEnds.ts';

/** Lines are counted from 0. The first line and the last line are markers. */
export interface Conflict {
  readonly startLine: number;
  readonly endLine: number;
}

/** Exactly seven characters: in a conflict inside the common ancestor, Git writes longer markers. */
const MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?:[ \t].*)?$/;

/** The conflicts of a text, in order. A block without all its markers isn't a conflict. */
export function findConflicts(text: string): readonly Conflict[] {
  if (!text.includes('<<<<<<<')) return [];
  const found: Conflict[] = [];
  let startLine = -1;
  /** The last marker of the open block. */
  let last = '';
  for (const [line, content] of splitLines(text).entries()) {
    if (!MARKER.test(content)) continue;
    const kind = content.charAt(0);
    if (kind === '<') {
      startLine = line;
      last = kind;
    } else if (kind === '|' && last === '<') {
      last = kind;
    } else if (kind === '=' && (last === '<' || last === '|')) {
      last = kind;
    } else if (kind === '>') {
      if (last === '=') found.push({ startLine, endLine: line });
      last = '';
    }
  }
  return found;
}

/** Whether a text is one conflict, from its first line to its last. */
export function isConflict(text: string): boolean {
  const [only, ...others] = findConflicts(text);
  const lines = splitEndedLines(text).length;
  return others.length === 0 && only?.startLine === 0 && only.endLine === lines - 1;
}

/**
 * Whether a change leaves a marker that belongs to no conflict. A heading can be underlined like the marker between both sides,
 * so for that marker, no such line may have been removed.
 */
export function leavesMarker(before: string, after: string): boolean {
  const [was, is] = [markersOf(before), markersOf(after)];
  const more = (kind: string) => countOf(is.stray, kind) > countOf(was.stray, kind);
  return ['<', '|', '>'].some(more) || (more('=') && countOf(is.all, '=') >= countOf(was.all, '='));
}

/** The kinds of all lines that look like a marker, and the kinds of those that belong to no conflict. */
function markersOf(text: string): { readonly all: readonly string[]; readonly stray: readonly string[] } {
  const lines = splitLines(text);
  const kinds = (some: readonly string[]) =>
    some.filter((line) => MARKER.test(line)).map((line) => line.charAt(0));
  const all = kinds(lines);
  for (const { startLine, endLine } of findConflicts(text)) lines.fill('', startLine, endLine + 1);
  return { all, stray: kinds(lines) };
}

const countOf = (kinds: readonly string[], kind: string): number =>
  kinds.filter((one) => one === kind).length;

/** The conflict that a line belongs to. */
export function conflictAt(text: string, line: number): Conflict | undefined {
  return findConflicts(text).find(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

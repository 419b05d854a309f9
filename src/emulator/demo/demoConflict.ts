/** Resolves merge conflicts without understanding them: both sides stay, in their order. */
import type { CodeBlock } from './demoTask.ts';

type Part = 'around' | 'ours' | 'ancestor' | 'theirs';

/** The part that a marker of Git begins, by its first character. */
const BEGINS: Readonly<Record<string, Part>> = {
  '<': 'ours',
  '|': 'ancestor',
  '=': 'theirs',
  '>': 'around',
};

const MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?:[ \t]|\r?$)/;

/** The code without the markers and without the common ancestor, which diff3 adds. */
export function resolveConflicts({ code }: CodeBlock): string {
  let part: Part = 'around';
  const kept: string[] = [];
  for (const line of code.split('\n')) {
    if (MARKER.test(line) && (part !== 'around' || line.startsWith('<')))
      part = BEGINS[line.charAt(0)] ?? part;
    else if (part !== 'ancestor') kept.push(line);
  }
  return kept.join('\n');
}

/** The project that a day's work is about: code of some length, instructions, and a prompt file, all as text. */

import type { ContextItem } from '../../../src/conversation/context/context.ts';
import type { CodeLines } from '../../../src/conversation/prompts/codePrompts.ts';
import { chooseSurroundings } from '../../../src/conversation/prompts/codePrompts.ts';
import { findInstructions, type InstructionFolder } from '../../../src/instructions/findInstructions.ts';

export const ROOT = 'file:///day/';

const toFare = (index: number): string =>
  [
    `/** The fare of zone ${index}, in cents. Children and groups pay less. */`,
    `export function fareOfZone${index}(age: number, count: number, isReturn: boolean): number {`,
    `  const single = age < ${10 + index} ? ${120 + index} : ${240 + index};`,
    `  const all = single * count * (count > ${4 + (index % 3)} ? 0.8 : 1);`,
    '  return Math.round(isReturn ? all * 1.9 : all);',
    '}',
    '',
  ].join('\n');

/** Forty functions in 280 lines, about 3,500 tokens. */
export const FARES = Array.from({ length: 40 }, (_, index) => toFare(index)).join('\n');

const AGENTS = `# Fares

- Amounts are whole cents. Round once, at the end.
- Functions are pure, and have a comment that says the unit of what they return.
- Tests are beside the code, in files that end in \`.test.ts\`.
`;

const toItem = (path: string, text: string, kind: ContextItem['kind'] = 'file'): ContextItem => ({
  kind,
  label: path,
  uri: ROOT + path,
  parts: [{ label: path, language: path.endsWith('.md') ? 'markdown' : 'typescript', text }],
});

/** A file as it is attached to a message. */
export const attached = (path: string, text: string): ContextItem => toItem(path, text);

/** Its instructions can be changed during the day. */
export function createProject() {
  const files = new Map([
    ['AGENTS.md', AGENTS],
    ['src/AGENTS.md', 'Zones are counted from 0.\n'],
    ['.github/instructions/tests.instructions.md', '---\napplyTo: "**/*.test.ts"\n---\nUse node:assert.\n'],
  ]);
  const folder: InstructionFolder = {
    list: async (below) => [...files.keys()].filter((path) => path.startsWith(`${below}/`)),
    async read(paths) {
      return paths.map((path) => {
        const text = files.get(path);
        return text === undefined ? undefined : toItem(path, text);
      });
    },
  };
  return {
    write: (path: string, text: string) => void files.set(path, text),
    instructionsFor: (uris: readonly string[]) =>
      findInstructions(
        folder,
        'on',
        uris.map((uri) => uri.slice(ROOT.length)),
      ),
  };
}

export type Project = ReturnType<typeof createProject>;

/** Lines of the code, and those around them, as commands on code send them. */
export function linesOfFares(startLine: number, endLine: number) {
  const all = FARES.split('\n');
  const linesFrom = (start: number, end: number): CodeLines => ({
    path: 'src/fares.ts',
    language: 'typescript',
    startLine: start,
    endLine: end,
    text: all.slice(start, end + 1).join('\n'),
  });
  return {
    code: linesFrom(startLine, endLine),
    around: chooseSurroundings(all, startLine, endLine).map(({ start, end }) => linesFrom(start, end)),
  };
}

export const PROMPT_FILE = `---
description: What is missing before a release
effort: high
tools: ['read_file', 'git_log']
---
List what is missing before \${input:version} can be released: tests, comments, and notes for users.
`;

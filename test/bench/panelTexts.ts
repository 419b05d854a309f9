/** The texts of panel.bench.ts: answers of mixed blocks, and answers that are one huge block. */
import { makeAnswer } from './answerText.ts';

const WORDS =
  'every frame reads what came since while code waits for its fence and a table for its rows'.split(' ');

const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => WORDS[(from * 7 + i * 3) % WORDS.length]).join(' ');

/** One line of each kind of block. */
const LINES: Readonly<Record<string, (at: number) => string>> = {
  paragraph: (at) => `${words(at, 12)} **${words(at, 2)}** and \`value${at}\`,\n`,
  list: (at) => `- ${words(at, 8)} \`item${at}\`\n`,
  'nested list': (at) => `${'  '.repeat(at % 4)}- ${words(at, 8)}\n`,
  table: (at) => `${at === 0 ? '| name | value |\n|---|--:|\n' : ''}| \`row${at}\` | ${words(at, 5)} |\n`,
  quote: (at) => `> ${words(at, 12)}\n`,
  fence: (at) => `${at === 0 ? '```ts\n' : ''}const value${at} = call(${at}, "${words(at, 3)}");\n`,
};

/** The kinds of text: `mixed`, and those that are one block. */
export const KINDS = ['mixed', ...Object.keys(LINES)];

/** A text with at least this number of characters. */
export function makeText(kind: string, characters: number): string {
  const lineOf = LINES[kind];
  if (lineOf === undefined) return makeAnswer(characters);
  let text = '';
  for (let at = 0; text.length < characters; at++) text += lineOf(at);
  return text;
}

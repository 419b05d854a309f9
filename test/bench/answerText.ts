/** Long answers for benchmarks: prose, lists, tables, and code, the same in every run. */

const WORDS =
  'the stream of an answer grows by words and every frame reads what came since while code waits for its fence a table for its rows and the reader for the end'.split(
    ' ',
  );
const LANGUAGES = ['ts', 'python', 'json', 'bash'];

/** Returns Markdown with at least this number of characters, cut at the end of a part. */
export function makeAnswer(characters: number): string {
  const random = createRandom();
  let text = '';
  for (let n = 1; text.length < characters; n++) text += partOf(n, random);
  return text;
}

type Random = (below: number) => number;

/** A linear congruential generator: parts differ, runs do not. */
function createRandom(): Random {
  let seed = 20_261_121;
  return (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

function partOf(n: number, random: Random): string {
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[random(WORDS.length)] ?? '').join(' ');
  const times = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join('\n');
  const language = LANGUAGES[n % LANGUAGES.length] ?? 'ts';
  const blocks = [
    `## Part ${n}: ${words(3)}`,
    `${words(30)} **${words(2)}** ${words(20)} \`value${n}\` ${words(12)} [${words(2)}](https://example.com/${n}).`,
    times(3 + random(4), (i) => `- ${words(8)}\n  - ${words(5)} \`item${i}\``),
    `${words(25)} *${words(3)}*\n${words(15)}.`,
    times(3, (i) => `${i + 1}. **${words(1)}**: ${words(9)}`),
    `| ${words(1)} | value | meaning |\n|---|--:|---|\n${times(3 + random(4), (i) => `| \`row${i}\` | ${random(1000)} | ${words(4)} |`)}`,
    `\`\`\`${language}\n${times(6 + random(10), (i) => `${' '.repeat(2 * (i % 3))}const ${words(1)}${i} = call(${random(100)}, "${words(2)}");`)}\n\`\`\``,
    `> ${words(14)}`,
  ];
  return `${blocks.join('\n\n')}\n\n`;
}

/**
 * The pathological inputs of cmark and markdown-it, through everything that parses Markdown of the model: the time grows with
 * the length, not with its square (docs/suites.md). With `K3_SUITES=all`, they
 * are longer than in `npm test`.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { readCodeBlocks } from '../../../src/review/answers/codeBlocks.ts';
import { toPlainMarkdown } from '../../../src/review/answers/plainMarkdown.ts';
import { createStreamingMarkdown } from '../../../src/webview/text/blocks.ts';
import { createMarkdown } from '../../../src/webview/text/markdown.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';
import { NO_WORDS } from '../../support/markdownWords.ts';

const all = process.env['K3_SUITES'] === 'all';
const md = createMarkdown(NO_WORDS);

const LENGTH = all ? 20_000 : 3_000;

/**
 * linkify-it reads at most 10,000 characters of an address; what is longer is no link and takes far longer for the same length. So the
 * addresses have 600 characters, and 2,400 and 9,600 in longer inputs, whose growth is measured as well if the first one isn't linear.
 */
const ADDRESS_PART = 600 / LENGTH;
const ADDRESSES = 20;

/** Each input of a length, about as many characters. */
const INPUTS: Readonly<Record<string, (length: number) => string>> = {
  'nested inlines': (n) => `${'*'.repeat(n / 2)}a${'*'.repeat(n / 2)}`,
  'nested strong emphasis': (n) => `${'*a **a '.repeat(n / 14)}b${' a** a*'.repeat(n / 14)}`,
  'closers of emphasis without openers': (n) => 'a_ '.repeat(n / 3),
  'openers of emphasis without closers': (n) => '_a '.repeat(n / 3),
  'closers of links without openers': (n) => 'a]'.repeat(n / 2),
  'openers of links without closers': (n) => '[a'.repeat(n / 2),
  'openers and closers that do not match': (n) => '*a_ '.repeat(n / 4),
  'emphasis around emphasis that does not match': (n) => '*a '.repeat(n / 6) + '_a*_ '.repeat(n / 10),
  'openers and closers by threes': (n) => `a**b${'c* '.repeat(n / 3)}`,
  'openers of links and closers of emphasis': (n) => '[ a_'.repeat(n / 4),
  'links in brackets in links': (n) => '[ (]('.repeat(n / 5),
  'images of links': (n) => '![[]()'.repeat(n / 6),
  'links in emphasis': (n) => '**x [a*b**c*](d)'.repeat(n / 16),
  'nested brackets': (n) => `${'['.repeat(n / 2)}a${']'.repeat(n / 2)}`,
  'nested block quotes': (n) => `${'> '.repeat(n / 2)}a`,
  'characters U+0000': (n) => 'abc\u0000de\u0000'.repeat(n / 7),
  // Their length is the square of the largest number.
  'nested lists': (n) => upTo(Math.sqrt(n), (level) => `${'  '.repeat(level)}* a\n`),
  'more and more backticks': (n) => upTo(Math.sqrt(2 * n), (count) => `e${'`'.repeat(count)}`),
  'links with an open address in brackets': (n) => '[a](<b'.repeat(n / 6),
  'links with an open address': (n) => '[a](b'.repeat(n / 5),
  'open comments': (n) => `</${'<!--'.repeat(n / 4)}`,
  'empty lines in nested lists': (n) => `${'- '.repeat(n / 3)}x${'\n'.repeat(n / 3)}`,
  'empty lines in nested lists in a quote': (n) => `> ${'- '.repeat(n / 4)}x\n${'>\n'.repeat(n / 4)}`,
  'emphasis in nested quotes': (n) => '>'.repeat(n / 3) + 'a*'.repeat(n / 3),
  'definitions of links': (n) => upTo(n / 24, (count) => `[x${count}]: /url\n\n[x]\n\n`),
  'references to one definition': (n) => `[a]: u\n\n${'[a] '.repeat(n / 4)}`,
  'mixed emphasis': (n) => '**_* '.repeat(n / 5),
  'backticks and backslashes': (n) => '``\\'.repeat(n / 3),
  'openers of addresses': (n) => `${'<'.repeat(n)}>`,
  'spaces before a hard break': (n) => `x${' '.repeat(n)}x  \nx`,
  'addresses that end in asterisks': (n) =>
    `https://test.com?${'*'.repeat(n * ADDRESS_PART)}a\n\n`.repeat(ADDRESSES),
  'mail addresses': (n) => 'ping a@b.co ok\n'.repeat(n / 15),
  'unknown schemes': (n) => 'a://'.repeat(n / 4),
  quotes: (n) => '"'.repeat(n),
  'quotes that do not match': (n) => '"a '.repeat(n / 6) + "b' ".repeat(n / 6),
  'cells of a table': (n) => `|a|b|\n|-|-|\n${'|'.repeat(n)}`,
  'columns of a table': (n) => `${'|a'.repeat(n / 5)}|\n${'|-'.repeat(n / 5)}|\n|b|`,
  'openers of math': (n) => '\\(a $'.repeat(n / 5),
  'lines that open math': (n) => '$$a\n'.repeat(n / 4),
  'footnotes and tasks': (n) => '[^a]: b [^a]\n- [x] \n'.repeat(n / 21),
  'open fences': (n) => '```a\n'.repeat(n / 5),
};

function upTo(count: number, of: (index: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, index) => of(index)).join('');
}

/** Streams a text in four pieces. */
function stream(text: string): void {
  const streaming = createStreamingMarkdown(md);
  const size = Math.ceil(text.length / 4);
  for (let at = 0; at < text.length; at += size) {
    streaming.append(text.slice(at, at + size));
    streaming.update();
  }
  streaming.finish();
}

const WORK: Readonly<Record<string, (text: string) => unknown>> = {
  'the panel, whole': (text) => md.render(text, {}),
  'the panel, streamed': stream,
  'code blocks': readCodeBlocks,
  'text in Markdown of ours': toPlainMarkdown,
};

let worst = 0;
after(() =>
  console.log(
    `    ${Object.keys(INPUTS).length} inputs; at most ${worst.toFixed(1)} times as long for four times the length`,
  ),
);

describe('Pathological Markdown takes linear time', () => {
  for (const [name, inputOf] of Object.entries(INPUTS))
    it(name, () => {
      for (const [what, work] of Object.entries(WORK)) {
        const growth = growthOf(inputOf, work, LENGTH);
        worst = Math.max(worst, growth);
        assert.ok(growth < LINEAR, `${what}: ${growth.toFixed(1)} times as long for four times the length`);
      }
    }).timeout(all ? 300_000 : 60_000);
});

import assert from 'node:assert/strict';
import { build } from 'esbuild';
import fc from 'fast-check';
import { before, describe, it } from 'mocha';
import { markdownBlocks } from '../../../scripts/lib/markdownBlocks.mjs';
import { parseBlocks } from '../../../src/review/answers/markdownBlocks.ts';
import { COMMONMARK } from '../../support/markdownCases.ts';

describe('The blocks of Markdown as the extension host reads them', () => {
  let bundled: typeof parseBlocks;
  let code: string;
  before(async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "export { parseBlocks } from './markdownBlocks.ts';",
        resolveDir: 'src/review/answers',
      },
      bundle: true,
      format: 'esm',
      write: false,
      plugins: [markdownBlocks],
    });
    code = outputFiles[0]?.text ?? '';
    ({ parseBlocks: bundled } = await import(`data:text/javascript,${encodeURIComponent(code)}`));
  });

  /** All fields but the inline text, which nothing in the host uses. */
  const blocksOf = (parse: typeof parseBlocks, markdown: string) =>
    parse(markdown).map((token) => ({ ...token, children: undefined }));

  it('are those of the whole library, in the examples of CommonMark', () => {
    for (const { name, text } of COMMONMARK)
      assert.deepEqual(blocksOf(bundled, text), blocksOf(parseBlocks, text), name);
  });

  it('are those of the whole library, in any mixture of marks', () => {
    const pieces = [
      '```',
      '~~~~',
      '`',
      '\n',
      '\r\n',
      '> ',
      '- ',
      '12. ',
      '    ',
      '\t',
      'word',
      ' ',
      '\0',
      '| - |',
      '# ',
      '<b>',
    ];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((some) => some.join(''));
    fc.assert(
      fc.property(texts, (text) => assert.deepEqual(blocksOf(bundled, text), blocksOf(parseBlocks, text))),
      { numRuns: 500 },
    );
  });

  it('come without the rest of the library', () => {
    assert.doesNotMatch(code, /smartquotes|linkify|StateInline|_defineProperty/);
    assert.ok(code.length < 40_000, `${code.length} characters`);
  });
});

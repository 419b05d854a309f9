import assert from 'node:assert/strict';
import { build } from 'esbuild';
import published from 'markdown-it';
import { describe, it } from 'mocha';
import { plainFields } from '../../../scripts/lib/plainFields.mjs';
import { COMMONMARK } from '../../support/markdownCases.ts';

describe('markdown-it with plain fields', () => {
  it('has no function that defines fields, and renders as the published one', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export { default } from 'markdown-it';", resolveDir: import.meta.dirname },
      bundle: true,
      format: 'esm',
      write: false,
      plugins: [plainFields],
    });
    const code = outputFiles[0]?.text ?? '';
    assert.doesNotMatch(code, /_defineProperty/);
    const { default: createMarkdownIt }: { readonly default: typeof published } = await import(
      `data:text/javascript,${encodeURIComponent(code)}`
    );
    const [plain, wanted] = [createMarkdownIt, published].map((create) => create({ linkify: true }));
    for (const { name, text } of COMMONMARK) assert.equal(plain?.render(text), wanted?.render(text), name);
  });
});

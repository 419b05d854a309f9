/**
 * Lets the classes of markdown-it set their fields as others do. It is published with a function that defines each field,
 * which took a third of the time of reading Markdown: every token has seven fields (docs/performance.md).
 */
import { readFile } from 'node:fs/promises';

export const MARKDOWN_IT = /[\\/]markdown-it\.mjs$/;

/** What sets a field of an object or of the class, up to its value. Some have a comment. */
const DEFINED = /_defineProperty\(\s*(this|MarkdownIt),\s*(?:\/\*\*[\s\S]*?\*\/\s*)?"(\w+)",/g;

/** @type {import('esbuild').Plugin} */
export const plainFields = {
  name: 'plain-fields',
  setup(build) {
    build.onLoad({ filter: MARKDOWN_IT }, async ({ path }) => ({
      contents: await readWithPlainFields(path),
    }));
  },
};

/** The text of the library with plain fields. Throws if it has none of the others: a later version may not need this any more. */
export async function readWithPlainFields(/** @type {string} */ path) {
  const published = await readFile(path, 'utf8');
  const contents = published.replaceAll(DEFINED, '($1.$2 =');
  if (contents === published) throw new Error(`no field is defined by a function in ${path}`);
  return contents;
}

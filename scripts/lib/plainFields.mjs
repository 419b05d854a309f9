/**
 * Makes the classes of markdown-it assign their fields. The library is published with a function that defines each field, which
 * took a third of the time of parsing Markdown, because every token has seven fields (docs/performance.md).
 */
import { readFile } from 'node:fs/promises';

export const MARKDOWN_IT = /[\\/]markdown-it\.mjs$/;

/** A call that sets a field of an object or of the class, up to its value. Some calls contain a comment. */
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

/** The text of the library with assigned fields. Throws if it has no defined fields, because a later version may not need this. */
export async function readWithPlainFields(/** @type {string} */ path) {
  const published = await readFile(path, 'utf8');
  const contents = published.replaceAll(DEFINED, '($1.$2 =');
  if (contents === published) throw new Error(`no field is defined by a function in ${path}`);
  return contents;
}

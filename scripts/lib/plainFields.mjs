/**
 * Lets the classes of markdown-it set their fields as others do. It is published with a function that defines each field,
 * which took a third of the time of reading Markdown: every token has seven fields (docs/performance.md).
 */
import { readFile } from 'node:fs/promises';

/** What sets a field of an object or of the class, up to its value. Some have a comment. */
const DEFINED = /_defineProperty\(\s*(this|MarkdownIt),\s*(?:\/\*\*[\s\S]*?\*\/\s*)?"(\w+)",/g;

/** @type {import('esbuild').Plugin} */
export const plainFields = {
  name: 'plain-fields',
  setup(build) {
    build.onLoad({ filter: /[\\/]markdown-it\.mjs$/ }, async ({ path }) => {
      const published = await readFile(path, 'utf8');
      const contents = published.replaceAll(DEFINED, '($1.$2 =');
      // A later version of the library may not need this any more.
      if (contents === published) throw new Error(`no field is defined by a function in ${path}`);
      return { contents };
    });
  },
};

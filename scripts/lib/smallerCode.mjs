/**
 * Minifies a built program once more, with Terser, which removes more code that can't be reached. For programs that are
 * mostly libraries (docs/decisions/2026-11-22-package.md).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { minify } from 'terser';

/** @type {import('esbuild').Plugin} */
export const smallerCode = {
  name: 'smaller-code',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(async ({ metafile }) => {
      const files = Object.keys(metafile?.outputs ?? {}).filter((file) => file.endsWith('.js'));
      for (const file of files) await makeSmaller(file, metafile?.outputs[`${file}.map`] !== undefined);
    });
  },
};

/** @param {string} file */
async function makeSmaller(file, hasMap = false) {
  const map = `${file}.map`;
  const made = await minify(readFileSync(file, 'utf8'), {
    module: true,
    ecma: 2020,
    compress: { passes: 2 },
    format: { comments: false },
    ...(hasMap && {
      sourceMap: {
        content: JSON.parse(readFileSync(map, 'utf8')),
        filename: basename(file),
        url: basename(map),
      },
    }),
  });
  if (made.code === undefined) throw new Error(`nothing is left of ${file}`);
  writeFileSync(file, made.code);
  if (hasMap) writeFileSync(map, String(made.map));
}

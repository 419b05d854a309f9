/** Writes docs/reference.md, the reference of settings and commands. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { main, root, say } from './lib/project.mjs';
import { referenceOf } from './lib/reference.mjs';

await main(import.meta.url, async () => {
  const read = async (/** @type {string} */ file) => JSON.parse(await readFile(join(root, file), 'utf8'));
  const text = referenceOf(await read('package.json'), await read('package.nls.json'));
  await writeFile(join(root, 'docs/reference.md'), text);
  say('docs/reference.md');
});

/**
 * Creates dist/k3-chat-VERSION.vsix, the file that users install.
 *
 *   npm run package
 *   npm run package -- --try    also installs it in a new profile, and asks the first question
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode24 } from './lib/node24.mjs';
import { compressAgain, packageInto } from './lib/packaging.mjs';
import { Failure, main, root, say } from './lib/project.mjs';
import { setup } from './setup.mjs';

await main(import.meta.url, async () => {
  const { values } = parseArgs({ options: { try: { type: 'boolean' } } });
  if (values.try) {
    await setup();
    await underNode24();
  }
  await ensureDependencies();
  await build({ smaller: true });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const file = `dist/k3-chat-${version}.vsix`;
  const warnings = await packageInto(join(root, file), root);
  if (warnings.length > 0) throw new Failure(`The packager warns:\n${warnings.join('\n')}`);
  await compressAgain(join(root, file));
  const { size } = await stat(join(root, file));
  say(`${file}, ${(size / 1024).toFixed(0)} KiB`);
  if (!values.try) return;
  const { tryPackage } = await import('../test/support/tryPackage.ts');
  for (const line of await tryPackage(join(root, file))) say(line);
});

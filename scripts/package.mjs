/** Creates dist/k3-chat-VERSION.vsix, the file that users install. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { packageInto } from './lib/packaging.mjs';
import { Failure, main, root, say } from './lib/project.mjs';

await main(import.meta.url, async () => {
  await ensureDependencies();
  await build();
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const file = `dist/k3-chat-${version}.vsix`;
  const warnings = await packageInto(join(root, file), root);
  if (warnings.length > 0) throw new Failure(`The packager warns:\n${warnings.join('\n')}`);
  const { size } = await stat(join(root, file));
  say(`${file}, ${(size / 1024).toFixed(0)} KiB`);
});

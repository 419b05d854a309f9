/** Creates dist/k3-chat-VERSION.vsix, the file that users install. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { Failure, main, root, run, say } from './lib/project.mjs';

await main(import.meta.url, async () => {
  await ensureDependencies();
  await build();
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const file = `dist/k3-chat-${version}.vsix`;
  await mkdir(join(root, 'dist'), { recursive: true });
  const vsce = [
    'node_modules/@vscode/vsce/vsce',
    'package',
    '--no-dependencies',
    '--no-rewrite-relative-links',
  ];
  const { code } = await run(process.execPath, [...vsce, '--allow-missing-repository', '-o', file]);
  if (code !== 0) throw new Failure('The package could not be made; the messages above say why.');
  say(file);
});

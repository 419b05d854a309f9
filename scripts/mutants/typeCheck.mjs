/** Checks the types of a changed file in a copy of `src`, so that the checkout doesn't change. */
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../lib/project.mjs';

/** Copies `src`. `accepts` says whether the types allow another text of a file; `dispose` deletes the copy. */
export async function createTypeCheck() {
  const copy = await mkdtemp(join(tmpdir(), 'k3-types-'));
  await cp(join(root, 'src'), join(copy, 'src'), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
    include: ['src'],
    exclude: ['src/webview'],
  };
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return {
    async accepts(/** @type {string} */ file, /** @type {string} */ before, /** @type {string} */ after) {
      await writeFile(join(copy, file), after);
      const { code } = await run(process.execPath, [tsc, '-p', copy], { cwd: copy, quiet: true });
      await writeFile(join(copy, file), before);
      return code === 0;
    },
    dispose: () => rm(copy, { recursive: true, force: true }),
  };
}

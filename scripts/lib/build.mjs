/** Builds dist/. */
import { join } from 'node:path';
import { oneAtATime } from './claims.mjs';
import { Failure, root, run } from './project.mjs';

/**
 * Builds all programs. Waits for another build in this checkout, because two builds would remove each other's files.
 *
 * @param {{ smaller?: boolean }} [options] `smaller`: builds exactly the programs of the package, which takes seconds more for
 *   changed programs. `K3_BUILD=smaller` sets it for each build.
 */
export async function build({ smaller = process.env['K3_BUILD'] === 'smaller' } = {}) {
  const { code } = await oneAtATime(join(root, 'dist/building.pid'), () =>
    run(process.execPath, ['esbuild.mjs', ...(smaller ? ['--smaller'] : [])]),
  );
  if (code !== 0) throw new Failure('The build failed; the messages above say where.');
}

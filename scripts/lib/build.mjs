/** Builds dist/. */
import { join } from 'node:path';
import { oneAtATime } from './claims.mjs';
import { Failure, root, run } from './project.mjs';

/** Two builds at once would remove each other's files. */
export async function build() {
  const { code } = await oneAtATime(join(root, 'dist/building.pid'), () =>
    run(process.execPath, ['esbuild.mjs']),
  );
  if (code !== 0) throw new Failure('The build failed; the messages above say where.');
}

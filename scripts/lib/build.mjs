/** Builds dist/. */
import { Failure, run } from './project.mjs';

export async function build() {
  const { code } = await run(process.execPath, ['esbuild.mjs']);
  if (code !== 0) throw new Failure('The build failed; the messages above say where.');
}

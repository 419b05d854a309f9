/** Runs the emulator of the service. Arguments are passed on (--port N, --route direct|gateway, …). */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { isUpToDate } from './lib/earlierBuild.mjs';
import { main, root } from './lib/project.mjs';

const program = join(root, 'dist/emulatorCli.cjs');

await main(import.meta.url, async () => {
  if (!isUpToDate(program, join(root, 'src'))) {
    await ensureDependencies();
    await build();
  }
  const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.on('SIGINT', () => child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 0));
});

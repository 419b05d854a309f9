/** Installs the dependencies and tools of the other commands. Prints each installation, and nothing if everything is installed. */
import { ensureChromium } from './lib/chromium.mjs';
import { ensureCodeServer } from './lib/codeServer.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main } from './lib/project.mjs';

/** Installs everything for the tests, and for starting without a desktop editor. */
export async function setup() {
  await ensureDependencies();
  await ensureNode24();
  await ensureCodeServer();
  await ensureChromium();
}

await main(import.meta.url, setup);

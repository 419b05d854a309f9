/** Installs the dependencies and tools of the other commands. Prints each installation, and nothing if everything is installed. */
import { ensureChromium } from './lib/chromium.mjs';
import { ensureCodeServer } from './lib/codeServer.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ensureNode, ensureNode24, OLDEST_NODE } from './lib/node24.mjs';
import { main } from './lib/project.mjs';

/** Installs everything for the tests, and for starting without a desktop editor. */
export async function setup() {
  await ensureDependencies();
  await ensureNode24();
  await ensureNode(OLDEST_NODE);
  await ensureCodeServer();
  await ensureChromium();
}

await main(import.meta.url, setup);

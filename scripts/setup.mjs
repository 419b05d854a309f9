/** Makes ready what the other commands need; says what it does, and nothing when all is there. */
import { ensureChromium } from './lib/chromium.mjs';
import { ensureCodeServer } from './lib/codeServer.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main } from './lib/project.mjs';

/** Everything the tests and a start without a desktop need. */
export async function setup() {
  await ensureDependencies();
  await ensureNode24();
  await ensureCodeServer();
  await ensureChromium();
}

await main(import.meta.url, setup);

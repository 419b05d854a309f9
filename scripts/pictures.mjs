/** Takes the pictures of the README in the real workbench, with the emulator as the service, and saves them in media. */
import { build } from './lib/build.mjs';
import { underNode24 } from './lib/node24.mjs';
import { main, say } from './lib/project.mjs';
import { setup } from './setup.mjs';

await main(import.meta.url, async () => {
  await setup();
  await underNode24();
  await build();
  const { takePictures } = await import('../test/support/takePictures.ts');
  for (const file of await takePictures()) say(file);
});

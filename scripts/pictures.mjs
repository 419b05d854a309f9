/**
 * Takes the pictures of the README in the real workbench, with the emulator as the service, and saves them in media.
 *
 *   npm run pictures
 *   npm run pictures -- --language de   instead, the chat, failures, and a review in German, in test/ui/screenshots;
 *                                       `all`: in every language. The editor itself stays in English
 */
import { parseArgs } from 'node:util';
import { build } from './lib/build.mjs';
import { underNode24 } from './lib/node24.mjs';
import { main, say } from './lib/project.mjs';
import { setup } from './setup.mjs';

await main(import.meta.url, async () => {
  await setup();
  await underNode24();
  await build();
  const languages = await wanted();
  if (languages.length > 0) {
    const { takeLanguagePictures } = await import('../test/support/takeLanguagePictures.ts');
    for (const language of languages) for (const file of await takeLanguagePictures(language)) say(file);
    return;
  }
  const { takePictures } = await import('../test/support/takePictures.ts');
  for (const file of await takePictures()) say(file);
});

async function wanted() {
  const { values } = parseArgs({ options: { language: { type: 'string' } } });
  if (values.language !== 'all') return values.language === undefined ? [] : [values.language];
  const { languages } = await import('./lib/l10n.mjs');
  return languages();
}

/**
 * Writes the English texts of the code to `l10n/bundle.l10n.json`, and checks the translations of all languages.
 *
 *   npm run l10n
 *   npm run l10n -- --language de    also adds missing keys to the files of German, with empty texts, and removes obsolete
 *                                    keys and translations of an older English text
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './lib/dependencies.mjs';
import { Failure, main, root, say } from './lib/project.mjs';

// Declared before `main`, which needs it and is awaited at the top level.
const OUTDATED =
  'is a translation of an older English text. Translate it again, or remove it and run this with --language.';

await main(import.meta.url, async () => {
  const { values } = parseArgs({ options: { language: { type: 'string' } } });
  await ensureDependencies();
  const { ENGLISH, languages, problemsOf, readTexts, textsOfSources, translationOf } = await import(
    './lib/l10n.mjs'
  );
  const { allOrigins, outdated, readOrigins, TRANSLATED_FROM } = await import('./lib/translatedFrom.mjs');
  await mkdir(join(root, 'l10n'), { recursive: true });
  await write(ENGLISH.code, textsOfSources());
  const names = [ENGLISH.manifest, ENGLISH.code];
  if (values.language !== undefined) {
    const [language] = Intl.getCanonicalLocales(values.language).map((one) => one.toLowerCase());
    for (const name of names) {
      const file = translationOf(name, language ?? '');
      const translated = { ...readTexts(file) };
      const old = name === ENGLISH.manifest ? outdatedIn(language ?? '') : [];
      for (const key of old) delete translated[key];
      const texts = Object.keys(readTexts(name)).map((key) => [key, translated[key] ?? '']);
      await write(file, Object.fromEntries(texts));
    }
  }
  await write(TRANSLATED_FROM, allOrigins());
  for (const name of names) say(`${name}: ${Object.keys(readTexts(name)).length} texts`);
  const problems = languages().flatMap((language) =>
    names.flatMap((name) => {
      const file = translationOf(name, language);
      const found = [
        ...problemsOf(readTexts(name), readTexts(file), language),
        ...(name === ENGLISH.manifest ? outdatedIn(language) : []).map((key) => `“${key}” ${OUTDATED}`),
      ];
      say(`${file}: ${found.length === 0 ? 'fine' : `${found.length} to correct`}`);
      return found.map((problem) => `${file}: ${problem}`);
    }),
  );
  if (problems.length > 0) throw new Failure(problems.join('\n'));

  /** @param {string} language */
  function outdatedIn(language) {
    const file = translationOf(ENGLISH.manifest, language);
    return outdated(readTexts(ENGLISH.manifest), readTexts(file), readOrigins()[language] ?? {});
  }
});

/** @param {string} file @param {object} texts */
async function write(file, texts) {
  await writeFile(join(root, file), `${JSON.stringify(texts, null, 2)}\n`);
}

/** Markdown and HTML from other projects, for tests of how the panel shows text of the model (docs/suites.md). */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export interface MarkdownCase {
  readonly name: string;
  readonly text: string;
}

const { tests }: { tests: readonly { number: number; section: string; markdown: string }[] } =
  require('commonmark-spec');

/** The examples of the CommonMark specification, which writes tabs as arrows. */
export const COMMONMARK: readonly MarkdownCase[] = tests.map(({ number, section, markdown }) => ({
  name: `CommonMark ${number}, ${section}`,
  text: markdown.replaceAll('→', '\t'),
}));

/** Attacks with HTML, from the tests of DOMPurify: of an early version, or of the file that `K3_DOMPURIFY` names. */
export const DOMPURIFY: readonly MarkdownCase[] = await readFixtures(process.env['K3_DOMPURIFY']);

async function readFixtures(file: string | undefined): Promise<readonly MarkdownCase[]> {
  // The package's newer versions have no tests.
  const read: unknown =
    file === undefined ? require('dompurify-fixtures/test/fixtures/expect.js') : (await import(file)).default;
  if (!Array.isArray(read)) throw new Error(`${file} has no list of fixtures`);
  return read.map(({ payload, title }, index) => ({
    name: `DOMPurify ${index + 1}, ${title}`,
    text: String(payload),
  }));
}

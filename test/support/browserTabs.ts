/** The tabs of a browser of tests, which the next test takes again. */
import type { Browser, Page } from 'playwright-core';

const VIEWPORT = { width: 400, height: 600 };

/**
 * A page that was closed. A new one costs more than to load the chat in one that is there. One is enough: what it shows goes on, with
 * its timers and animations.
 */
const free = new WeakMap<Browser, Page>();

/** A page that was left, or a new one. */
export async function takePage(browser: Browser): Promise<Page> {
  const left = free.get(browser);
  const page = left ?? (await openTab(browser));
  free.delete(browser);
  if (left !== undefined) await resetMedia(page);
  await resize(page);
  page.setDefaultTimeout(60_000);
  return page;
}

/** Leaves the page to the next test. */
export async function leavePage(browser: Browser, page: Page): Promise<void> {
  const other = free.get(browser);
  if (page.isClosed() || other === page) return;
  if (other !== undefined) return page.context().close();
  await page.unrouteAll();
  page.removeAllListeners();
  free.set(browser, page);
}

/** To the size that pages begin with. The browser takes its time for that, also if nothing changes. */
export async function resize(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? {};
  if (width !== VIEWPORT.width || height !== VIEWPORT.height) await page.setViewportSize(VIEWPORT);
}

/** Nothing moves by itself: each picture of a spinner costs a drawing. */
const MEDIA = { reducedMotion: 'reduce', forcedColors: null } as const;

/** To what pages begin with: a test that failed may have left something else. */
export const resetMedia = (page: Page): Promise<void> => page.emulateMedia(MEDIA);

async function openTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, ...MEDIA });
  return context.newPage();
}

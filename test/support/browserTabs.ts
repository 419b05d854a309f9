/** The tabs of a browser of tests, which later tests use again. */
import type { Browser, Page } from 'playwright-core';

const VIEWPORT = { width: 400, height: 600 };

/**
 * A page that a test has left. Loading the chat in an existing page takes less time than opening a new page. Only one page is kept, because
 * its content continues to run, with its timers and animations.
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

/** Sets the initial size of pages. The browser needs time for this, even if nothing changes. */
export async function resize(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? {};
  if (width !== VIEWPORT.width || height !== VIEWPORT.height) await page.setViewportSize(VIEWPORT);
}

/** Turns animations off, because each frame of a spinner is a drawing. */
const MEDIA = { reducedMotion: 'reduce', forcedColors: null } as const;

/** Sets the initial state of pages, because a failed test may have changed it. */
export const resetMedia = (page: Page): Promise<void> => page.emulateMedia(MEDIA);

async function openTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, ...MEDIA });
  return context.newPage();
}

/** Pages of the chat in a frame of another document, as in the editor. */
import { afterEach } from 'mocha';
import type { Page } from 'playwright-core';
import { leavePage, takePage } from './browserTabs.ts';
import { addressOf, testBrowser } from './chatPage.ts';

/**
 * Returns a function that opens a document in the browser of the process. Its frames show the chat. It is closed after its test.
 *
 * @param around the HTML of the document, from the addresses of a chat and of an empty document that can have frames as well
 */
export function framedPages() {
  const browser = testBrowser();
  const opened: Page[] = [];
  afterEach(async () => {
    for (const page of opened.splice(0)) await leavePage(browser(), page);
  });
  return async (around: (chat: string, empty: string) => string): Promise<Page> => {
    const page = await takePage(browser());
    opened.push(page);
    const chat = addressOf(browser());
    // A document without a policy, and from the same server, so that the browser allows the frame.
    const empty = new URL('/webview.css', chat).href;
    await page.goto(empty);
    await page.setContent(around(chat, empty));
    return page;
  };
}

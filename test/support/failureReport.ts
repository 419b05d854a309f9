/** Describes the visible state after a failed test, so that the output of a run without pictures, on another machine, shows the cause. */
import type { Locator, Page } from 'playwright-core';
import { focusIn } from './focusPlace.ts';
import type { Workbench } from './workbench.ts';

const MOST_LINES = 40;
const LONGEST_LINE = 200;
const STACK_LINES = 4;
/** Time limit for each part, in milliseconds. Parts that can't be read in this time are left out. */
const READ_WITHIN_MS = 3000;

const NOTES = '.monaco-dialog-box, .quick-input-widget, .monaco-menu, .notification-list-item';

/** The errors in a window, the widgets above it, the place of the focus, and the last answer of each chat, in at most 40 lines. */
export async function describeWindow(workbench: Workbench): Promise<string> {
  const { page } = workbench;
  const above = await page.locator(NOTES).filter({ visible: true }).allInnerTexts();
  const { place } = await focusIn(workbench);
  const lines = [
    ...workbench.errors().flatMap((text) => text.split('\n').slice(0, STACK_LINES)),
    `The focus is in ${place || 'nothing'}.`,
    ...above.map((text) => `Above the window: ${text.replace(/\s+/g, ' ')}`),
  ];
  for (const frame of page.frames()) {
    const isChat = await frame.evaluate(`document.body?.dataset.k3 === 'chat'`).catch(() => false);
    if (isChat) lines.push('The last answer of a chat:', ...(await linesOf(frame.locator('article').last())));
  }
  return toReport(lines);
}

/** The same for a page alone. */
export async function describePage(page: Page): Promise<string> {
  return toReport(await linesOf(page.locator('body')));
}

async function linesOf(element: Locator): Promise<readonly string[]> {
  const text = await element.ariaSnapshot({ timeout: READ_WITHIN_MS }).catch(() => 'nothing');
  return text.split('\n');
}

/** A text without its middle, if it is too long. */
function toReport(lines: readonly string[]): string {
  const half = MOST_LINES / 2;
  const all = lines.length > MOST_LINES ? [...lines.slice(0, half - 1), '…', ...lines.slice(-half)] : lines;
  return all.map((line) => line.slice(0, LONGEST_LINE)).join('\n');
}

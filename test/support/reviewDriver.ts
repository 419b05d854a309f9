/** Drives the review of a proposal as a user does: opens a file, clicks CodeLenses, writes comments, saves. */
import type { Locator } from 'playwright-core';
import { clickUntilItArrives } from './arrivingClick.ts';
import { eventually } from './eventually.ts';
import { pickRow } from './quickInput.ts';
import type { Workbench } from './workbench.ts';

const WITHIN = 60_000;
/** Time limit of each attempt, in milliseconds. */
const TRIED_MS = 8000;
/** Time limit of each attempt to accept a hunk, save a file, or end an edit, in milliseconds. These steps can safely be repeated. */
const ACCEPTED_MS = 2000;
const WRITTEN_MS = 1000;
const ENDED_MS = 2000;

/**
 * Opens a file by name, and waits until its editor has the focus. The editor gets the focus some time after its tab is shown, and would
 * take it from an element that is focused meanwhile.
 */
export async function openFile({ page, execute }: Workbench, name: string): Promise<void> {
  const focused = page.locator('.editor-group-container.active .monaco-editor.focused').first();
  // Repeated, because a view that opens meanwhile may have taken the focus.
  await eventually(async () => {
    await execute('settingsOfTests.open', name);
    await page.locator(`.tab.active[aria-label^="${name}"]`).waitFor({ timeout: TRIED_MS });
    await focused.waitFor({ timeout: TRIED_MS });
  });
}

/** Puts the cursor into the text of the active editor. */
export async function focusEditor({ page }: Workbench): Promise<void> {
  await page.locator('.editor-group-container.active .monaco-editor .view-line').first().click();
}

/** The CodeLenses of the active editor, one entry per hunk. */
export async function lensesOf({ page }: Workbench): Promise<readonly string[]> {
  const lines = await page.locator('.codelens-decoration').allInnerTexts();
  return lines.map((line) => line.replace(/\s*\|\s*/g, ' | ').trim()).filter((line) => line !== '');
}

/** Waits until this number of hunks is open in the active editor. While lenses are drawn again there are none, so 0 is read three times. */
export async function hunksAre(workbench: Workbench, count: number, within = WITHIN): Promise<void> {
  const until = Date.now() + within;
  for (let equal = 0; ; ) {
    const lenses = await lensesOf(workbench);
    equal = lenses.filter((line) => /\bReject\b/.test(line)).length === count ? equal + 1 : 0;
    if (equal >= (count === 0 ? 3 : 1)) return;
    if (Date.now() > until) throw new Error(`not ${count} hunks, but: ${JSON.stringify(lenses)}`);
    await workbench.page.waitForTimeout(100);
  }
}

/** Clicks a CodeLens of the open hunk with this index, from 0. The editor runs its command when the button is released. */
export async function clickLens({ page }: Workbench, name: string, index = 0): Promise<void> {
  const links = page.locator('.codelens-decoration a:visible').getByText(name, { exact: true });
  await clickUntilItArrives(links.nth(index), '.codelens-decoration a', 'mouseup');
}

/**
 * Accepts the only open hunk. For a moment, the lens of an earlier proposal can be in its place, which has no effect. The lens of a hunk
 * that was already accepted has no effect and shows no message: see “accepted twice” in test/editor/proposals/changedMeanwhile.test.ts.
 */
export async function acceptLast(workbench: Workbench): Promise<void> {
  await eventually(async () => {
    const lenses = await lensesOf(workbench);
    if (lenses.some((lens) => /\bReject\b/.test(lens))) await clickLens(workbench, 'Accept');
    await hunksAre(workbench, 0, ACCEPTED_MS);
  });
}

/** Adds a comment to a hunk, in the box that opens. */
export async function comment(workbench: Workbench, index: number, text: string): Promise<void> {
  await openCommentBox(workbench, index);
  await workbench.page.keyboard.type(text);
  await workbench.page
    .locator('.review-widget .monaco-button:visible', { hasText: 'Add Comment' })
    .first()
    .click();
  await workbench.page.locator('.review-widget .comment-body', { hasText: text }).first().waitFor();
}

/** Clicks again if no box opens, because a click is lost if the editor draws the lenses again meanwhile. */
async function openCommentBox(workbench: Workbench, index: number): Promise<void> {
  const { page } = workbench;
  const box = page.locator('.review-widget .comment-form .monaco-editor.focused').first();
  for (let tries = 1; ; tries++) {
    await clickLens(workbench, 'Comment', index);
    try {
      await box.waitFor({ timeout: TRIED_MS });
      return;
    } catch (cause) {
      const boxes = await page.locator('.review-widget .comment-form').count();
      const glyphs = await page.locator('.comment-range-glyph').count();
      const seen = `${boxes} boxes, ${glyphs} glyphs, ${JSON.stringify(await lensesOf(workbench))}`;
      if (tries === 4 || boxes > 0)
        throw new Error(`The comment box is not open, or has no focus: ${seen}`, { cause });
    }
  }
}

/** Saves the active file until the disk has the expected text, because a hunk that was just accepted may change the text after the save. */
export async function saveUntil({ page }: Workbench, check: () => Promise<void> | void): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press('Control+S');
    await eventually(check, WRITTEN_MS);
  });
}

/** Ends the edit of a thread. On a busy machine, the key may close a hover at the pointer that is shown late, so it is pressed again. */
export async function endEdit(workbench: Workbench, thread: Locator): Promise<void> {
  await eventually(async () => {
    await focusEditor(workbench);
    await workbench.page.keyboard.press('Escape');
    await thread.waitFor({ state: 'detached', timeout: ENDED_MS });
  });
}

/**
 * Selects all text of the active editor and runs a command. Escape is not pressed first, because it would clear the selection.
 * Retries if another view takes the focus and closes the Command Palette.
 */
export async function runOnAll(workbench: Workbench, title: string): Promise<void> {
  const { page } = workbench;
  for (let tries = 1; ; tries++) {
    try {
      await focusEditor(workbench);
      await page.keyboard.press('Control+A');
      await page.keyboard.press('F1');
      await pickRow(page, `>${title}`, title, TRIED_MS);
      return;
    } catch (error) {
      if (tries === 4) throw error;
    }
  }
}

/** Cleans up after a failed test, so that the next test doesn't fail: widgets, edits, files, a running answer, a draft. */
import { afterEach, beforeEach } from 'mocha';
import type { Frame } from 'playwright-core';
import { removeAttachments } from './chatDriver.ts';
import { describeWindow } from './failureReport.ts';
import type { Workbench } from './workbench.ts';

const CLOSED_WITHIN_MS = 120_000;
const TRIES = 10;

/** Widgets above the window, which get keys and clicks. */
const ABOVE = ['.monaco-dialog-box', '.quick-input-widget', '.monaco-menu', '.action-widget']
  .map((widget) => `${widget}:visible`)
  .join();

/**
 * Registers a hook for all tests of a workbench: after a failed test, it prints the visible state, takes a picture, and closes open
 * widgets. It never throws, because then no more tests would run.
 *
 * @param picture the beginning of the name of the picture
 * @param also restores other state that the tests may change
 */
export function tidyAfterFailures(
  workbench: () => Workbench,
  picture: string,
  also: () => Promise<void> | void = () => undefined,
): void {
  afterEach(async function () {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    this.timeout(CLOSED_WITHIN_MS);
    const tried = async (act: () => unknown) => {
      try {
        await act();
      } catch (error) {
        console.error(`Closing what “${test.title}” left open: ${error}`);
      }
    };
    await tried(async () => console.error(`After “${test.title}”:\n${await describeWindow(workbench())}`));
    await tried(() => workbench().screenshot(`${picture}-failed-${test.title.slice(0, 40)}`, 'always'));
    await tried(() => closeAll(workbench()));
    await tried(also);
  });
}

/**
 * Registers hooks for a `describe` whose tests build upon each other: tests after a failed test are skipped, because they
 * could only fail for the same reason.
 *
 * @returns whether one of the tests has failed
 */
export function inSteps(): () => boolean {
  let hasFailed = false;
  beforeEach(function () {
    if (hasFailed) this.skip();
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  return () => hasFailed;
}

/** Closes dialogs, inputs, menus, files, terminals, and edits, and empties the composer. The chat gets the focus. */
async function closeAll(workbench: Workbench): Promise<void> {
  await closeAbove(workbench);
  await workbench.execute('settingsOfTests.closeAll');
  await workbench.execute('k3.focusChat');
  await emptyComposer(await workbench.chat());
}

async function closeAbove({ page }: Workbench): Promise<void> {
  const above = page.locator(ABOVE);
  const cancel = page
    .locator('.monaco-dialog-box')
    .getByRole('button', { name: /^(Don't Save|Cancel|Don’t Send)$/ });
  for (let tries = 0; tries < TRIES && (await above.count()) > 0; tries++) {
    if (await cancel.first().isVisible()) await cancel.first().click({ timeout: 1000 });
    else await page.keyboard.press('Escape');
    await page.waitForTimeout(200);
  }
}

async function emptyComposer(chat: Frame): Promise<void> {
  await chat.locator('article[data-outcome="running"]').waitFor({ state: 'detached' });
  const boxes = [chat.getByRole('textbox', { name: 'Edit' }), chat.getByRole('textbox', { name: 'Find' })];
  for (const box of boxes) if (await box.isVisible()) await box.press('Escape');
  const queued = chat.getByRole('list', { name: 'Queued messages' }).getByRole('button', { name: /^Remove/ });
  for (let tries = 0; tries < TRIES && (await queued.count()) > 0; tries++) {
    await queued.first().click({ timeout: 1000 });
    await chat.page().waitForTimeout(200);
  }
  await removeAttachments(chat);
  await chat.getByRole('textbox', { name: 'Message' }).fill('');
}

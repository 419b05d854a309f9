/** A window of a walk. Both windows have the same server, and so the same database, but a folder of their own. */
import type { Frame, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { silenceNetwork } from '../quietNetwork.ts';
import { holdStill } from '../stillPage.ts';
import { runCommand, type Workbench } from '../workbench.ts';
import type { Random } from './random.ts';

/** The time that a user would wait before trying something else, in milliseconds. */
export const TRIED_MS = 5000;
const OPENED_WITHIN_MS = 90_000;

export interface WalkWindow {
  readonly name: string;
  readonly page: Page;
  readonly folder: string;
  /** Runs a command by its name in the Command Palette. */
  run(title: string): Promise<void>;
  /** The visible chats, in the side bar and in tabs. */
  chats(): Promise<readonly Frame[]>;
  /** One of them. Shows the chat of the side bar if there is none. */
  chat(): Promise<Frame>;
  reload(): Promise<void>;
  /** Text of the editor's notifications, which are cleared. */
  notifications(): Promise<readonly string[]>;
}

export function toWalkWindow(name: string, page: Page, folder: string, random: Random): WalkWindow {
  const run = async (title: string) => {
    await page.bringToFront();
    await runCommand(page, title);
  };
  const chats = async () => {
    const seen = await Promise.all(
      page.frames().map(async (one) => ((await isSeenChat(one)) ? one : undefined)),
    );
    return seen.filter((one) => one !== undefined);
  };
  return {
    name,
    page,
    folder,
    run,
    chats,
    async chat() {
      if ((await chats()).length === 0) await run('K3: Focus Chat');
      const all = await eventually(async () => {
        const now = await chats();
        if (now.length === 0) throw new Error('no chat can be seen');
        return now;
      });
      return random.pick(all);
    },
    async reload() {
      await page.reload({ timeout: OPENED_WITHIN_MS });
      await opened(page);
    },
    async notifications() {
      await run('Notifications: Show Notifications');
      const items = page.locator('.notifications-center .notification-list-item-message');
      const texts = await items.allInnerTexts();
      if (texts.length > 0) await run('Notifications: Clear All Notifications');
      else await page.keyboard.press('Escape');
      return texts;
    },
  };
}

/** A second window beside that of the workbench, with another folder. */
export async function openSecondWindow(workbench: Workbench, folder: string): Promise<Page> {
  const browser = workbench.page.context().browser();
  if (browser === null) throw new Error('the workbench has no browser of its own');
  const page = await browser.newPage({ viewport: { width: 1100, height: 760 }, reducedMotion: 'reduce' });
  await silenceNetwork(page);
  await holdStill(page);
  const address = new URL(workbench.page.url());
  address.searchParams.set('folder', folder);
  await page.goto(address.href, { timeout: OPENED_WITHIN_MS });
  await opened(page);
  return page;
}

async function opened(page: Page): Promise<void> {
  const icon = page.locator('.part.activitybar .action-label[aria-label^="K3"]').first();
  await icon.waitFor({ state: 'attached', timeout: OPENED_WITHIN_MS });
}

async function isSeenChat(frame: Frame): Promise<boolean> {
  const ready = `document.body?.dataset.k3 === 'chat' && document.querySelector('.composer textarea') !== null`;
  if (!(await frame.evaluate<boolean>(ready).catch(() => false))) return false;
  // A page of an extension is in a frame of a frame. A hidden page is kept for a moment, without a size.
  const outer = await frame
    .parentFrame()
    ?.frameElement()
    .catch(() => undefined);
  const box = await outer?.boundingBox().catch(() => undefined);
  return (box?.width ?? 0) > 50 && (box?.height ?? 0) > 50;
}

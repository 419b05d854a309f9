/** Drives the chat panel as a user does: asks, waits, and reads. */
import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import { clickUntilItArrives } from './arrivingClick.ts';
import { eventually } from './eventually.ts';
import { focusIn } from './focusPlace.ts';
import { pickRow } from './quickInput.ts';
import type { Workbench } from './workbench.ts';

const ANSWERED_WITHIN = 60_000;
/** Time limit of each attempt at a step that can fail on a busy machine, in milliseconds. */
const TRIED_MS = 8000;

/** Shows the chat, and returns it when it is ready. */
export function focusChat(workbench: Workbench): Promise<Frame> {
  return runWithFocus(workbench, 'k3.focusChat');
}

/**
 * The chat of the side bar. After a reload, the editor may give the focus to a tab with a chat instead, if it was in front.
 */
export function sideBarChat(workbench: Workbench): Promise<Frame> {
  return eventually(async () => {
    for (const frame of workbench.page.frames()) {
      if (!frame.parentFrame()?.url().includes('purpose=webviewView')) continue;
      if (await frame.evaluate(`document.body?.dataset.k3 === 'chat'`).catch(() => false)) return frame;
    }
    throw new Error('The side bar has no chat.');
  });
}

/** Opens the chat in a tab, and returns it when it has the focus. Before, the late focus would close a list that was opened meanwhile. */
export const openInTab = (workbench: Workbench): Promise<Frame> =>
  withFocus(workbench, () => workbench.execute('k3.openInEditor'));

/** Toggles between a light and a dark theme, and waits until the chat has the other one. */
export async function toggleTheme(workbench: Workbench, chat: Frame): Promise<void> {
  const kind = () => chat.locator('body').getAttribute('data-vscode-theme-kind');
  const before = await kind();
  await workbench.execute('workbench.action.toggleLightDarkThemes');
  await eventually(async () => assert.notEqual(await kind(), before));
}

/**
 * Starts a new conversation, and returns the chat with it.
 *
 * @param begin with the command of the button by default
 */
export async function newConversation(
  workbench: Workbench,
  begin = () => workbench.execute('k3.sideBar.newConversation'),
): Promise<Frame> {
  const chat = await workbench.chat();
  return withFocus(
    workbench,
    async () => {
      await begin();
      await chat.locator('article').first().waitFor({ state: 'detached' });
    },
    'again',
  );
}

const NEW_CONVERSATION = ['.pane-header', '.composite.title']
  .map((bar) => `${bar} .action-label[aria-label^="New Conversation"]`)
  .join();

/** The editor draws the toolbar again when an answer begins or ends. */
export const clickNewConversation = ({ page }: Workbench): Promise<void> =>
  clickUntilItArrives(page.locator(NEW_CONVERSATION).first(), NEW_CONVERSATION, 'click');

/**
 * Runs a command that moves the focus to the message box, and waits for it. On a busy machine the focus comes late, and
 * closes a list that was opened meanwhile. The box loses the focus first, so that an earlier focus is not mistaken for
 * the new one.
 */
const runWithFocus = (workbench: Workbench, command: string) =>
  withFocus(workbench, () => workbench.execute(command), 'again');

/**
 * Runs a function that moves the focus to the message box, as `runWithFocus` does, and returns the chat that has the focus.
 *
 * @param again called if the focus isn't there, because something that the editor opens late took it. If a page of an extension has the
 *   focus, this is printed: it happened in two of some hundred runs, and the cause isn't known
 */
export async function withFocus(
  workbench: Workbench,
  act: () => Promise<void>,
  again?: 'again',
): Promise<Frame> {
  const { page } = workbench;
  for (const frame of page.frames()) {
    await frame
      .evaluate(`if (document.body?.dataset.k3 === 'chat') document.activeElement?.blur()`)
      .catch(() => undefined);
  }
  await act();
  let since = Date.now();
  return eventually(async () => {
    const chat = await focusedChat(page);
    if (chat !== undefined) return chat;
    const { place, isPage } = await focusIn(workbench);
    if (again && Date.now() - since > TRIED_MS) {
      // Otherwise, the repeated call would take the focus later, from whatever is opened next.
      const lateChat = await focusedChat(page);
      if (lateChat !== undefined) return lateChat;
      if (isPage)
        console.error(`The focus was not in the message box after ${TRIED_MS} ms, but in ${place}.`);
      await act();
      since = Date.now();
    }
    throw new Error(`The focus is in no message box. It is in ${place}.`);
  });
}

/** The chat whose message box has the focus. There may be others in tabs. */
async function focusedChat(page: Page): Promise<Frame | undefined> {
  const hasFocus = `document.body?.dataset.k3 === 'chat' && !!document.querySelector('.composer textarea:focus')`;
  for (const frame of page.frames()) if (await frame.evaluate(hasFocus).catch(() => false)) return frame;
  return undefined;
}

/**
 * Removes everything that is attached to the message. A file that was still being read is attached after the others were
 * removed, so this is repeated.
 */
export async function removeAttachments(chat: Frame): Promise<void> {
  const buttons = chat.getByRole('list', { name: 'Attachments' }).getByRole('button', { name: /^Remove/ });
  await eventually(async () => {
    const left = await buttons.count();
    if (left > 0) await buttons.first().click({ timeout: 1000 });
    assert.equal(left, 0);
  });
}

/**
 * Replaces the text in a box of the chat. The browser driver first selects the old text, and then enters the new one wherever the focus
 * is. If the editor gives the focus to the chat in between, which takes 50 ms, the text is lost. Only a text that never arrived in the
 * box is entered again, so that a test still fails if the chat itself loses a text.
 */
export async function enterText(box: Locator, text: string): Promise<void> {
  await eventually(async () => {
    const arrival = await box.evaluateHandle((element) => {
      const seen = { input: false };
      element.addEventListener('input', () => (seen.input = true), { once: true });
      return seen;
    });
    await box.fill(text, { timeout: TRIED_MS });
    assert.ok(await arrival.evaluate(({ input }) => input), `“${text}” was entered elsewhere`);
  });
}

/** Runs a function that asks a question, and returns when its answer has started. Before, `answerEnded` would return the previous one. */
export async function startAnswer(chat: Frame, ask: () => Promise<unknown>): Promise<void> {
  const answers = chat.locator('article[data-outcome]');
  const before = await answers.count();
  await ask();
  await answers.nth(before).waitFor({ state: 'attached' });
}

/** Sends a question, and returns when its answer has started. */
export const sendQuestion = (chat: Frame, question: string): Promise<void> =>
  startAnswer(chat, async () => {
    await enterText(chat.getByRole('textbox', { name: 'Message' }), question);
    await chat.getByRole('button', { name: 'Send', exact: true }).click();
  });

export const lastAnswerOf = (chat: Frame): Locator => chat.locator('article[data-outcome]').last();

/** Waits until no turn is running, and returns the last answer. Call this after the answer has started: see `startAnswer`. */
export async function answerEnded(chat: Frame, within = ANSWERED_WITHIN): Promise<Locator> {
  await chat
    .locator('article[data-outcome]:not([data-outcome="running"])')
    .last()
    .waitFor({ timeout: within });
  await chat.locator('article[data-outcome="running"]').waitFor({ state: 'detached', timeout: within });
  return lastAnswerOf(chat);
}

export async function askQuestion(chat: Frame, question: string): Promise<Locator> {
  await sendQuestion(chat, question);
  return answerEnded(chat);
}

export const outcomeOf = (answer: Locator) => answer.getAttribute('data-outcome');

/** Clicks an item of a menu until the menu is closed, because a menu ignores the mouse for a moment after it was opened. */
export async function clickInMenu(item: Locator): Promise<void> {
  await item.waitFor();
  await eventually(async () => {
    await item.click({ timeout: 1000 }).catch(() => undefined);
    await item.waitFor({ state: 'hidden', timeout: 1000 });
  });
}

/**
 * Opens a list or an input box of the editor, and returns it. On a busy machine, another element can get the focus late, which closes the
 * list or box. So it is opened again until it stays open.
 */
export async function openInput(
  workbench: Workbench,
  title: string,
  open: () => Promise<unknown>,
): Promise<Locator> {
  const input = workbench.page
    .locator('.quick-input-widget:visible')
    .filter({ has: workbench.page.locator(`.quick-input-title:has-text("${title}")`) });
  for (let tries = 1; ; tries++) {
    await open();
    try {
      await input.waitFor({ timeout: TRIED_MS });
      return input;
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

/** Switches to a route by its setting, and waits until the chat shows it. */
export async function switchRouteTo(workbench: Workbench, chat: Frame, name: string): Promise<void> {
  await workbench.execute('settingsOfTests.set', 'k3.route', name);
  await chat.getByRole('button', { name, exact: true }).waitFor();
}

/** Picks a route from the list as a user does. */
export async function pickRoute(workbench: Workbench, chat: Frame, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await openInput(workbench, 'Switch Route', () => chat.locator('.route').click());
    try {
      // The list renders only visible rows, so the name is entered. Never as keys, which would go
      // to the message box when a late focus has closed the list.
      await pickRow(workbench.page, name, name, TRIED_MS);
      await chat.getByRole('button', { name, exact: true }).waitFor({ timeout: TRIED_MS });
      break;
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
  // The focus returns from the list, and would close another list that is opened meanwhile.
  await chat.locator('.composer textarea:focus').waitFor();
}

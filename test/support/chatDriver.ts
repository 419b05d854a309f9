/** What a person does in the chat panel: asks, waits, reads. */
import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

const ANSWERED_WITHIN = 20_000;

/** Shows the chat, and returns it once it can be used. */
export function focusChat(workbench: Workbench): Promise<Frame> {
  return runWithFocus(workbench, 'K3: Focus Chat');
}

/** Begins a new conversation, and returns the chat with it. */
export async function newConversation(workbench: Workbench): Promise<Frame> {
  const chat = await runWithFocus(workbench, 'K3: New Conversation');
  await chat.locator('article').first().waitFor({ state: 'detached' });
  return chat;
}

/**
 * Runs a command that ends with the focus in the message box, and waits for that: on a busy machine it comes late, and
 * closes a list that was opened meanwhile. The box loses the focus first, so that what is waited for is the new one.
 */
async function runWithFocus(workbench: Workbench, command: string): Promise<Frame> {
  for (const frame of workbench.page.frames()) {
    await frame
      .evaluate(`if (document.body?.dataset.k3 === 'chat') document.activeElement?.blur()`)
      .catch(() => undefined);
  }
  await workbench.runCommand(command);
  const chat = await workbench.chat();
  await chat.locator('.composer textarea:focus').waitFor();
  return chat;
}

/** Sends a question, and returns once its answer has begun. */
export async function sendQuestion(chat: Frame, question: string): Promise<void> {
  const answers = await chat.locator('article[data-outcome]').count();
  await chat.getByRole('textbox', { name: 'Message' }).fill(question);
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await chat.locator('article[data-outcome]').nth(answers).waitFor({ state: 'attached' });
}

export const lastAnswerOf = (chat: Frame): Locator => chat.locator('article[data-outcome]').last();

/** The last answer, once nothing runs any more. */
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

/** Picks a route, as a person would: a server without file watchers reads changed settings only when a window is loaded. */
export async function switchRouteTo(workbench: Workbench, chat: Frame, name: string): Promise<void> {
  for (let tries = 1; tries <= 3; tries++) {
    await workbench.runCommand('K3: Switch Route…');
    // The list draws only the rows in sight, so the name is typed.
    const title = workbench.page.locator('.quick-input-title:has-text("Switch Route")');
    await title.waitFor({ timeout: 4000 }).catch(() => undefined);
    await workbench.page.keyboard.type(name);
    const row = workbench.page.locator(`.quick-input-list .monaco-list-row[aria-label*="${name}, "]`).first();
    const picked = await row.click({ timeout: 4000 }).then(
      () => true,
      () => false,
    );
    if (picked) break;
  }
  await chat.getByRole('button', { name, exact: true }).waitFor();
}

/** What a person does in the chat panel: asks, waits, reads. */
import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

const ANSWERED_WITHIN = 20_000;

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

/** What a person does in the chat panel: asks, waits, reads. */
import type { Frame, Locator } from 'playwright-core';

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

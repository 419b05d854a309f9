/** Saved conversations: their list, branches, drafts, and queues. What is restored after a reload is in `reloaded.ts`. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import { createDeferred } from '../../../src/service/deferred.ts';
import { clickUntilItArrives } from '../../support/arrivingClick.ts';
import {
  answerEnded,
  askQuestion,
  clickInMenu,
  enterText,
  focusChat,
  newConversation,
  openInput,
  outcomeOf,
  sendQuestion,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { EXCHANGES, LONG_TITLE } from '../../support/longConversation.ts';
import { emulator, scripted, workbench } from './stage.ts';

let chat: Frame;

const switchRoute = (name: string) => switchRouteTo(workbench, chat, name);
const box = () => chat.getByRole('textbox', { name: 'Message' });
const queue = () => chat.getByRole('list', { name: 'Queued messages' });

async function startAnew(): Promise<void> {
  chat = await newConversation(workbench);
}

const waitForValue = (box: Locator, value: string) =>
  eventually(async () => assert.equal(await box.inputValue(), value), 60_000);
/** The number of messages is this one, once the page has drawn them. */
const messagesAre = (messages: Locator, count: number) =>
  eventually(async () => assert.equal(await messages.count(), count));

describe('The Conversations view, expanded for the first time', () => {
  it('shows its rows at once', async () => {
    const { page } = workbench;
    await workbench.runCommand('K3: Focus Chat');
    await focusChat(workbench);
    // The editor looks for the message of a new view after two seconds. The rows must not have to wait for that.
    await page.evaluate(
      'globalThis.later = setTimeout; globalThis.setTimeout = (act, ms, ...more) => (ms === 2000 ? 0 : later(act, ms, ...more))',
    );
    try {
      await page.locator('.pane-header[aria-label^="Conversations"]').click();
      await page.locator('.monaco-list-row', { hasText: LONG_TITLE }).waitFor();
    } finally {
      await page.evaluate('globalThis.setTimeout = globalThis.later');
    }
  });
});

describe('A conversation of 10,000 messages', () => {
  before(async () => {
    await workbench.execute('k3.conversations.focus');
    chat = await workbench.chat();
    // Rows that are drawn again lose a click.
    const row = workbench.page.locator('.monaco-list-row', { hasText: LONG_TITLE });
    await clickUntilItArrives(row, '.monaco-list-row', 'click');
  });

  it('shows its end, and earlier messages on request', async () => {
    await chat.locator('article.you', { hasText: `Question ${EXCHANGES - 1}` }).waitFor();
    const shown = await chat.locator('article').count();
    assert.ok(shown <= 100, `${shown} messages were built at once`);
    await chat.getByRole('button', { name: /Show earlier messages/ }).click();
    await chat
      .locator('article')
      .nth(shown + 10)
      .waitFor({ state: 'attached' });
  });

  it('finds a word at its start and scrolls to it', async () => {
    await chat.getByRole('textbox', { name: 'Message' }).click();
    await workbench.page.keyboard.press('Control+f');
    const bar = chat.getByRole('search', { name: 'Find in conversation' });
    await bar.getByRole('textbox', { name: 'Find' }).fill('kingfisher');
    await bar.getByText('1 of 1').waitFor();
    const answer = chat.locator('article.k3', { hasText: 'Here hides the kingfisher' });
    await answer.waitFor({ state: 'visible', timeout: 60_000 });
    await eventually(async () => {
      const marked = await chat.evaluate<string>(
        `[...(CSS.highlights.get('found-current') ?? [])].map((range) => range.toString()).join()`,
      );
      assert.equal(marked, 'kingfisher');
    });
    await workbench.screenshot('find');
    await bar.getByRole('textbox', { name: 'Find' }).press('Escape');
    await bar.waitFor({ state: 'detached' });
  });

  it('answers a question at its end', async () => {
    await startAnew();
    assert.equal(await outcomeOf(await askQuestion(chat, 'A short one between')), 'complete');
  });
});

describe('The Conversations view', () => {
  // The window would draw its rows for as long as it is expanded.
  after(() => workbench.page.locator('.pane-header[aria-label^="Conversations"]').click());

  it('lists conversations by day, and can undo a deletion', async () => {
    await startAnew();
    await askQuestion(chat, 'What is a shag?');
    await workbench.execute('k3.conversations.focus');
    // The one that was opened last is at the end.
    await workbench.execute('list.focusFirst');
    const view = workbench.page.locator('.pane:has([aria-label^="Conversations"])');
    const row = view.locator('.monaco-list-row', { hasText: 'What is a shag?' });
    await row.waitFor();
    await view.locator('.monaco-list-row', { hasText: 'Today' }).first().waitFor();
    await workbench.screenshot('conversations');
    await row.hover();
    // The rows are drawn again when the answer has ended, which loses a click.
    await clickInMenu(row.getByRole('button', { name: 'Delete Conversation' }));
    await row.waitFor({ state: 'detached' });
    // The panel no longer shows what was deleted.
    await chat.locator('article').first().waitFor({ state: 'detached' });
    // Under the driver of these tests the editor shows no toasts; the message is in the notification center.
    await workbench.execute('notifications.showList');
    await workbench.page.locator('.notifications-center').getByText('Undo', { exact: true }).click();
    await row.waitFor();
  });
});

describe('A branch of a conversation', () => {
  inSteps();

  it('is created by editing a question, and the original is kept', async () => {
    await startAnew();
    await askQuestion(chat, 'First wording');
    await askQuestion(chat, 'A second question');
    const first = chat.locator('article.you', { hasText: 'First wording' });
    await first.getByRole('button', { name: 'Edit' }).click();
    await enterText(chat.getByRole('textbox', { name: 'Edit' }), 'Second wording');
    await chat.getByRole('textbox', { name: 'Edit' }).press('Enter');
    await chat.locator('article.you', { hasText: 'Second wording' }).waitFor();
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    await messagesAre(chat.locator('article.you'), 1);
    await workbench.screenshot('edited');
    await chat.locator('article.you').getByRole('button', { name: 'Previous version' }).click();
    await chat.locator('article.you', { hasText: 'A second question' }).waitFor();
    await messagesAre(chat.locator('article.you'), 2);
  });

  it('becomes a new conversation with Fork', async () => {
    await chat.locator('article[data-outcome]').first().getByRole('button', { name: 'Fork' }).click();
    await chat.locator('article.you', { hasText: 'A second question' }).waitFor({ state: 'detached' });
    await messagesAre(chat.locator('article.you', { hasText: 'First wording' }), 1);
    assert.equal(await outcomeOf(await askQuestion(chat, 'Another way')), 'complete');
  });

  it('starts with Up in an empty box, and is canceled with Escape', async () => {
    await chat.getByRole('textbox', { name: 'Message' }).press('ArrowUp');
    const box = chat.getByRole('textbox', { name: 'Edit' });
    await waitForValue(box, 'Another way');
    await box.press('Escape');
    await box.waitFor({ state: 'detached' });
  });
});

describe('A draft', () => {
  it('does not move to another conversation that opens at the same time', async () => {
    await startAnew();
    await askQuestion(chat, 'Which bird is grebelike?');
    const shown = chat.locator('article.you');
    const original = await shown.getAttribute('data-exchange');
    // At the same time. No user is that fast, but a slow connection has the same effect.
    await chat.evaluate(`(() => {
      const box = document.querySelector('.composer textarea');
      box.value = 'half a thought about grebes';
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      [...document.querySelectorAll('article[data-outcome] button')]
        .find((button) => button.getAttribute('aria-label') === 'Fork')
        .click();
    })()`);
    await chat.locator(`article.you:not([data-exchange="${original}"])`).waitFor();
    const box = chat.getByRole('textbox', { name: 'Message' });
    await waitForValue(box, '');
    const list = await openInput(workbench, 'Search Conversations', () =>
      workbench.runCommand('K3: Search Conversations…'),
    );
    // At once, so that there is one search, whose rows stay.
    await enterText(list.locator('input[type="text"]').first(), 'grebelike');
    // The row of the conversation itself: the rows of its results have marks around the word.
    await workbench.page
      .locator('.quick-input-list .monaco-list-row', {
        hasText: 'Which bird is grebelike?',
        hasNotText: '(fork)',
      })
      .click();
    await chat.locator(`article.you[data-exchange="${original}"]`).waitFor();
    await waitForValue(box, 'half a thought about grebes');
    await box.fill('');
  });

  it('has the last letters when the chat is hidden with the next key', async () => {
    const box = chat.getByRole('textbox', { name: 'Message' });
    await box.pressSequentially('a whole thought');
    // Hides the side bar. The editor discards its page.
    await workbench.page.keyboard.press('Control+b');
    await workbench.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    chat = await focusChat(workbench);
    const again = chat.getByRole('textbox', { name: 'Message' });
    await waitForValue(again, 'a whole thought');
    await again.fill('');
  });
});

describe('A message that is sent while a turn runs', () => {
  it('waits in the queue, can be removed, and is sent when the answer is complete', async () => {
    await startAnew();
    await switchRoute('scripted');
    const removed = createDeferred<void>();
    scripted.respondWith('It takes its time.', { until: removed.promise });
    await sendQuestion(chat, 'Take your time with src/greeting.ts');
    try {
      await enterText(box(), 'And then this');
      await box().press('Enter');
      await enterText(box(), 'But not this');
      await box().press('Enter');
      await queue().getByText('But not this').waitFor();
      await workbench.screenshot('queue');
      await queue().getByRole('button', { name: 'Remove But not this' }).click();
      await queue().getByText('But not this').waitFor({ state: 'detached' });
      await switchRoute('plain');
    } finally {
      removed.resolve();
    }
    await chat.locator('article.you', { hasText: 'And then this' }).waitFor({ timeout: 60_000 });
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    await messagesAre(chat.locator('article.you'), 2);
  });
});

describe('A message that is queued when the turn is stopped', () => {
  it('is sent when the user says so', async () => {
    await startAnew();
    await switchRoute('scripted');
    scripted.respondWith('It takes its time.', { until: new Promise(() => {}) });
    await sendQuestion(chat, 'Take your time, all of it');
    await enterText(box(), 'Then this one');
    await box().press('Enter');
    await queue().getByText('Then this one').waitFor();
    await chat.getByRole('button', { name: 'Stop', exact: true }).click();
    assert.equal(await outcomeOf(await answerEnded(chat)), 'stopped');
    await switchRoute('plain');
    await chat.getByRole('status').filter({ hasText: 'The queue is paused' }).waitFor();
    // A new message waits behind the one that is queued.
    await enterText(box(), 'And this one');
    await box().press('Enter');
    await queue().getByText('And this one').waitFor();
    await workbench.screenshot('queue-paused');
    await chat.getByRole('button', { name: 'Remove And this one' }).click();
    await chat.getByRole('button', { name: 'Send now' }).click();
    await chat.locator('article.you', { hasText: 'Then this one' }).waitFor();
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
  });
});

describe('Text of others', () => {
  it('is not a link in a message of the editor', async () => {
    await startAnew();
    await askQuestion(chat, '[Undo](command:workbench.action.togglePanel) it');
    await workbench.runCommand('K3: Delete Conversation');
    await workbench.execute('notifications.showList');
    const message = workbench.page.locator('.notifications-center', { hasText: 'was deleted' });
    await message.first().waitFor();
    assert.equal(await message.locator('.notification-list-item-message a').count(), 0);
    await workbench.execute('notifications.clearAll');
  });

  it('is sent once, however often Enter is pressed', async () => {
    await startAnew();
    const box = chat.getByRole('textbox', { name: 'Message' });
    await enterText(box, 'Only once, please');
    await box.press('Enter');
    await box.press('Enter');
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    await workbench.page.waitForTimeout(1500);
    const sent = emulator.requests.filter(({ body }) => body.includes('Only once, please'));
    assert.equal(sent.length, 1);
    assert.equal(await chat.locator('article.you').count(), 1);
  });
});

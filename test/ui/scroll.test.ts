/** The scroll position in a transcript while an answer streams and when it ends. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { CANARY } from '../support/canary.ts';
import { answerEnded, askQuestion, focusChat, sendQuestion } from '../support/chatDriver.ts';
import { eventually } from '../support/eventually.ts';
import { type ScriptedService, startScriptedService } from '../support/scriptedService.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

const LONG = Array.from({ length: 60 }, (_, line) => `Paragraph ${line} of an answer that is long.`).join(
  '\n\n',
);

let scripted: ScriptedService;
let workbench: Workbench;
let chat: Frame;

before(async () => {
  scripted = await startScriptedService();
  workbench = await startWorkbench({
    env: { K3_API_KEY: CANARY },
    settings: {
      'k3.routes': { scripted: { kind: 'direct', baseUrl: scripted.url } },
      'k3.route': 'scripted',
    },
  });
  chat = await focusChat(workbench);
});

after(async () => {
  await workbench?.dispose();
  await scripted?.close();
});

const log = () => chat.getByRole('log', { name: 'Conversation' });
/** The paragraph of the last answer in the middle of the view, and its distance from the top. */
const inTheMiddle = () =>
  chat.evaluate<{ text: string; place: number }>(`(() => {
    const { top, height } = document.querySelector('.log').getBoundingClientRect();
    const paragraphs = [...document.querySelectorAll('article[data-outcome="running"] [data-part="answer"] p')];
    const read = paragraphs.find((one) => one.getBoundingClientRect().top > top + height / 3);
    return { text: read.textContent, place: read.getBoundingClientRect().top };
  })()`);
const placeOf = (text: string) =>
  chat
    .locator('article[data-outcome]')
    .last()
    .getByText(text, { exact: true })
    .evaluate((one) => one.getBoundingClientRect().top);
const belowOf = () =>
  log().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);

describe('The scroll position in a transcript', () => {
  beforeEach(async () => {
    scripted.respondWith(LONG);
    await askQuestion(chat, 'Something long, please');
    scripted.respondWith(LONG, { pause: 25 });
    await sendQuestion(chat, 'And more, slowly');
    await chat.locator('article[data-outcome="running"]').getByText('Paragraph 10').waitFor();
  });

  it('stays at the end when the answer ends', async () => {
    await answerEnded(chat);
    await eventually(async () => assert.ok((await belowOf()) < 24));
  });

  it('stays at the end while the focus is elsewhere in the editor', async () => {
    await workbench.page.keyboard.press('F1');
    await answerEnded(chat);
    await eventually(async () => assert.ok((await belowOf()) < 24));
    await workbench.page.keyboard.press('Escape');
  });

  it('does not change when the answer ends after the user scrolled up', async () => {
    const written = (text: string) => chat.locator('article[data-outcome="running"]').getByText(text);
    await written('Paragraph 35').waitFor();
    await log().hover();
    await workbench.page.mouse.wheel(0, -400);
    await workbench.page.waitForTimeout(300);
    const read = await inTheMiddle();
    assert.ok((await belowOf()) > 300);
    await answerEnded(chat);
    await workbench.page.waitForTimeout(500);
    assert.ok(
      Math.abs((await placeOf(read.text)) - read.place) < 5,
      `${read.text}: ${read.place}, ${await placeOf(read.text)}`,
    );
  });
});

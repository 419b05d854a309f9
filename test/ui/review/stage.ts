/** The workbench of the tests of this folder: two services, and the files of all modules, committed. */
import assert from 'node:assert/strict';
import { after, before } from 'mocha';
import type { Frame } from 'playwright-core';
import { answerEnded, outcomeOf, startAnswer } from '../../support/chatDriver.ts';
import { tidyAfterFailures } from '../../support/leftovers.ts';
import { SHOP_CODE } from '../../support/review/shopCode.ts';
import { openReviewWorkbench, type ReviewWorkbench } from '../../support/reviewWorkbench.ts';
import { type ScriptedService, startScriptedService } from '../../support/scriptedService.ts';
import type { Workbench } from '../../support/workbench.ts';
import { ADDING, PRICES, SHORT } from './texts.ts';

export let review: ReviewWorkbench;
export let workbench: Workbench;
export let scripted: ScriptedService;
/** Set by the tests of the findings: a reload keeps those that they leave. */
export const findingsTests = { haveFailed: () => false };

before(async () => {
  scripted = await startScriptedService();
  const short = 'apply.js chat.js diff.js kept.js block.js day.js here.js keyed.js named.js'.split(' ');
  review = await openReviewWorkbench(
    {
      'src/shop.js': PRICES,
      'src/sum.js': 'export const sum = () => 0;\n',
      'adds.js': ADDING,
      'plain.js': SHOP_CODE,
      ...Object.fromEntries(short.map((name) => [name, SHORT])),
    },
    { scripted: { kind: 'direct', baseUrl: scripted.url } },
  );
  workbench = review.workbench;
});

after(async () => {
  await review?.close();
  await scripted?.close();
});

tidyAfterFailures(
  () => workbench,
  'review',
  () => scripted.forget(),
);

/** Runs a command that asks a question, and returns the chat when it has one more answer. */
export async function askedBy(command: string): Promise<Frame> {
  const chat = await workbench.chat();
  await startAnswer(chat, () => workbench.runCommand(command));
  const answer = await answerEnded(chat);
  assert.equal(await outcomeOf(answer), 'complete');
  return chat;
}

/** The findings in the Problems view. */
export const problems = () =>
  workbench.page.locator('.markers-panel-container .monaco-list-row:has-text("K3 review")');

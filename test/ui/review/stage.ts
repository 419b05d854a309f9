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
const notRun = () => false;
/** Whether those tests have failed that leave something which a reload is to keep. Set by each of them. */
export const haveFailed = { findings: notRun, review: notRun, apply: notRun };

before(async () => {
  scripted = await startScriptedService();
  const short = 'apply.js chat.js diff.js block.js day.js here.js keyed.js named.js'.split(' ');
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

/** The button of the last code block in a chat. */
export const applyIn = (frame: Frame) => frame.getByRole('button', { name: 'Apply', exact: true }).last();

/** The proposals for the file in the chat. */
export const appliedGroups = () =>
  review.chat().getByRole('group', { name: 'Proposal, apply.js', exact: true });

/** Waits until the proposal says this. */
export const appliedIs = (text: string) => review.group('apply.js').getByText(text).first().waitFor();

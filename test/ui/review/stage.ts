/** The workbench of the tests of this folder: two services, and the files of all modules, committed. */
import { after, afterEach, before } from 'mocha';
import { SHOP_CODE } from '../../support/review/shopCode.ts';
import { openReviewWorkbench, type ReviewWorkbench } from '../../support/reviewWorkbench.ts';
import { type ScriptedService, startScriptedService } from '../../support/scriptedService.ts';
import type { Workbench } from '../../support/workbench.ts';
import { ADDING, PRICES, SHORT } from './texts.ts';

export let review: ReviewWorkbench;
export let workbench: Workbench;
export let scripted: ScriptedService;

before(async () => {
  scripted = await startScriptedService();
  const short = ['chat.js', 'diff.js', 'kept.js', 'keys.js', 'preview.js', 'block.js', 'day.js'];
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

afterEach(async function () {
  if (this.currentTest?.state === 'failed')
    await workbench.screenshot(`review-failed-${this.currentTest.title.slice(0, 20)}`);
});

/** Apply on a diff of an answer in two panels at once. What it shows after a reload is in `restored.ts`. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { askQuestion, openInTab, sideBarChat } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { acceptLast, hunksAre, openFile } from '../../support/reviewDriver.ts';
import { appliedGroups, appliedIs, applyIn, haveFailed, review, scripted, workbench } from './stage.ts';
import { SHORT } from './texts.ts';

const DIFF =
  '```diff\n--- a/apply.js\n+++ b/apply.js\n@@ -4 +4 @@\n-var d = new Array();\n+let d = [];\n```\n';

describe('Apply on a diff', () => {
  haveFailed.apply = inSteps();

  before(() => workbench.updateSettings({ ...review.settings, 'k3.route': 'scripted' }));
  after(() => workbench.updateSettings(review.settings));

  it('makes one proposal if it is selected in two panels at once', async () => {
    // In the conversation of the proposal before, so that a reload shows both.
    await openFile(workbench, 'apply.js');
    scripted.respondWith(DIFF);
    await askQuestion(review.chat(), 'What would you change?');
    const panels = [await openInTab(workbench), await sideBarChat(workbench)];
    for (const panel of panels) await applyIn(panel).waitFor();
    // A tab that was just opened can fail once with “Unable to adopt element handle from a different document”, before the click.
    await Promise.all(panels.map((frame) => eventually(() => applyIn(frame).click())));
    await openFile(workbench, 'apply.js');
    await hunksAre(workbench, 1);
    await appliedIs('1 open');
    assert.equal(await appliedGroups().count(), 1);
    await acceptLast(workbench);
    await review.saveAndCheck('apply.js', SHORT.replace('var d = new Array()', 'let d = []'));
  });
});

/** Apply on a diff of an answer in two panels at once, and after the window was reloaded. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { askQuestion, openInTab } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { acceptLast, hunksAre, openFile } from '../../support/reviewDriver.ts';
import { review, scripted, workbench } from './stage.ts';
import { SHORT } from './texts.ts';

const DIFF =
  '```diff\n--- a/apply.js\n+++ b/apply.js\n@@ -4 +4 @@\n-var d = new Array();\n+let d = [];\n```\n';

describe('Apply on a diff', () => {
  const applyIn = (frame: Frame) => frame.getByRole('button', { name: 'Apply', exact: true }).last();
  /** Waits until the proposal says this. */
  const summary = (text: string) => review.group('apply.js').getByText(text).first().waitFor();

  const groups = () => review.chat().getByRole('group', { name: 'Proposal, apply.js', exact: true });
  inSteps();

  before(() => workbench.updateSettings({ ...review.settings, 'k3.route': 'scripted' }));
  after(() => workbench.updateSettings(review.settings));

  it('makes one proposal if it is selected in two panels at once', async () => {
    const { page } = workbench;
    await review.startAnew('apply.js');
    scripted.respondWith(DIFF);
    await askQuestion(review.chat(), 'What would you change?');
    await openInTab(workbench);
    const panels = await eventually(async () => {
      const counts = await Promise.all(
        page.frames().map((frame) =>
          applyIn(frame)
            .count()
            .catch(() => 0),
        ),
      );
      const found = page.frames().filter((_, at) => (counts[at] ?? 0) > 0);
      assert.equal(found.length, 2);
      return found;
    });
    // A tab that was just opened can fail once with “Unable to adopt element handle from a different document”, before the click.
    await Promise.all(panels.map((frame) => eventually(() => applyIn(frame).click())));
    await openFile(workbench, 'apply.js');
    await hunksAre(workbench, 1);
    await summary('1 open');
    assert.equal(await groups().count(), 1);
    await acceptLast(workbench);
    await review.saveAndCheck('apply.js', SHORT.replace('var d = new Array()', 'let d = []'));
  });

  it('shows its proposal after a reload', async () => {
    await review.reload();
    await summary('1 accepted');
    await applyIn(review.chat()).click();
    await workbench.page.locator('.tab.active', { hasText: 'apply.js' }).waitFor();
    assert.equal(await workbench.page.locator('.quick-input-widget:visible').count(), 0);
    assert.equal(await groups().count(), 1);
    await summary('1 accepted');
    // The commit message that follows is about another file.
    review.git('commit', '-qm', 'refactor: keep a list', 'apply.js');
  });
});

/** Plus signs beside lines, in their own file because they come after others: nothing was under review for a while. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { focusEditor, openFile } from '../../support/reviewDriver.ts';
import { workbench } from './stage.ts';

describe('The plus signs beside all lines, after Comment on Line', () => {
  it('are gone some time after the box was closed without a comment', async () => {
    const { page } = workbench;
    const signs = page.locator('.comment-diff-added');
    // They stay for 20 seconds, so this looks less often than other tests.
    const noSigns = () => signs.first().waitFor({ state: 'detached' });
    await openFile(workbench, 'diff.js');
    await noSigns();
    await focusEditor(workbench);
    await workbench.runCommand('K3: Comment on Line');
    const box = page.locator('.review-widget .comment-form .monaco-editor.focused');
    await box.waitFor();
    assert.notEqual(await signs.count(), 0);
    await page.locator('.review-widget .head').getByRole('button', { name: 'Collapse' }).click();
    await box.waitFor({ state: 'detached' });
    await noSigns();
  });
});

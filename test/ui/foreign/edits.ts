/**
 * Edits in the code by keyboard, with the strict service: hunks where they belong, accepted, saved, and nothing left behind. Others
 * are in `test/editor/inPlace`.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { newConversation, switchRouteTo } from '../../support/chatDriver.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { acceptLast, endEdit, hunksAre, saveUntil } from '../../support/reviewDriver.ts';
import { folder, workbench } from '../review/stage.ts';
import { STRICT } from './services.ts';

/** What the model has to answer, for the strict service: one replacement. */
function answerWith(path: string, find: string, replace: string): string {
  const files = [{ path, edits: [{ find, replace }] }];
  return `[[answers:${JSON.stringify({ explanation: 'As asked.', files })}]]`;
}

describe('Edits in the code', () => {
  let keys: ReturnType<typeof createKeyboard>;
  const threads = () => workbench.page.locator('.review-widget:visible');
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  before(async () => {
    keys = createKeyboard(workbench);
    await switchRouteTo(workbench, await newConversation(workbench), STRICT.route);
  });

  /** Accepts the only hunk, saves, and ends the edit. */
  async function accept(thread: Locator, file: string, saved: string): Promise<void> {
    await hunksAre(workbench, 1);
    await acceptLast(workbench);
    await thread.getByText('0 open, 1 accepted, 0 rejected').waitFor();
    await saveUntil(workbench, async () => assert.equal(await read(file), saved));
    await endEdit(workbench, threads().first());
  }

  it('say that an answer has no place, and have the hunk of the next one at the lines, which is accepted and saved', async () => {
    await writeFile(join(folder, 'tide.txt'), 'high tide at noon\nlow tide at dusk\n');
    await keys.open('tide.txt');
    await keys.press('Control+Home', 'Control+k', 'j');
    await keys.at('comment');
    await keys.type('Make it shorter.');
    await keys.press('Enter');
    const thread = threads().filter({ hasText: 'Make it shorter.' }).first();
    await thread.getByText(/Not placed/).waitFor();
    await workbench.screenshot('straight-edit');
    // The same keys go to the box below an answer.
    await keys.at('editor: tide.txt');
    await keys.press('Control+k', 'j');
    await thread.locator('.comment-form .monaco-editor.focused').waitFor();
    const words = `Make it midnight. ${answerWith('tide.txt', 'high tide at noon', 'high tide at midnight')}`;
    // Typed brackets would be closed by the editor.
    await keys.type(words);
    await keys.press('Enter');
    await thread.getByText('Make it midnight.').first().waitFor();
    await thread.getByText('tide.txt: 1 open, 0 accepted, 0 rejected').waitFor();
    await workbench.screenshot('straight-edit-hunk');
    await accept(thread, 'tide.txt', 'high tide at midnight\nlow tide at dusk\n');
    assert.deepEqual(STRICT.violations(), []);
  });
});

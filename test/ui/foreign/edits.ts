/**
 * Edits in the code whose answers fit the file, with the strict service and by keyboard: hunks where they belong, accepted,
 * saved, and nothing left behind.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { newConversation, switchRouteTo } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { clickLens, focusEditor, hunksAre, save } from '../../support/reviewDriver.ts';
import { folder, strict, workbench } from './stage.ts';

const CONFLICT_BEFORE = '<<<<<<< HEAD\nfour boats';
const CONFLICT_AFTER = '=======\nsix boats\n>>>>>>> topic';

/** What the model has to answer, for the strict service: one replacement. */
function answerWith(path: string, find: string, replace: string): string {
  const files = [{ path, edits: [{ find, replace }] }];
  return `[[answers:${JSON.stringify({ explanation: 'As asked.', files })}]]`;
}

describe('Edits in the code with a strict service', () => {
  let keys: ReturnType<typeof createKeyboard>;
  const threads = () => workbench.page.locator('.review-widget:visible');
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  before(async () => {
    keys = createKeyboard(workbench);
    await writeFile(join(folder, 'tide.txt'), 'high tide at noon\nlow tide at dusk\n');
    // The file has what the model answers, because the command takes no words.
    const answer = answerWith('boats.txt', `${CONFLICT_BEFORE}\n${CONFLICT_AFTER}`, 'ten boats');
    await writeFile(join(folder, 'boats.txt'), `${answer}\n${CONFLICT_BEFORE}\n${CONFLICT_AFTER}\nend\n`);
    await keys.open('tide.txt');
    const chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'straight');
  });

  /** Accepts the only hunk, saves, and ends the edit. */
  async function accept(thread: Locator): Promise<void> {
    await hunksAre(workbench, 1);
    await clickLens(workbench, 'Accept', 0);
    await thread.getByText('0 open, 1 accepted, 0 rejected').waitFor();
    await save(workbench);
    await focusEditor(workbench);
    await keys.press('Escape');
    await threads().first().waitFor({ state: 'detached' });
  }

  it('have their hunk at the lines, which is accepted and saved', async () => {
    await keys.open('tide.txt');
    await keys.press('Control+Home', 'Control+k', 'j');
    await keys.at('comment');
    const words = `Make it midnight. ${answerWith('tide.txt', 'high tide at noon', 'high tide at midnight')}`;
    // Typed brackets would be closed by the editor.
    await workbench.page.keyboard.insertText(words);
    await keys.press('Enter');
    const thread = threads().filter({ hasText: 'Make it midnight.' }).first();
    await thread.getByText('tide.txt: 1 open, 0 accepted, 0 rejected').waitFor();
    await workbench.screenshot('strict-edit-hunk');
    await accept(thread);
    assert.equal(await read('tide.txt'), 'high tide at midnight\nlow tide at dusk\n');
  });

  it('resolve a merge conflict', async () => {
    await keys.open('boats.txt');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Resolve with K3' }).click();
    const thread = threads().filter({ hasText: 'Resolve Conflict' }).first();
    await thread.getByText('boats.txt: 1 open, 0 accepted, 0 rejected').waitFor();
    await workbench.screenshot('strict-conflict-hunk');
    await accept(thread);
    assert.equal((await read('boats.txt')).split('\n').slice(1).join('\n'), 'ten boats\nend\n');
  });

  it('are sent without a violation', async () => {
    await eventually(() => assert.ok(strict.direct.requests.length > 1));
    assert.deepEqual(strict.direct.violations, []);
  });
});

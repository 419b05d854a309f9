/**
 * Edits in the code whose answers fit the file, by keyboard: hunks where they belong, accepted, saved, and nothing left behind. A
 * merge conflict is resolved with both services; the emulator fixes a problem as well, for which the strict one has no answer
 * that fits.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { newConversation, switchRouteTo } from '../../support/chatDriver.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { acceptLast, clickLens, endEdit, hunksAre, saveUntil } from '../../support/reviewDriver.ts';
import { fixFromProblem } from './problem.ts';
import { EMULATOR, lastSent, STRICT, type WalkedService } from './services.ts';
import { folder, workbench } from './stage.ts';

const CONFLICT_BEFORE = '<<<<<<< HEAD\nfour boats';
const CONFLICT_AFTER = '=======\nsix boats\n>>>>>>> topic';

/** What the model has to answer, for the strict service: one replacement. */
function answerWith(path: string, find: string, replace: string): string {
  const files = [{ path, edits: [{ find, replace }] }];
  return `[[answers:${JSON.stringify({ explanation: 'As asked.', files })}]]`;
}

describe('Edits in the code', () => {
  let keys: ReturnType<typeof createKeyboard>;
  const threads = () => workbench.page.locator('.review-widget:visible');
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  before(() => {
    keys = createKeyboard(workbench);
  });

  /** Starts a conversation that asks a service, and opens a file. */
  async function begin({ route }: WalkedService, file: string): Promise<void> {
    const chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, route);
    await keys.open(file);
  }

  /** Accepts the only hunk, saves, and ends the edit. */
  async function accept(thread: Locator, file: string, saved: string): Promise<void> {
    await hunksAre(workbench, 1);
    await acceptLast(workbench);
    await thread.getByText('0 open, 1 accepted, 0 rejected').waitFor();
    await saveUntil(workbench, async () => assert.equal(await read(file), saved));
    await endEdit(workbench, threads().first());
  }

  it('have their hunk at the lines, which is accepted and saved', async () => {
    await writeFile(join(folder, 'tide.txt'), 'high tide at noon\nlow tide at dusk\n');
    await begin(STRICT, 'tide.txt');
    await keys.press('Control+Home', 'Control+k', 'j');
    await keys.at('comment');
    const words = `Make it midnight. ${answerWith('tide.txt', 'high tide at noon', 'high tide at midnight')}`;
    // Typed brackets would be closed by the editor.
    await workbench.page.keyboard.insertText(words);
    await keys.press('Enter');
    const thread = threads().filter({ hasText: 'Make it midnight.' }).first();
    await thread.getByText('tide.txt: 1 open, 0 accepted, 0 rejected').waitFor();
    await workbench.screenshot('straight-edit-hunk');
    await accept(thread, 'tide.txt', 'high tide at midnight\nlow tide at dusk\n');
  });

  // The first line has what the strict service answers, because the command takes no words.
  const CONFLICTS = [
    [
      STRICT,
      'boats.txt',
      answerWith('boats.txt', `${CONFLICT_BEFORE}\n${CONFLICT_AFTER}`, 'ten boats'),
      'ten boats\nend\n',
    ],
    // It removes the markers and nothing between them, which is one hunk as well.
    [EMULATOR, 'fleet.txt', 'Our fleet:', 'four boats\nsix boats\nend\n'],
  ] as const;
  for (const [service, file, first, resolved] of CONFLICTS) {
    it(`resolve a merge conflict from its CodeLens, with ${service.name}`, async () => {
      await writeFile(join(folder, file), `${first}\n${CONFLICT_BEFORE}\n${CONFLICT_AFTER}\nend\n`);
      await begin(service, file);
      await clickLens(workbench, 'Resolve with K3');
      const thread = threads().filter({ hasText: 'Resolve Conflict' }).first();
      await thread.getByText(`${file}: 1 open, 0 accepted, 0 rejected`).waitFor();
      assert.match(lastSent(service), /Resolve this merge conflict[\s\S]*<<<<<<< HEAD/);
      await workbench.screenshot(`${service.route}-conflict-hunk`);
      await accept(thread, file, `${first}\n${resolved}`);
      assert.deepEqual(service.violations(), []);
    });
  }

  it(`fix a problem of the editor with a quick fix, with ${EMULATOR.name}`, async () => {
    await writeFile(join(folder, 'note.txt'), 'We recieve it if a == b.\n');
    await begin(EMULATOR, 'note.txt');
    const thread = await fixFromProblem(keys, EMULATOR.route);
    await thread.getByText('note.txt: 1 open, 0 accepted, 0 rejected').waitFor();
    assert.match(lastSent(EMULATOR), /Fix this code[\s\S]*line 1: Did you mean “receive”\?/);
    await workbench.screenshot(`${EMULATOR.route}-fix-hunk`);
    await accept(thread, 'note.txt', 'We recieve it if a === b.\n');
    assert.deepEqual(EMULATOR.violations(), []);
  });
});

/** A turn whose results of tools fill the context window, with the strict service and by keyboard. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import {
  answerEnded,
  askQuestion,
  newConversation,
  outcomeOf,
  sendQuestion,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { folder, strict, workbench } from './stage.ts';

/** Requests with which the window is filled: two calls in each. */
const ROUNDS = 8;

/**
 * As much as a result may have. In JSON it has twice as much, of which the strict service counts each token twice: about 60,000
 * tokens; the context window has 1,048,576.
 */
const LONG = `${'"'.repeat(99)}\n`.repeat(600);

describe('A turn that fills the context window', () => {
  // The last test counts what the other one has done.
  inSteps();
  let chat: Frame;
  const again = () => chat.getByRole('button', { name: 'Send them again' });
  const leaveOut = () => chat.getByRole('button', { name: 'Leave them out again' });

  after(async () => {
    await removeFolder(join(folder, 'long.txt'));
    await switchRouteTo(workbench, chat, 'straight');
  });

  const bodies = () => strict.dense.requests.map(({ text }) => text);

  it('no longer sends results of earlier calls, says so, and sends them again', async () => {
    await writeFile(join(folder, 'long.txt'), LONG);
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'dense');
    await sendQuestion(chat, `[[tool-rounds:${ROUNDS} read_file ${JSON.stringify({ path: 'long.txt' })}]]`);
    assert.equal(await outcomeOf(await answerEnded(chat, 60_000)), 'complete');
    const sizes = bodies().map((text) => text.length);
    assert.equal(sizes.length, ROUNDS + 1);
    const shorter = sizes.filter((size, at) => size < (sizes[at - 1] ?? 0));
    assert.equal(shorter.length, 1, sizes.join(', '));
    await again().waitFor();
    await workbench.screenshot('dense-compaction');
    await again().press('Enter');
    await leaveOut().waitFor();
    await again().waitFor({ state: 'detached' });
    await chat.getByText('Some tool results are sent again').waitFor();
    assert.equal(await outcomeOf(await askQuestion(chat, 'And in short?')), 'complete');
    assert.ok((bodies().at(-1)?.length ?? 0) > Math.max(...sizes));
    // The answer is no longer the last one.
    await leaveOut().scrollIntoViewIfNeeded();
    await workbench.screenshot('dense-compaction-taken-back');
    await leaveOut().press('Enter');
    await again().waitFor();
    const all = chat.getByRole('button', { name: 'Leave out tool results again' });
    await eventually(async () => assert.equal(await all.count(), 0));
    // The window is nearly full with them, which is said with the same way back.
    await again().press('Enter');
    await all.press('Enter');
    await again().waitFor();
    await eventually(async () => assert.equal(await all.count(), 0));
    assert.equal(await outcomeOf(await askQuestion(chat, 'And in shorter?')), 'complete');
    assert.ok((bodies().at(-1)?.length ?? 0) < Math.max(...sizes));
  });

  it('begins the cache of the strict service anew each time, which was announced, and breaks no other rule', () => {
    const changed = /^request \d+: messages\[\d+\] is not byte-identical to that of request \d+ \(R11\)$/;
    const { violations } = strict.dense;
    assert.equal(violations.length, 3, violations.join('\n'));
    for (const violation of violations) assert.match(violation, changed);
  });
});

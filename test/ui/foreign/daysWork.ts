/**
 * What a day's work adds to questions and answers, with the strict service: instructions, a prompt file, a preset, Why?, the map of
 * a turn, another attempt and its comparison, an edit in the code, and a probe. By keyboard, where it is meant to be.
 */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import {
  answerEnded,
  askQuestion,
  newConversation,
  outcomeOf,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { focusEditor } from '../../support/reviewDriver.ts';
import { folder, strict, workbench } from './stage.ts';

describe('A day’s work with a strict service', () => {
  let chat: Frame;
  let keys: ReturnType<typeof createKeyboard>;
  const lastText = () => strict.direct.requests.at(-1)?.text ?? '';

  before(async () => {
    keys = createKeyboard(workbench);
    await writeFile(join(folder, 'AGENTS.md'), 'Use British spelling.\n');
    await mkdir(join(folder, '.github/prompts'), { recursive: true });
    await writeFile(
      join(folder, '.github/prompts/teach.prompt.md'),
      '---\ndescription: Explain for a beginner\n---\nExplain ${file} for a beginner.\n',
    );
    await keys.open('clock.ts');
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'straight');
  });

  after(async () => {
    await rm(join(folder, 'AGENTS.md'));
    await rm(join(folder, '.github'), { recursive: true });
  });

  it('sends the instructions of the project', async () => {
    assert.equal(await outcomeOf(await askQuestion(chat, 'How are names sorted?')), 'complete');
    assert.match(lastText(), /Project instructions in AGENTS\.md/);
  });

  it('sends a prompt file that is chosen with /, after the bytes of the request before', async () => {
    const before = lastText();
    await keys.press('Control+k', 'k');
    await keys.at('chat: Message');
    await workbench.page.keyboard.type('/tea');
    await chat.getByRole('option', { name: /teach/ }).waitFor();
    await keys.press('Enter');
    await chat.locator('article[data-outcome="complete"]').nth(1).waitFor();
    assert.match(lastText(), /for a beginner/);
    const messages = before.slice(0, before.indexOf(']', before.indexOf('"messages"')));
    assert.ok(messages.length > 40 && lastText().startsWith(messages));
  });

  it('asks with a preset', async () => {
    await keys.run('K3: Choose Preset…');
    await keys.pick('Plan', 'Plan');
    await chat.locator('button[aria-label="Preset"][data-value="Plan"]').waitFor();
    assert.equal(await outcomeOf(await askQuestion(chat, 'How would you sort them?')), 'complete');
    assert.equal(JSON.parse(lastText()).reasoning_effort, 'max');
    await workbench.screenshot('strict-preset');
  });

  it('answers Why? with keys, and shows the map of the turn', async () => {
    const answer = await answerEnded(chat);
    await answer.locator('[data-part="answer"] strong', { hasText: 'collator' }).selectText();
    await answer.focus();
    await keys.press('Control+k', 'y');
    await chat.locator('.step.is-current').waitFor();
    await workbench.screenshot('strict-why');
    await keys.press('Escape');
    await chat.locator('.why').waitFor({ state: 'detached' });
    await keys.run('K3: Show Turn Map');
    await keys.at(/^chat: Waiting for the service/);
    await workbench.screenshot('strict-map');
    await keys.press('ArrowRight');
    await keys.at(/^chat: (?:Step 1: .*, about \d+ tokens|\d+ more)/);
  });

  it('asks again with another effort, and compares the attempts', async () => {
    const before = strict.direct.requests.length;
    await keys.run('K3: Ask Again With…');
    await keys.pick('high', 'high');
    await eventually(() => assert.equal(strict.direct.requests.length, before + 1));
    await answerEnded(chat);
    await keys.run('K3: Compare Attempts');
    await workbench.page.locator('.tab', { hasText: 'attempt 1 ↔ attempt 2' }).first().waitFor();
    await workbench.screenshot('strict-compare');
  });

  it('edits in the code, and ends without leaving anything behind', async () => {
    const { page } = workbench;
    const threads = page.locator('.review-widget:visible');
    await keys.open('clock.ts');
    await keys.press('Control+Home', 'Control+k', 'j');
    await keys.at('comment');
    await keys.type('Make it shorter.');
    await keys.press('Enter');
    await threads.getByText('Make it shorter.').waitFor();
    await threads.getByText(/Not placed/).waitFor();
    await workbench.screenshot('strict-edit');
    await focusEditor(workbench);
    await keys.press('Escape');
    await threads.first().waitFor({ state: 'detached' });
  });

  it('probes the route', async () => {
    await keys.run('K3: Probe Route');
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Probe Route' }).click();
    const headings = () =>
      Promise.all(
        workbench.page.frames().map((frame) =>
          frame
            .locator('h1')
            .allTextContents()
            .catch(() => []),
        ),
      );
    await eventually(async () => assert.match((await headings()).flat().join('\n'), /straight/));
    await workbench.screenshot('strict-probe');
  });

  it('finds no errors in the requests', () => {
    assert.ok(strict.direct.requests.length > 10);
    assert.deepEqual(strict.direct.violations, []);
  });
});

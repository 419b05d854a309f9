/**
 * Instructions, prompt files, and presets with the strict service of test/foreign, by keyboard, in a real workbench:
 * what they add to the requests breaks none of its rules, and keeps the bytes before it.
 */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import {
  answerEnded,
  enterText,
  newConversation,
  outcomeOf,
  startAnswer,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { pickRow } from '../../support/quickInput.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { folder, strict, workbench } from '../review/stage.ts';

const PATHS = ['AGENTS.md', '.github'] as const;

describe('The files of a project, with a strict service', () => {
  let chat: Frame;
  const box = () => chat.getByRole('textbox', { name: 'Message', exact: true });
  const bodies = () => strict.direct.requests.map(({ text }) => text);
  const lastSent = (): string => JSON.parse(bodies().at(-1) ?? '{}').messages.at(-1).content;

  async function sendByEnter(): Promise<void> {
    await startAnswer(chat, () => box().press('Enter'));
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
  }

  before(async () => {
    await mkdir(join(folder, '.github/prompts'), { recursive: true });
    await writeFile(join(folder, 'AGENTS.md'), 'Answer in one sentence.\n');
    await writeFile(
      join(folder, '.github/prompts/boats.prompt.md'),
      '---\ndescription: Names boats\neffort: low\ntools: [read_file]\n---\nName three boats.\n',
    );
    chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'straight');
  });

  after(async () => {
    for (const path of PATHS) await removeFolder(join(folder, path));
  });

  it('go with questions, a prompt, and a preset, and keep the bytes before them', async () => {
    const first = bodies().length;
    const chip = chat.getByRole('listitem').filter({ hasText: 'Instructions' });
    await chip.getByRole('button', { name: /^1 file, about \d+ tokens$/ }).waitFor();
    await chip.getByRole('button', { name: 'Remove Instructions', exact: true }).waitFor();
    await enterText(box(), 'What is a boat?');
    await sendByEnter();
    assert.match(lastSent(), /^Project instructions in AGENTS\.md:[\s\S]*What is a boat\?$/);

    await box().pressSequentially('/boa');
    const list = chat.getByRole('listbox', { name: 'Commands and prompts' });
    await list.getByRole('option', { name: /\/boats.*Names boats/, selected: true }).waitFor();
    await sendByEnter();
    assert.equal(lastSent(), 'Name three boats.');
    assert.equal(JSON.parse(bodies().at(-1) ?? '').reasoning_effort, 'low');

    await chat.getByRole('button', { name: 'Preset', exact: true }).focus();
    await workbench.page.keyboard.press('Enter');
    await pickRow(workbench.page, 'Plan', 'Plan', 60_000);
    await chat.locator('button[aria-label="Preset"][data-value="Plan"]').waitFor();
    await rm(join(folder, 'AGENTS.md'));
    await chip.getByRole('button', { name: '1 file no longer applies', exact: true }).waitFor();
    await workbench.screenshot('strict-instructions-ended');
    await enterText(box(), 'And how is it built?');
    await sendByEnter();
    assert.match(
      lastSent(),
      /^Project instructions in AGENTS\.md no longer apply\.\n\nMake a plan[\s\S]*And how is it built\?$/,
    );
    const sent = bodies().slice(first);
    for (const [at, body] of sent.entries()) {
      const before = sent[at - 1] ?? '';
      const messages = JSON.stringify(JSON.parse(before || '{"messages":[]}').messages);
      assert.ok(
        at === 0 || body.includes(messages.slice(0, -1)),
        `request ${at} keeps the messages before it`,
      );
    }
    assert.deepEqual(strict.direct.violations, []);
  });
});

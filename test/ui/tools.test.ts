/** Tools in a real workbench: picked with the button of the composer, and saved for the workspace. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { focusChat } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

let workbench: Workbench;
let chat: Frame;
let folder: string;

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'k3-tools-')));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/bell.ts'), 'export const ring = 1;\n');
  workbench = await startWorkbench({
    env: { K3_API_KEY: 'tools-test-key' },
    settings: {
      'k3.routes': { plain: { kind: 'direct', baseUrl: 'http://127.0.0.1:9' } },
      'k3.route': 'plain',
    },
    folder,
  });
  chat = await focusChat(workbench);
});

after(async () => {
  await workbench?.dispose();
  await rm(folder, { recursive: true, force: true });
});

describe('The selection of tools', () => {
  const button = () => chat.getByRole('button', { name: 'Tools', exact: true });
  const row = (name: string) =>
    workbench.page.locator(`.quick-input-list .monaco-list-row:has-text("${name}")`);

  /** The list renders only visible rows, so the name is typed. */
  async function mark(name: string): Promise<void> {
    await workbench.page.keyboard.type(name);
    await row(name).first().click();
  }

  it('starts with our own tools, and the button shows their number', async () => {
    await button().waitFor();
    assert.equal((await button().innerText()).trim(), '10');
  });

  it('is a grouped quick pick with counts, and includes what is checked', async () => {
    await button().click();
    await workbench.page.locator('.quick-input-title:has-text("10 of")').waitFor();
    assert.equal(await row('read_file').count(), 1);
    await workbench.screenshot('tools-picker');
    await mark('git_log');
    await workbench.page.locator('.quick-input-title:has-text("9 of")').waitFor();
    await workbench.page.keyboard.press('Enter');
    await chat.locator('button[aria-label="Tools"]:has-text("9")').waitFor();
    await workbench.screenshot('tools-button');
  });

  it('is not changed by Escape, and is saved for the workspace', async () => {
    await workbench.runCommand('K3: Choose Tools…');
    await workbench.page.locator('.quick-input-title:has-text("9 of")').waitFor();
    await mark('find_files');
    await workbench.page.keyboard.press('Escape');
    assert.equal((await button().innerText()).trim(), '9');
    await workbench.reload();
    chat = await focusChat(workbench);
    await chat.locator('button[aria-label="Tools"]:has-text("9")').waitFor();
  });
});

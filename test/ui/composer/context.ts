/** The context of a message in a real workbench: found with `@`, shown as chips with their size, and sent. */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import {
  answerEnded,
  clickInMenu,
  enterText,
  focusChat,
  newConversation,
  openInput,
  openInTab,
  removeAttachments,
  startAnswer,
  toggleTheme,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { focusEditor, openFile, runOnAll } from '../../support/reviewDriver.ts';
import { runFailing } from '../../support/terminalDriver.ts';
import { emulator, folder, workbench } from '../chat/stage.ts';

let chat: Frame;

const box = () => chat.getByRole('textbox', { name: 'Message' });
const list = () => chat.getByRole('listbox', { name: /^(Files, folders, and more|Commands and prompts)$/ });
const chips = () => chat.getByRole('list', { name: 'Attachments' }).locator('> li');
const dialog = () => workbench.page.locator('.monaco-dialog-box');

/** Types into the composer, and waits for the suggestions for this text. */
async function type(text: string): Promise<void> {
  await box().focus();
  await box().pressSequentially(text);
  await list().and(chat.locator('[aria-busy="false"]')).waitFor();
}

/** The text of the last message that was sent. */
function lastSent(): string {
  const { messages } = JSON.parse(emulator.requests.at(-1)?.body ?? '{}');
  return messages.at(-1).content;
}

/** Sends the message in the composer, and waits for the end of the answer. */
async function sendByEnter(): Promise<void> {
  await startAnswer(chat, () => box().press('Enter'));
  await answerEnded(chat);
}

/** Before a test, because what is open after one that failed is closed after the hooks of this file. */
async function clear(): Promise<void> {
  if (chat.isDetached()) chat = await focusChat(workbench);
  await removeAttachments(chat);
  await box().fill('');
}

/** The box has this text, once the host has answered. */
const boxHas = (text: string) => eventually(async () => assert.equal(await box().inputValue(), text));
const chipHas = (text: RegExp) =>
  eventually(async () => assert.match(await chips().first().innerText(), text));
const alertSays = (text: RegExp) => {
  const alert = chat.locator('.composer').getByRole('alert');
  return eventually(async () => assert.match(await alert.innerText({ timeout: 1000 }), text));
};

async function answerDialog(button: string): Promise<string> {
  await dialog().waitFor();
  const text = await dialog().innerText();
  await dialog().getByRole('button', { name: button, exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
  return text;
}

describe('In Restricted Mode', () => {
  before(async () => {
    chat = await newConversation(workbench);
  });
  beforeEach(clear);
  after(clear);

  it('offers tools that read files and propose changes, and none that could run code of the folder', async () => {
    await chat.locator('button[aria-label="Tools"][aria-description="7 tools"]').waitFor();
    const list = await openInput(workbench, 'Tools for svc-k3', () =>
      workbench.runCommand('K3: Choose Tools…'),
    );
    const rows = list.locator('.quick-input-list .monaco-list-row');
    const read = ['find_files', 'get_diagnostics', 'list_files', 'read_file', 'search_text'];
    await eventually(async () => {
      const names = (await rows.allInnerTexts()).map((row) => row.split('\n')[0]);
      assert.deepEqual(names.toSorted(), [...read, 'propose_edit', 'update_plan'].toSorted());
    });
    const why = list.locator('input[placeholder="Restricted Mode: some tools are not offered."]');
    await why.waitFor();
    // By keyboard: where the pointer rests, its own tooltip can cover it.
    await list.getByRole('button', { name: 'Manage Workspace Trust' }).press('Enter');
    const trust = workbench.page.locator('.workspace-trust-editor');
    await trust.getByText('You are in Restricted Mode').waitFor();
    await workbench.execute('workbench.action.closeAllEditors');
  });

  it('says behind / that it uses no prompts of the folder, which leads to its trust', async () => {
    const prompts = join(folder, '.github/prompts');
    await mkdir(prompts, { recursive: true });
    await writeFile(join(prompts, 'tidy.prompt.md'), 'Tidy this up.\n');
    await type('/');
    const row = list().getByRole('option', { name: /Manage Workspace Trust/ });
    await row.getByText('Restricted Mode: prompt files of the workspace are not used.').waitFor();
    await workbench.screenshot('prompts-restricted');
    await row.click();
    const trust = workbench.page.locator('.workspace-trust-editor');
    await trust.getByText('You are in Restricted Mode').waitFor();
    assert.equal(await box().inputValue(), '/');
    await workbench.execute('workbench.action.closeAllEditors');
    await removeFolder(join(folder, '.github'));
  });

  it('adds files, and shows that changes are not available', async () => {
    await type('@clo');
    await box().press('Enter');
    await chipHas(/src\/clock\.ts/);
    await type('@changes');
    await list()
      .getByRole('option', { name: /changes/i, selected: true })
      .waitFor();
    await box().press('Enter');
    await alertSays(/Git extension is not available/);
  });
});

describe('Context in the composer', () => {
  before(async () => {
    // The rest of the tests need a trusted folder. To trust it in the same window is faster than another window.
    await workbench.execute('workbench.trust.manage');
    const { page } = workbench;
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await workbench.execute('workbench.action.closeAllEditors');
    chat = await focusChat(workbench);
    await chat.locator('button[aria-label="Tools"][aria-description="11 tools"]').waitFor();
  });

  beforeEach(clear);
  after(clear);
  // Files that some of the tests write, which the others would find.
  afterEach(async () => {
    await rm(join(folder, 'AGENTS.md'), { force: true });
    await removeFolder(join(folder, '.github'));
  });

  it('suggests the selection, files, and folders after @, without files that Git ignores', async () => {
    await type('@');
    await list().waitFor();
    const optionsNow = () => list().getByRole('option').allInnerTexts();
    await eventually(async () => {
      const names = (await optionsNow()).map((text) => text.split('\n')[0]);
      for (const name of ['changes', 'src/', 'clock.ts', 'bell.ts']) assert.ok(names.includes(name), name);
    });
    const options = await optionsNow();
    assert.ok(!options.some((text) => text.includes('dist') || text.includes('.env')), options.join(' '));
    await workbench.screenshot('context-list-light');
  });

  it('closes suggestions with Escape, and keeps them closed while the user types on', async () => {
    await type('@');
    await box().press('Escape');
    await list().waitFor({ state: 'detached' });
    await box().pressSequentially('cl');
    await workbench.page.waitForTimeout(400);
    assert.equal(await list().count(), 0);
    await box().fill('');
  });

  it('attaches a file that is picked with the keyboard, shows its size, and sends its text before the message', async () => {
    const last = emulator.requests.at(-1);
    await type('Explain @clo');
    await eventually(async () => {
      const active = await box().getAttribute('aria-activedescendant');
      const option = chat.locator(`#${active}`);
      assert.equal(await option.getAttribute('aria-selected', { timeout: 1000 }), 'true');
      assert.match(await option.innerText({ timeout: 1000 }), /clock\.ts/);
    });
    await box().press('Enter');
    await chipHas(/src\/clock\.ts\s+about \d+ tokens/);
    await boxHas('Explain src/clock.ts ');
    assert.equal(emulator.requests.at(-1), last, 'nothing was sent');
    await workbench.screenshot('context-chip-light');
    await sendByEnter();
    assert.ok(
      lastSent().startsWith('File src/clock.ts:\n```ts\nexport const tick0 = 0;\n'),
      lastSent().slice(0, 80),
    );
    assert.ok(lastSent().endsWith('tick39 = 39;\n```\n\nExplain src/clock.ts '));
    const question = chat.locator('article.you').last();
    assert.match(await question.getByRole('list', { name: 'Context' }).innerText(), /src\/clock\.ts/);
    await eventually(async () => assert.equal(await chips().count(), 0));
  });

  it('picks with Tab, the arrow keys, and a click', async () => {
    await type('@src');
    const before = await box().getAttribute('aria-activedescendant');
    await box().press('ArrowDown');
    await chat.locator(`textarea:not([aria-activedescendant="${before}"])`).first().waitFor();
    await box().press('ArrowUp');
    await list().getByRole('option', { name: 'bell.ts' }).click();
    await chips().first().waitFor();
    await eventually(async () =>
      assert.match(await box().inputValue(), /^(?:src\/)?bell\.ts $/, 'the name stays in the text'),
    );
    await type('@bell');
    await eventually(async () =>
      assert.match(
        await chat
          .locator(`#${await box().getAttribute('aria-activedescendant')}`)
          .innerText({ timeout: 1000 }),
        /bell\.ts/,
      ),
    );
    await box().press('Tab');
    await list().waitFor({ state: 'detached' });
    await type('@new');
    await list().getByRole('option', { name: 'new.txt' }).click();
    // Files are read one after the other, so the same file has been by then. While one is read, it has a chip, too.
    await chips().filter({ hasText: 'new.txt' }).filter({ hasText: 'token' }).waitFor();
    assert.equal(await chips().count(), 2, 'the same file is there once');
  });

  it('adds the text files of a folder, and shows what was omitted and why', async () => {
    await type('@src');
    await list().getByRole('option', { name: 'src/', exact: true }).click();
    await chipHas(/2 files, about \d+ of at most 50,000 tokens/);
    await chips().first().getByRole('button', { name: '2 omitted' }).click();
    await eventually(async () => {
      const omitted = await chips().first().locator('.omitted li').allInnerTexts();
      assert.deepEqual(omitted.sort(), ['src/dist/: ignored by Git', 'src/sound.wav: not text']);
    });
    await workbench.screenshot('context-folder-light');
    await enterText(box(), 'What rings?');
    await sendByEnter();
    assert.match(lastSent(), /^Folder src\/, 2 files, 2 entries left out:\n\nFile src\/bell\.ts:\n````ts\n/);
    assert.ok(!lastSent().includes('built'));
  });

  it('marks a changed file, updates it on a click, and sends its current text', async () => {
    await type('@bell');
    await box().press('Enter');
    await chips().first().waitFor();
    await openFile(workbench, 'bell.ts');
    await focusEditor(workbench);
    await workbench.page.keyboard.press('Control+Home');
    await workbench.page.keyboard.type('let louder;');
    await workbench.page.keyboard.press('Enter');
    await chips().first().locator('.chip-changed').waitFor();
    await workbench.screenshot('context-changed-light');
    await chips().first().getByRole('button', { name: 'Update src/bell.ts' }).click();
    await chips().first().locator('.chip-changed').waitFor({ state: 'detached' });
    await workbench.page.locator('.monaco-editor .view-line').first().click();
    await workbench.page.keyboard.press('Control+Home');
    await workbench.page.keyboard.type('let loudest;');
    await workbench.page.keyboard.press('Enter');
    await enterText(box(), 'How loud?');
    await sendByEnter();
    // The unsaved text of the editor is sent.
    assert.ok(lastSent().includes('````ts\nlet loudest;\nlet louder;\nexport const ring'), lastSent());
  });

  it('adds the selection from the Command Palette, with its lines', async () => {
    await openFile(workbench, 'bell.ts');
    await runOnAll(workbench, 'K3: Add Selection to Chat');
    await chipHas(/src\/bell\.ts:1-\d/);
  });

  it('asks before it reads a link that leads out of the workspace, and shows the resolved path', async () => {
    await type('@linked');
    await box().press('Enter');
    assert.match(await answerDialog('Cancel'), new RegExp(join(folder, '../outside/private.txt')));
    await eventually(async () => assert.equal(await chips().count(), 0));
    await type('@linked');
    await box().press('Enter');
    await answerDialog('Allow in This Window');
    await chips().first().waitFor();
  });

  it('shows the instructions that go with the message, opens one, and leaves them out of the conversation', async () => {
    const rules = join(folder, 'AGENTS.md');
    await writeFile(rules, 'Answer in one sentence.\n');
    chat = await newConversation(workbench);
    const chip = chips().filter({ hasText: 'Instructions' });
    await chip.waitFor();
    await eventually(async () =>
      assert.match(
        String(await chip.getAttribute('title')),
        /^Instructions\n1 file, about \d+ tokens\nAGENTS\.md: about \d+ tokens$/,
      ),
    );
    await chip.getByRole('button', { name: /^1 file, about \d+ tokens$/ }).click();
    await workbench.screenshot('instructions-chip-light');
    await chip.getByRole('button', { name: 'AGENTS.md' }).click();
    await workbench.page.locator('.tab.active', { hasText: 'AGENTS.md' }).waitFor();
    // It takes the focus a moment later, and would get the Enter key.
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await enterText(box(), 'What is a bell?');
    await sendByEnter();
    assert.match(
      lastSent(),
      /^Project instructions in AGENTS\.md:\n[\s\S]*one sentence[\s\S]*What is a bell\?$/,
    );
    const question = chat.locator('article.you').last();
    assert.match(await question.getByRole('list', { name: 'Context' }).innerText(), /Instructions\s+1 file/);
    await chip.waitFor({ state: 'detached' });
    // When the file is gone, the model is told so once, and there is nothing to leave out.
    await rm(rules);
    await chip.getByRole('button', { name: '1 file no longer applies', exact: true }).click();
    await workbench.screenshot('instructions-ended-light');
    assert.equal(await chip.getByRole('button', { name: 'Remove Instructions' }).count(), 0);
    await enterText(box(), 'What is a gong?');
    await sendByEnter();
    assert.equal(lastSent(), 'Project instructions in AGENTS.md no longer apply.\n\nWhat is a gong?');
    const told = chat.locator('article.you').last().getByRole('list', { name: 'Context' });
    assert.match(await told.innerText(), /Instructions\s+1 file no longer applies/);
    await chip.waitFor({ state: 'detached' });
    await writeFile(rules, 'Answer in one sentence.\n');
    chat = await newConversation(workbench);
    await chip.getByRole('button', { name: 'Remove Instructions' }).click();
    await chip.waitFor({ state: 'detached' });
    await enterText(box(), 'What is a clock?');
    await sendByEnter();
    assert.equal(lastSent(), 'What is a clock?');
    await type('@instr');
    await box().press('Enter');
    await chip.waitFor();
    await rm(rules);
    await workbench.execute('workbench.action.closeAllEditors');
    chat = await focusChat(workbench);
  });

  it('offers commands and prompt files after a slash, and sends the one that Enter takes', async () => {
    const prompts = join(folder, '.github/prompts');
    await mkdir(prompts, { recursive: true });
    await writeFile(
      join(prompts, 'bells.prompt.md'),
      `---\ndescription: What rings, and when\n---\nList the bells of $\{file}.\n`,
    );
    await openFile(workbench, 'bell.ts');
    chat = await newConversation(workbench);
    await type('/');
    // The file was written just before.
    await eventually(async () => {
      const options = await list().getByRole('option').allInnerTexts();
      assert.ok(
        options.some((text) => /^\/bells\s+What rings, and when$/.test(text)),
        options.join(),
      );
      assert.ok(
        options.some((text) => text.startsWith('/explain')),
        options.join(),
      );
    });
    await workbench.screenshot('prompts-list-light');
    await box().pressSequentially('bel');
    await list()
      .and(chat.locator('[aria-busy="false"]'))
      .getByRole('option', { name: /\/bells/, selected: true })
      .waitFor();
    await sendByEnter();
    assert.match(lastSent(), /^File src\/bell\.ts:\n[\s\S]*List the bells of src\/bell\.ts\.$/);
    assert.match(await chat.locator('article.you').last().innerText(), /\/bells/);
    await boxHas('');
    // Tab leaves it in the box, for words after it.
    const last = emulator.requests.at(-1);
    await type('/bel');
    await box().press('Tab');
    // Once the rows for the last letter have come.
    await boxHas('/bells ');
    await box().pressSequentially('and whistles');
    assert.equal(emulator.requests.at(-1), last, 'nothing was sent');
    await sendByEnter();
    assert.match(lastSent(), /List the bells of src\/bell\.ts\.\n\nand whistles$/);
    await workbench.execute('workbench.action.closeAllEditors');
    chat = await focusChat(workbench);
  });

  it('has the focus again when the input of a prompt or of a command is closed', async () => {
    const prompts = join(folder, '.github/prompts');
    await mkdir(prompts, { recursive: true });
    await writeFile(join(prompts, 'greet.prompt.md'), `Greet $\{input:name:Who?}.\n`);
    await openFile(workbench, 'bell.ts');
    chat = await newConversation(workbench);
    const keyboard = createKeyboard(workbench);
    for (const [message, title] of [
      ['/greet ', '/greet'],
      ['/refactor ', 'Refactor'],
    ] as const) {
      await keyboard.type(message);
      await keyboard.press('Enter');
      await keyboard.at(`input: ${title}`);
      await keyboard.press('Escape');
      await keyboard.at('chat: Message');
      assert.equal(await box().inputValue(), message);
      // It was closed by mistake.
      await keyboard.press('Enter');
      await keyboard.at(`input: ${title}`);
      await keyboard.press('Escape');
      await keyboard.at('chat: Message');
      await box().fill('');
    }
    await removeFolder(join(folder, '.github'));
    await workbench.execute('workbench.action.closeAllEditors');
    chat = await focusChat(workbench);
  });

  it('gives a command the words that follow it, and keeps them when it can’t ask', async () => {
    await workbench.execute('workbench.action.closeAllEditors');
    chat = await newConversation(workbench);
    const last = emulator.requests.at(-1);
    await type('/expl');
    await box().press('Tab');
    await boxHas('/explain ');
    await box().pressSequentially('why does it ring?');
    await box().press('Enter');
    await alertSays(/^Open a file and select the code to ask about\./);
    assert.equal(await box().inputValue(), '/explain why does it ring?');
    await workbench.screenshot('command-words-kept');
    assert.equal(emulator.requests.at(-1), last);

    await openFile(workbench, 'bell.ts');
    chat = await focusChat(workbench);
    await sendByEnter();
    assert.match(
      lastSent(),
      /^Explain what this code does.* why does it ring\?\n\n[\s\S]*The code, src\/bell\.ts/,
    );
    assert.match(await chat.locator('article.you').last().innerText(), /Explain · why does it ring\?/);
    await boxHas('');
    // Enter takes it from the list, with the text that is behind the cursor.
    await enterText(box(), ' and when?');
    await box().press('Home');
    await box().pressSequentially('/expl');
    await list()
      .and(chat.locator('[aria-busy="false"]'))
      .getByRole('option', { name: /\/explain/, selected: true })
      .waitFor();
    await sendByEnter();
    assert.match(lastSent(), /^Explain what this code does.* and when\?\n\n/);
    await workbench.execute('workbench.action.closeAllEditors');
    chat = await focusChat(workbench);
  });

  it('shows why a file cannot be added', async () => {
    await type('@sound');
    await box().press('Enter');
    await alertSays(/src\/sound\.wav is not a text file/);
  });

  it('adds staged and unstaged changes, and names untracked files', async () => {
    // The Git extension starts with the window, which takes a moment.
    for (let tries = 0; tries < 30 && (await chips().count()) === 0; tries++) {
      await box().fill('');
      await type('@chan');
      await box().press('Enter');
      await chips()
        .first()
        .waitFor({ timeout: 2000 })
        .catch(() => undefined);
    }
    await chipHas(/Changes\s+about \d+ tokens/);
    await chips()
      .first()
      .getByRole('button', { name: /omitted/ })
      .click();
    await chips().first().locator('.omitted li', { hasText: 'new.txt: not tracked by Git' }).waitFor();
    await enterText(box(), 'Review');
    await sendByEnter();
    assert.match(
      lastSent(),
      /Changes in .*, staged:\n```diff\n[\s\S]*\+staged[\s\S]*Changes in .*, not staged:[\s\S]*\+and not/,
    );
  });

  it('adds dropped files and folders, also with URIs of a remote window', async () => {
    const uris = [`file://${folder}/src/bell.ts`, `vscode-remote://host${folder}/src`];
    await chat.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', ${JSON.stringify(uris.join('\r\n'))});
      const drag = (type) =>
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      drag('dragover');
      if (!document.body.classList.contains('is-dropping')) throw new Error('no hint is shown');
      drag('drop');
    })()`);
    await eventually(async () => {
      const names = await chips().locator('.chip-name').allInnerTexts();
      assert.deepEqual(names, ['src/bell.ts', 'src/']);
    });
  });

  it('adds files from the Explorer, and asks about files that Git ignores', async () => {
    await workbench.execute('workbench.view.explorer');
    const row = (name: string) =>
      workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
    const add = async (name: string) => {
      await row(name).first().click({ button: 'right' });
      const entry = workbench.page.locator('.monaco-menu .action-item', { hasText: 'Add File to Chat' });
      await clickInMenu(entry.first());
    };
    await add('README.md');
    chat = await workbench.chat();
    await chipHas(/README\.md/);
    await workbench.execute('workbench.view.explorer');
    await add('.env');
    assert.match(await answerDialog('Cancel'), /\.env[\s\S]*keys and passwords/);
    chat = await focusChat(workbench);
    await chips().first().waitFor();
    assert.equal(await chips().count(), 1);
  });

  it('adds a file that is dragged from the Explorer to a chat in a tab while Shift is pressed', async () => {
    const { page } = workbench;
    await workbench.execute('workbench.view.explorer');
    // A drag that begins before the tab is there doesn't show that Shift drops into it.
    await openInTab(workbench);
    const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'README.md' });
    const tab = page.locator('.part.editor .editor-group-container.active');
    const [from, to] = [await row.first().boundingBox(), await tab.boundingBox()];
    assert.ok(from !== null && to !== null);
    await page.mouse.move(from.x + 40, from.y + from.height / 2);
    await page.mouse.down();
    // Without Shift, the editor would open the file. It shows that first.
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 10 });
    await page.getByText('to drop into editor').waitFor();
    await page.keyboard.down('Shift');
    await page.mouse.move(to.x + to.width / 2 + 10, to.y + to.height / 2, { steps: 5 });
    await page.getByText('to drop into editor').waitFor({ state: 'detached' });
    // The page says that it takes the file, as soon as it gets the pointer.
    let step = 0;
    await eventually(async () => {
      step = (step + 5) % 50;
      await page.mouse.move(to.x + to.width / 2 + step, to.y + to.height / 2, { steps: 5 });
      const isDropping = (frame: Frame) => frame.evaluate<boolean>(`document.body.matches('.is-dropping')`);
      const taken = await Promise.all(page.frames().map((frame) => isDropping(frame).catch(() => false)));
      assert.ok(taken.includes(true));
    });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await workbench.execute('workbench.action.closeActiveEditor');
    chat = await focusChat(workbench);
    await chipHas(/README\.md/);
  });

  it('adds the output of the last terminal command after asking, and sends it as it was allowed', async () => {
    const { page } = workbench;
    await runFailing(workbench, 'ls nothing-here');
    await page.locator('.terminal-wrapper.active .xterm-screen').first().click({ button: 'right' });
    const entry = page.locator('.monaco-menu .action-item', { hasText: 'Explain Terminal Output' });
    await entry.first().waitFor();
    await workbench.screenshot('terminal-menu');
    const last = emulator.requests.at(-1);
    await clickInMenu(entry.first());
    assert.match(await answerDialog('Cancel'), /Command: sleep 1; ls nothing-here\nExit code: 2\n/);
    assert.equal(emulator.requests.at(-1), last);
    chat = await focusChat(workbench);
    await type('Why? @term');
    const option = list().getByRole('option', { name: /terminal/, selected: true });
    await option.getByText('ls nothing-here').waitFor();
    await box().press('Enter');
    await dialog().waitFor();
    await workbench.screenshot('terminal-dialog');
    assert.match(
      await answerDialog('Allow Once'),
      /output of the last terminal command[\s\S]*Command: sleep 1; ls nothing-here\nExit code: 2\n/,
    );
    await chipHas(/Terminal: sleep 1; ls nothing-here/);
    await sendByEnter();
    assert.match(
      lastSent(),
      /^Output of the terminal command sleep 1; ls nothing-here, exit code 2:\n```\nls: .*nothing-here.*\n```\n\nWhy\?/,
    );
    // The last one takes the panel with it.
    await workbench.execute('workbench.action.terminal.killAll');
    chat = await focusChat(workbench);
  });

  it('fits into a narrow side bar', async () => {
    try {
      await workbench.resize(560, 800);
      await type('@');
      await list().waitFor();
      const [width, shown] = await list().evaluate((one) => [one.clientWidth, one.scrollWidth]);
      assert.deepEqual([width > 0, shown], [true, width]);
      await workbench.screenshot('context-narrow');
      await box().press('Escape');
      await box().fill('');
    } finally {
      await workbench.resize(1280, 800);
    }
    if (workbench.takesPictures) await takeDarkPictures();
  });
});

async function takeDarkPictures(): Promise<void> {
  await toggleTheme(workbench, chat);
  await type('@b');
  await workbench.screenshot('context-list-dark');
  await box().press('Enter');
  await chips().first().waitFor();
  await workbench.screenshot('context-chip-dark');
  await clear();
  await toggleTheme(workbench, chat);
}

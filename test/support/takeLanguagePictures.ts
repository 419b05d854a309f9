/** For `npm run pictures -- --language`: the chat, a failure, and a review in a language, for translators. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame } from 'playwright-core';
import { ENGLISH, readTexts, translationOf } from '../../scripts/lib/l10n.mjs';
import { startEmulator } from '../../src/emulator/server.ts';
import { CANARY } from './canary.ts';
import { answerEnded } from './chatDriver.ts';
import { removeFolderSync } from './removeFolder.ts';
import { focusEditor, openFile } from './reviewDriver.ts';
import { copySample } from './takePictures.ts';
import { startWorkbench, type Workbench } from './workbench.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folderOfPictures = join(root, 'test/ui/screenshots');
/** Widths of the chat, in pixels. */
const WIDTHS = [300, 600];
const QUESTION = 'What does nextDeparture return after the last departure of the day?';

interface Stage {
  readonly workbench: Workbench;
  readonly language: string;
  readonly chooseRoute: (name: string) => Promise<void>;
  /** Runs a command by the name of its title in `package.nls.json`. */
  readonly run: (name: string) => Promise<void>;
}

/** Saves the pictures of a language in `test/ui/screenshots`, and returns their paths. */
export async function takeLanguagePictures(language: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'k3-pictures-'));
  copySample(folder);
  const service = { port: 0, route: 'direct', tokensPerSecond: 500 } as const;
  const emulator = await startEmulator({ ...service, key: CANARY });
  const strict = await startEmulator({ ...service, key: 'another key' });
  const settings = {
    'k3.routes': {
      work: { kind: 'direct', baseUrl: emulator.url },
      tools: { kind: 'direct', baseUrl: `${emulator.url}/s/tools` },
      cut: { kind: 'direct', baseUrl: `${emulator.url}/s/truncate` },
      strict: { kind: 'direct', baseUrl: strict.url },
    },
    'editor.minimap.enabled': false,
  };
  try {
    const workbench = await startWorkbench({
      folder,
      language,
      searchForKey: false,
      env: { K3_API_KEY: CANARY },
      settings: { ...settings, 'k3.route': 'work' },
    });
    try {
      const titles = {
        ...readTexts(ENGLISH.manifest),
        ...readTexts(translationOf(ENGLISH.manifest, language)),
      };
      return await takeAll({
        workbench,
        language,
        chooseRoute: (name) => workbench.updateSettings({ ...settings, 'k3.route': name }),
        run: (name) => workbench.runCommand(`K3: ${titles[`command.${name}`]}`),
      });
    } finally {
      await workbench.dispose();
    }
  } finally {
    await emulator.close();
    await strict.close();
    removeFolderSync(folder);
  }
}

async function takeAll(stage: Stage): Promise<readonly string[]> {
  const files: string[] = [];
  const { page } = stage.workbench;
  await openFile(stage.workbench, 'timetable.ts');
  files.push(...(await takeChat(stage, 'empty', await focusChat(stage))));
  files.push(...(await takeChat(stage, 'answer', await ask(stage, 'work'))));
  files.push(...(await takeChat(stage, 'tools', await ask(stage, 'tools'))));
  files.push(...(await takeChat(stage, 'cut', await ask(stage, 'cut'))));
  files.push(...(await takeChat(stage, 'failure', await ask(stage, 'strict'))));
  await stage.chooseRoute('work');
  files.push(await takeReview(stage));
  for (const command of ['addRoute', 'pickTools', 'showUsage', 'editRoutes']) {
    await stage.run(command);
    await page.waitForTimeout(1500);
    files.push(await take(stage, command));
    await page.keyboard.press('Escape');
  }
  return files;
}

const focusChat = async (stage: Stage): Promise<Frame> => {
  await stage.run('focusChat');
  const chat = await stage.workbench.chat();
  await chat.locator('.composer textarea').waitFor();
  return chat;
};

/** Asks in a new conversation, and expands the collapsed parts below the answer. The names of controls are translated. */
async function ask(stage: Stage, route: string): Promise<Frame> {
  await stage.chooseRoute(route);
  await stage.run('newConversation');
  const chat = await focusChat(stage);
  await chat.locator('.composer textarea').fill(QUESTION);
  await chat.locator('.composer textarea').press('Enter');
  await answerEnded(chat);
  await chat
    .locator('.below [aria-expanded="false"]')
    .last()
    .click({ timeout: 2000 })
    .catch(() => undefined);
  return chat;
}

async function takeChat(stage: Stage, name: string, chat: Frame): Promise<readonly string[]> {
  const files: string[] = [];
  await stage.workbench.resize(1280, 1600);
  for (const width of WIDTHS) {
    await widen(stage.workbench, width);
    const frame = await chat.frameElement();
    const file = join(folderOfPictures, `${stage.language}-${name}-${width}.png`);
    await frame.screenshot({ path: file });
    files.push(file);
  }
  await widen(stage.workbench, 300);
  await stage.workbench.resize(1280, 800);
  return files;
}

/** Drags the edge of the side bar. */
async function widen({ page }: Workbench, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('The side bar is closed.');
  await page.mouse.move(box.x + box.width, 300);
  await page.mouse.down();
  await page.mouse.move(box.x + width, 300, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(300);
}

async function takeReview(stage: Stage): Promise<string> {
  const { page } = stage.workbench;
  await openFile(stage.workbench, 'fares.js');
  await focusEditor(stage.workbench);
  await page.keyboard.press('Control+A');
  await stage.run('refactor');
  const box = page.locator('.quick-input-widget:visible input').first();
  await box.fill('use block scope and strict comparisons');
  await box.press('Enter');
  const chat = await stage.workbench.chat();
  await answerEnded(chat);
  await chat.locator('.proposal button').first().click();
  await page.locator('.codelens-decoration a:visible').first().waitFor();
  return take(stage, 'review');
}

const take = ({ workbench, language }: Stage, name: string) => workbench.screenshot(`${language}-${name}`);

/** The steps of `npm run pictures` in the workbench: a question with its answer, and a change under review. */
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmulator } from '../../src/emulator/server.ts';
import { CANARY } from './canary.ts';
import { answerEnded, askQuestion, focusChat } from './chatDriver.ts';
import { removeFolderSync } from './removeFolder.ts';
import { focusEditor, openFile } from './reviewDriver.ts';
import { startWorkbench, type Workbench } from './workbench.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const size = { width: 1280, height: 800 };

/** The folder that `npm start` opens: the workspace of the tests, and a file that the emulator can change. */
export function copySample(folder: string): void {
  for (const name of ['workspace', 'sample'])
    cpSync(join(root, 'test/fixtures', name), folder, { recursive: true });
}

/** Saves the pictures, and returns their paths from the root. */
export async function takePictures(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'k3-pictures-'));
  copySample(folder);
  const emulator = await startEmulator({ port: 0, route: 'direct', key: CANARY, tokensPerSecond: 500 });
  const settings = {
    'k3.routes': { work: { kind: 'direct', baseUrl: emulator.url } },
    'k3.route': 'work',
    'workbench.colorTheme': 'Default Dark Modern',
    'editor.minimap.enabled': false,
  };
  try {
    const workbench = await startWorkbench({
      ...size,
      folder,
      searchForKey: false,
      env: { K3_API_KEY: CANARY },
      settings,
    });
    try {
      return [await pictureOfAnswer(workbench), await pictureOfReview(workbench)];
    } finally {
      await workbench.dispose();
    }
  } finally {
    await emulator.close();
    removeFolderSync(folder);
  }
}

async function pictureOfAnswer(workbench: Workbench): Promise<string> {
  await openFile(workbench, 'timetable.ts');
  const chat = await focusChat(workbench);
  await askQuestion(chat, 'What does nextDeparture return after the last departure of the day?');
  return take(workbench, 'chat');
}

async function pictureOfReview(workbench: Workbench): Promise<string> {
  const { page } = workbench;
  await openFile(workbench, 'fares.js');
  await focusEditor(workbench);
  await page.keyboard.press('Control+A');
  await workbench.runCommand('K3: Refactor…');
  const box = page.locator('.quick-input-widget:visible input').first();
  await box.fill('use block scope and strict comparisons');
  await box.press('Enter');
  const chat = await workbench.chat();
  const answer = await answerEnded(chat);
  await answer.getByRole('button', { name: 'Review', exact: true }).first().click();
  await page.locator('.codelens-decoration a:visible').first().waitFor();
  return take(workbench, 'review');
}

/** Converts a PNG to WebP, which has a third of the size. Playwright itself writes no WebP. */
async function take({ page }: Workbench, name: string): Promise<string> {
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
  const file = `media/${name}.webp`;
  writeFileSync(join(root, file), Buffer.from(data, 'base64'));
  return file;
}

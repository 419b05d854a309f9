/** The steps of `npm run package -- --try`: installs the package in a new profile, and asks the first question as a new user does. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import {
  chromiumSwitches,
  installPackageFile,
  startEditorServer,
  writeSettings,
} from '../../scripts/lib/editorServer.mjs';
import { ENGLISH, languages, readTexts, translationOf } from '../../scripts/lib/l10n.mjs';
import { removeFolderSync } from './removeFolder.ts';

/** @returns the results, one line each */
export async function tryPackage(file: string): Promise<readonly string[]> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'k3-package-'));
  try {
    await writeSettings(dataFolder, {});
    await installPackageFile(dataFolder, file);
    const server = await startEditorServer({ dataFolder, driver: false });
    try {
      const browser = await chromium.launch({
        executablePath: await ensureChromium(),
        args: chromiumSwitches,
      });
      try {
        const page = await openPage(browser, server.url);
        try {
          const found = [await askFirstQuestion(page), await readActivation(page)];
          await page.close();
          for (const language of languages()) found.push(await readLanguage(browser, server.url, language));
          return found;
        } catch (error) {
          await page.screenshot({ path: `${file}.png` }).catch(() => undefined);
          throw error;
        }
      } finally {
        await browser.close();
      }
    } finally {
      await server.stop();
    }
  } finally {
    removeFolderSync(dataFolder);
  }
}

async function openPage(browser: Browser, url: string, language?: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  page.setDefaultNavigationTimeout(90_000);
  // Sets the language as a language pack does.
  if (language !== undefined)
    await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`);
  await page.goto(`${url}/?ew=true`);
  return page;
}

async function openChat(page: Page): Promise<Frame> {
  await page.locator('.part.activitybar .action-label[aria-label^="K3"]').click({ timeout: 90_000 });
  return chatOf(page);
}

/** Checks the translations, because those of a package are in other files than those of a checkout. */
async function readLanguage(browser: Browser, url: string, language: string): Promise<string> {
  const page = await openPage(browser, url, language);
  const name = readTexts(translationOf(ENGLISH.code, language))['Send'] ?? '';
  await (await openChat(page)).getByRole('button', { name, exact: true }).waitFor();
  await page.close();
  return `“Send” in ${language}: “${name}”`;
}

async function askFirstQuestion(page: Page): Promise<string> {
  const chat = await openChat(page);
  await chat.getByRole('button', { name: 'Try the Demo (No Key)' }).click();
  await chat.getByRole('textbox', { name: 'Message' }).fill('What does a stack do?');
  const began = Date.now();
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await chat.locator('article[data-outcome="complete"]').waitFor({ timeout: 60_000 });
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const answer = await chat.locator('article[data-outcome] [data-part="answer"]').innerText();
  if (answer.trim() === '') throw new Error('The answer is empty.');
  return `The first question is answered (${seconds} s, by the demo): “${answer.slice(0, 60).replaceAll(/\s+/g, ' ')}…”`;
}

/** The activation time, as “Developer: Show Running Extensions” shows it. */
async function readActivation(page: Page): Promise<string> {
  await page.keyboard.press('F1');
  const box = page.locator('.quick-input-widget:visible input[type="text"]').first();
  await box.fill('>Developer: Show Running Extensions');
  await page.locator('.quick-input-list .monaco-list-row').first().click();
  const row = page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: 'K3 Chat' });
  await row.waitFor();
  return `K3 Chat: ${(await row.locator('.activation-time').innerText()).trim()}`;
}

async function chatOf(page: Page): Promise<Frame> {
  for (const until = Date.now() + 60_000; Date.now() < until; await page.waitForTimeout(200))
    for (const frame of page.frames()) {
      const isChat = `document.body?.dataset.k3 === 'chat' && !document.querySelector('iframe')`;
      if (await frame.evaluate(isChat).catch(() => false)) return frame;
    }
  throw new Error('The chat did not open.');
}

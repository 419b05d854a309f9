/** A real workbench in a browser, with the extension loaded from the checkout, for interface tests. */
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { startEditorServer, workbenchAddress, writeSettings } from '../../scripts/lib/editorServer.mjs';
import { CANARY } from './canary.ts';
import { createCommands } from './editorCommands.ts';
import { eventually } from './eventually.ts';
import { type PageSearch, searchFolder, searchPage } from './keySearch.ts';
import { openPage, setPagesApart } from './openPage.ts';
import { pickRow } from './quickInput.ts';
import { silenceNetwork } from './quietNetwork.ts';
import { removeFolder } from './removeFolder.ts';
import { holdStill, PAINTED, paintNothing } from './stillPage.ts';
import { THEMES, type ThemeName } from './themes.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const takesPictures = process.env['K3_PICTURES'] !== 'none';
/** An extension that runs commands and changes settings. */
const settingsOfTests = join(checkout, 'test/fixtures/settings');
const readyWithin = 90_000;

export interface WorkbenchOptions {
  /** User settings, in addition to the calm settings. */
  settings?: Record<string, unknown>;
  /** Environment variables of the extension host. An API key has to be `CANARY`, which `dispose` searches for. */
  env?: Record<string, string>;
  /** False for measurements: nothing is searched for the API key. */
  searchForKey?: boolean;
  /** The folder to open; null for an empty window. By default the sample workspace. */
  folder?: string | null;
  extensionPath?: string;
  /** Folders of other extensions to install. */
  extensions?: readonly string[];
  /** False to open the folder in Restricted Mode. */
  trust?: boolean;
  /** The display language of extensions. The editor's own texts stay in English, because it has no language pack. */
  language?: string;
  /** True for measurements: the browser draws as often as it does for users, not half as often. */
  everyFrame?: boolean;
  /** Gives each page of an extension a site and a process of its own, as the desktop editor does. */
  pagesApart?: boolean;
  width?: number;
  height?: number;
}

export interface Workbench {
  page: Page;
  /** Runs a command by its name in the command palette, such as "K3: New Conversation". */
  runCommand(title: string): Promise<void>;
  /**
   * Runs a command by its identifier, and waits for its end. Use this for preparations of a test: the Command Palette takes longer, and
   * takes the focus.
   */
  execute(command: string, ...args: unknown[]): Promise<void>;
  /** Waits for the frame of the chat. Open the view first. */
  chat(): Promise<Frame>;
  /**
   * Saves a screenshot of the window in test/ui/screenshots, unless `K3_PICTURES` is `none`, and returns its path.
   *
   * @param always saves it in any case, because it shows why a test failed
   */
  screenshot(name: string, always?: 'always'): Promise<string>;
  /** Whether `screenshot` saves pictures. If not, nothing has to be changed for them. */
  takesPictures: boolean;
  /** The text of the status bar, including the labels for screen readers. */
  statusBar(): Promise<string>;
  /** Replaces the extension's user settings while the window is open, and waits until they apply. */
  updateSettings(settings: Record<string, unknown>): Promise<void>;
  /**
   * Reloads the window, which restarts the extension host.
   *
   * @param meanwhile called while no window is open
   */
  reload(meanwhile?: () => Promise<unknown>): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** The folder where the extension saves data for all workspaces. */
  globalStorage: string;
  /**
   * Waits until a text is saved and will survive a reload: in a file of an extension, or in the editor's workspace
   * state.
   */
  kept(text: string): Promise<void>;
  /** The output of the server, to find out why something failed. */
  serverLog(): string;
  /** The latest errors of the window and of the extension host, to find out why something failed. */
  errors(): readonly string[];
  /** Calls a function when everything is closed, before the editor's files are removed. */
  beforeRemoval(act: () => void): void;
  /**
   * Closes everything. Rejects if the API key is found outside the editor's secret storage: in a file, in the browser, or
   * in a message.
   */
  dispose(): Promise<void>;
}

export async function startWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const {
    settings = {},
    env = {},
    extensionPath = checkout,
    extensions = [],
    trust = true,
    searchForKey = true,
    width = 1280,
    height = 800,
  } = options;
  const folder = options.folder === undefined ? join(checkout, 'test/fixtures/workspace') : options.folder;
  const dataFolder = await mkdtemp(join(tmpdir(), 'k3-workbench-'));
  const commands = createCommands(join(dataFolder, 'commands'));
  const otherKey = Object.entries(env).find(([name, value]) => /^K3_.*KEY$/.test(name) && value !== CANARY);
  if (searchForKey && otherKey) throw new Error(`${otherKey[0]}: tests use the key CANARY (canary.ts)`);
  const opened: Array<() => Promise<unknown>> = [];
  const beforeRemoval: Array<() => void> = [];
  let search: PageSearch | undefined;
  const dispose = async () => {
    const places = [...((await search?.end()) ?? [])];
    await Promise.allSettled(opened.splice(0).map((close) => close()));
    if (search !== undefined) {
      places.push(...(await searchFolder(dataFolder)));
      if (folder?.startsWith(tmpdir())) places.push(...(await searchFolder(folder)));
    }
    for (const act of beforeRemoval.splice(0)) act();
    await removeFolder(dataFolder).catch(() => undefined);
    if (places.length > 0)
      throw new Error(`The API key is outside the secret storage:\n${places.join('\n')}`);
  };
  try {
    const theme = THEMES[(process.env['K3_THEME'] ?? '') as ThemeName];
    await writeSettings(dataFolder, { ...(theme && { 'workbench.colorTheme': theme }), ...settings });
    await installExtensions(dataFolder, [...extensions, settingsOfTests]);
    const executablePath = await ensureChromium();
    const starting = [
      startEditorServer({
        dataFolder,
        env: { ...env, K3_TEST_COMMANDS: commands.socket },
        trust,
        lean: true,
      }).then((server) => {
        opened.push(() => server.stop());
        return server;
      }),
      openPage(executablePath, {
        viewport: { width, height },
        everyFrame: options.everyFrame ?? false,
        ...(options.pagesApart ? { profile: join(dataFolder, 'browser') } : {}),
      }).then(({ page, close }) => {
        opened.push(close);
        return page;
      }),
    ] as const;
    // If one of them fails to start, the other can be closed only after it has started.
    await Promise.allSettled(starting);
    const [server, page] = await Promise.all(starting);
    const errors: string[] = [];
    const noteError = (text: string) =>
      errors.splice(0, errors.length, ...[...errors, text].slice(-MOST_ERRORS));
    page.on('pageerror', ({ stack = '' }) => noteError(stack));
    // Those of the extension host, too.
    page.on('console', (message) => void (message.type() === 'error' && noteError(message.text())));
    await silenceNetwork(page);
    await holdStill(page);
    if (!takesPictures && !options.everyFrame) await paintNothing(page);
    if (options.pagesApart) await setPagesApart(page, server.url);
    if (options.language !== undefined) {
      // Sets the language as a language pack does.
      await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)};`);
    }
    if (searchForKey) search = await searchPage(page);
    const containers = containerTitles(extensionPath);
    // On a new machine, the first page reads all files from the disk, which takes long.
    page.setDefaultNavigationTimeout(readyWithin);
    page.setDefaultTimeout(60_000);
    await page.goto(
      workbenchAddress(server.url, { ...(folder ? { folder } : {}), extension: extensionPath }),
      { timeout: readyWithin },
    );
    await ready(page, containers, server.log);
    return {
      page,
      runCommand: (title) => runCommand(page, title),
      chat: () => chatFrame(page),
      async screenshot(name, always) {
        const folder = join(checkout, 'test/ui/screenshots');
        const path = join(folder, `${name}.png`);
        if (!takesPictures && always === undefined) return path;
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path, style: PAINTED });
        return path;
      },
      takesPictures,
      statusBar: () => statusBar(page),
      execute: commands.execute,
      async updateSettings(next) {
        await writeFile(`${commands.socket}.json`, JSON.stringify(next));
        await commands.execute('settingsOfTests.apply', next);
      },
      async reload(meanwhile) {
        const address = page.url();
        await commands.forget();
        if (meanwhile === undefined) await page.reload({ timeout: readyWithin });
        else {
          await page.goto('about:blank');
          await meanwhile();
          await page.goto(address, { timeout: readyWithin });
        }
        await ready(page, containers, server.log);
      },
      resize: (w, h) => page.setViewportSize({ width: w, height: h }),
      kept: (text) => kept(page, join(dataFolder, 'data/User'), text),
      globalStorage: join(dataFolder, 'data/User/globalStorage/k3-chat.k3-chat'),
      serverLog: server.log,
      errors: () => errors,
      beforeRemoval: (act) => void beforeRemoval.push(act),
      dispose,
    };
  } catch (error) {
    search = undefined;
    await dispose();
    throw error;
  }
}

const MOST_ERRORS = 4;

/** The editor stores the state of its tabs once a minute, and later on a busy machine. */
const STORED_WITHIN_MS = 150_000;

async function kept(page: Page, folder: string, text: string): Promise<void> {
  /** The times of the last change of files without the text, so that they aren't read again: the history can have megabytes. */
  const searched = new Map<string, number>();
  await eventually(async () => {
    for (const name of await readdir(folder, { recursive: true })) {
      const path = join(folder, name);
      const changed = (await stat(path).catch(() => undefined))?.mtimeMs;
      if (changed === undefined || searched.get(path) === changed) continue;
      const bytes = await readFile(path).catch(() => Buffer.of());
      if (bytes.includes(text)) return;
      searched.set(path, changed);
    }
    if (await isInState(page, text)) return;
    // The editor stores its state only while the window has the focus. After a focused page was removed, no window has the focus.
    const focused = await page.evaluate<boolean>('document.hasFocus() || !!focus()');
    const lack = `Neither a file in ${folder} nor the state of the workspace has the text: ${text}`;
    throw new Error(focused ? lack : `${lack}. The window did not have the focus.`);
  }, STORED_WITHIN_MS);
}

/** A workbench in a browser stores in IndexedDB what the desktop editor stores in state.vscdb. */
function isInState(page: Page, text: string): Promise<boolean> {
  return page.evaluate<boolean>(`(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    for (const { name } of await indexedDB.databases()) {
      if (!name.startsWith('vscode-web-state-db')) continue;
      const database = await done(indexedDB.open(name));
      try {
        for (const store of database.objectStoreNames) {
          const values = await done(database.transaction(store).objectStore(store).getAll());
          if (values.some((value) => String(value).includes(${JSON.stringify(text)}))) return true;
        }
      } finally {
        database.close();
      }
    }
    return false;
  })()`);
}

async function installExtensions(dataFolder: string, folders: readonly string[]): Promise<void> {
  const installed = join(dataFolder, 'extensions');
  await mkdir(installed, { recursive: true });
  for (const folder of folders) {
    const { publisher, name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    await symlink(folder, join(installed, `${publisher}.${name}-${version}`), 'junction');
  }
}

/** Waits until the workbench is loaded and shows the extension's contributions. */
async function ready(page: Page, containers: string[], log: () => string): Promise<void> {
  const parts = ['.monaco-workbench .part.statusbar', ...containers.map(container)];
  for (const part of parts) {
    await page.waitForSelector(part, { state: 'attached', timeout: readyWithin }).catch(() => {
      throw new Error(`The workbench was not ready in time: no ${part}.\n${log().slice(-3000)}`);
    });
  }
}

function container(title: string): string {
  return `.part.activitybar .action-label[aria-label^="${title}"]`;
}

/** The titles of the icons that the extension adds to the Activity Bar. */
function containerTitles(extensionPath: string): string[] {
  const manifest = JSON.parse(readFileSync(join(extensionPath, 'package.json'), 'utf8'));
  const containers: Array<{ title: string }> = manifest.contributes?.viewsContainers?.activitybar ?? [];
  return containers.map(({ title }) => title).filter((title) => !title.startsWith('%'));
}

/** Retries, because the Command Palette closes if a view that opens meanwhile takes the focus. */
export async function runCommand(page: Page, title: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await pickCommand(page, title);
      return;
    } catch (error) {
      if (tries === 4) throw error;
      await page.waitForTimeout(300);
    }
  }
}

async function pickCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('F1');
  await pickRow(page, `>${title}`, title, 8000);
}

async function chatFrame(page: Page, timeout = 60_000): Promise<Frame> {
  const until = Date.now() + timeout;
  while (Date.now() < until) {
    for (const frame of page.frames()) {
      const isChat = await frame
        .evaluate(`document.body?.dataset.k3 === 'chat' && !document.querySelector('iframe')`)
        .catch(() => false);
      if (isChat) return frame;
    }
    await page.waitForTimeout(100);
  }
  const seen = page.frames().map((frame) => frame.url());
  throw new Error(`There is no chat in the window. Its frames: ${seen.join(' · ')}`);
}

function statusBar(page: Page): Promise<string> {
  return page.evaluate<string>(
    `[...document.querySelectorAll('.part.statusbar .statusbar-item')]
      .map((item) => [item.innerText, item.getAttribute('aria-label')].filter(Boolean).join(' | '))
      .join('\\n')`,
  );
}

/**
 * Replaces the desktop editor's executable in a run of extension tests: accepts its switches
 * (--extensionDevelopmentPath, --extensionTestsPath, --user-data-dir, --extensions-dir, a folder or workspace file), and
 * exits with the code of the tests. With K3_TEST_RESTRICTED it starts in Restricted Mode, and with K3_TEST_ALL_EXTENSIONS with all
 * built-in extensions; the module K3_TEST_DRIVER gets the page.
 */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import {
  chromiumSwitches,
  startEditorServer,
  workbenchAddress,
  writeSettings,
} from '../../scripts/lib/editorServer.mjs';
import { underNode24 } from '../../scripts/lib/node24.mjs';
import { Failure, main, tail } from '../../scripts/lib/project.mjs';

/**
 * The size of the page. Drawing it is most of the browser's work, and nobody looks at it. So it is as small as the workbench allows, but
 * with a driver, it has room for the pages of extensions and a dialog, which the driver reads and clicks.
 */
const driven = process.env['K3_TEST_DRIVER'] !== undefined;
const viewport = driven ? { width: 800, height: 600 } : { width: 400, height: 300 };
const startsWithin = 120_000;
const endsWithin = Number(process.env['K3_EDITOR_MINUTES'] ?? 40) * 60_000;

await main(import.meta.url, async () => {
  await underNode24();
  const wanted = switches(process.argv.slice(2));
  const profile = wanted['user-data-dir'];
  const data = profile ? join(profile, 'server') : await mkdtemp(join(tmpdir(), 'k3-vscode-'));
  process.exitCode = await runTests(wanted, data, profile && join(profile, 'User/settings.json')).finally(
    () => rm(data, { recursive: true, force: true, maxRetries: 5 }),
  );
});

function switches(/** @type {string[]} */ args) {
  /** @type {Record<string, string>} */
  const values = {};
  for (const arg of args) {
    const named = /^--([^=]+)=(.*)$/.exec(arg);
    if (named?.[1]) values[named[1]] = named[2] ?? '';
    else if (isAbsolute(arg)) values['folder'] = arg;
  }
  return values;
}

async function runTests(
  /** @type {Record<string, string>} */ wanted,
  /** @type {string} */ dataFolder,
  /** @type {string | undefined} */ settingsFile,
) {
  const { extensionDevelopmentPath: extension, extensionTestsPath: tests, folder } = wanted;
  if (!extension || !tests) {
    throw new Failure(
      'This runs extension tests: give --extensionDevelopmentPath= and --extensionTestsPath=.',
    );
  }
  const settings =
    settingsFile && existsSync(settingsFile) ? JSON.parse(await readFile(settingsFile, 'utf8')) : {};
  // Otherwise, Git would search a repository for each opened file outside of the workspace. Tests open the repositories that they need.
  await writeSettings(dataFolder, { 'git.autoRepositoryDetection': 'subFolders', ...settings });
  const installed = wanted['extensions-dir'];
  if (installed && existsSync(installed))
    await cp(installed, join(dataFolder, 'extensions'), { recursive: true });
  const { chromium } = await import('playwright-core');
  const { silenceNetwork } = await import('./quietNetwork.ts');
  const { holdStill, showOnlyEditors, showOnlyPages } = await import('./stillPage.ts');
  const { withFewerFrames } = await import('./fewerFrames.ts');
  const env = process.env['K3_API_KEY'] ? { K3_API_KEY: process.env['K3_API_KEY'] } : {};
  const trust = process.env['K3_TEST_RESTRICTED'] === undefined;
  const lean = process.env['K3_TEST_ALL_EXTENSIONS'] === undefined;
  const server = await startEditorServer({ dataFolder, env, trust, lean });
  const browser = await chromium.launch({
    ...withFewerFrames(await ensureChromium()),
    args: chromiumSwitches,
  });
  /** @type {string[]} */
  const pageLog = [];
  try {
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    await silenceNetwork(page);
    await holdStill(page);
    await (driven ? showOnlyPages(page) : showOnlyEditors(page));
    return await new Promise((resolve) => {
      let settled = false;
      const end = (/** @type {number} */ code) => {
        settled = true;
        clearTimeout(starting);
        resolve(code);
      };
      const giveUp = (/** @type {string} */ why) => {
        if (settled) return;
        console.error(`${tail(`${server.log()}\n${pageLog.join('\n')}`, 40)}\n\n${why}`);
        end(1);
      };
      const starting = setTimeout(() => giveUp('The tests did not start in time.'), startsWithin);
      setTimeout(() => giveUp('The tests did not end in time.'), endsWithin).unref();
      page.on('console', (message) => pageLog.push(message.text()));
      page.on('crash', () => giveUp('The page of the workbench crashed.'));
      void server.ended.then(() => giveUp('VS Code as a server ended during the tests.'));
      const open = async () => {
        const driver = process.env['K3_TEST_DRIVER'];
        if (driver !== undefined) (await import(driver)).drive(page);
        await page.exposeFunction('codeAutomationLog', (type, args) => {
          clearTimeout(starting);
          const write = type === 'error' || type === 'warn' ? console.error : console.log;
          write(...args);
        });
        await page.exposeFunction('codeAutomationExit', end);
        // On a new machine, the first page reads all files from the disk, which takes long.
        await page.goto(workbenchAddress(server.url, { folder, extension, tests }), {
          timeout: startsWithin,
        });
      };
      open().catch((error) => giveUp(error.message));
    });
  } finally {
    await browser.close().catch(() => undefined);
    await server.stop();
  }
}

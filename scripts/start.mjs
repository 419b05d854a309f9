/**
 * Opens VS Code with the extension loaded from the checkout and connected to the emulator: the desktop editor if there
 * is one and a screen, otherwise VS Code as a server, for any browser on this machine.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { calmSettings, startEditorServer, writeSettings } from './lib/editorServer.mjs';
import { claimProfile } from './lib/profile.mjs';
import { cache, Failure, main, root, say } from './lib/project.mjs';

const profiles = join(cache, 'profile');

const usage = `Usage: npm start

Builds the extension, starts an emulator of the service, and opens VS Code with the extension connected to it.
Press Ctrl+C to end. Conversations and settings are kept for the next start.

K3_CACHE=FOLDER   where VS Code, Node, the profile, and what was built are kept (now ${cache})`;

/** Functions to call at the end, the last one first. @type {Array<() => unknown>} */
const running = [];

await main(import.meta.url, async () => {
  const [unknown] = process.argv.slice(2);
  if (unknown === '--help' || unknown === '-h') return say(usage);
  if (unknown !== undefined) throw new Failure(`Unknown argument: ${unknown}\n\n${usage}`);
  await ensureDependencies();
  await build();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopAll(0));
  try {
    const isDesktop = hasDesktop();
    const folder = ownProfile(isDesktop ? 'desktop' : 'server');
    const file = join(folder, isDesktop ? 'User/settings.json' : 'data/User/settings.json');
    const own = await ownSettings(file);
    // The port of the last start, because routes that the user has added lead to scenarios of that emulator.
    const emulator = (await startEmulator(portIn(own))) ?? (await startEmulator(0));
    if (emulator === undefined) throw new Failure('The emulator did not start; the message above says why.');
    say(`The emulator of the service is at ${emulator.url}`);
    say(
      `For a scenario, add a route with its address and /s/NAME, such as ${emulator.url}/s/truncate, and no API key.`,
    );
    const env = { K3_API_KEY: emulator.key };
    const settings = withOwnSettings(own, {
      'k3.routes': { emulator: { kind: 'direct', baseUrl: emulator.url } },
      'k3.route': 'emulator',
    });
    if (isDesktop) await openDesktop(folder, settings, env);
    else await openServer(folder, settings, env);
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    await stopAll(1);
  }
});

/** Undefined if it doesn't start. */
async function startEmulator(/** @type {number} */ port) {
  const program = join(root, 'dist/emulatorCli.cjs');
  const child = spawn(process.execPath, [program, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(() => child.kill());
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', () => resolve(undefined));
    child.once('error', reject);
  });
  /** @type {{ url: string, key: string } | undefined} */
  return line && JSON.parse(line);
}

function hasDesktop() {
  const screen =
    process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
  const shell = process.platform === 'win32';
  return screen && spawnSync('code', ['--version'], { stdio: 'ignore', shell }).status === 0;
}

/**
 * A copy of the sample files, because accepted hunks must not change the files that tests depend on. Files that the user has
 * changed stay.
 */
async function sampleWorkspace(/** @type {string} */ profile) {
  const folder = join(profile, 'workspace');
  for (const name of ['workspace', 'sample'])
    await cp(join(root, 'test/fixtures', name), folder, { recursive: true, force: false });
  return folder;
}

function ownProfile(/** @type {string} */ name) {
  const { folder, release } = claimProfile(profiles, name);
  running.push(release);
  return folder;
}

/** Uses a separate profile, so that the user's own settings and extensions don't change. */
async function openDesktop(
  /** @type {string} */ data,
  /** @type {object} */ settings,
  /** @type {Record<string, string>} */ env,
) {
  await mkdir(join(data, 'User'), { recursive: true });
  await writeFile(
    join(data, 'User/settings.json'),
    JSON.stringify({ ...calmSettings, ...settings }, undefined, 2),
  );
  const child = spawn(
    'code',
    [
      ...['--wait', '--new-window', '--skip-welcome', '--disable-workspace-trust'],
      `--user-data-dir=${data}`,
      `--extensions-dir=${join(data, 'extensions')}`,
      `--extensionDevelopmentPath=${root}`,
      await sampleWorkspace(data),
    ],
    { env: { ...process.env, ...env }, stdio: 'ignore', shell: process.platform === 'win32' },
  );
  running.push(() => child.kill());
  say('VS Code opens with K3 Chat. Close its window, or press Ctrl+C here, to end.');
  child.once('exit', () => stopAll(0));
}

async function openServer(
  /** @type {string} */ dataFolder,
  /** @type {Record<string, unknown>} */ settings,
  /** @type {Record<string, string>} */ env,
) {
  await writeSettings(dataFolder, settings);
  const workspace = await sampleWorkspace(dataFolder);
  const token = randomBytes(16).toString('hex');
  const server = await startEditorServer({ dataFolder, env, extension: root, token });
  running.push(() => server.stop());
  say(`K3 Chat is at ${server.url}/?tkn=${token}&folder=${encodeURI(workspace)}`);
  say('Open it in a browser; the K3 icon is in the bar at the left. Press Ctrl+C here to end.');
  void server.ended.then(() => stopAll(1));
}

/** The settings of the last start, as the user has changed them. @returns {Promise<Record<string, any>>} */
async function ownSettings(/** @type {string} */ file) {
  return readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
}

/** The port of the emulator at the last start, or 0 for any. */
function portIn(/** @type {Record<string, any>} */ own) {
  return Number(/^http:\/\/127\.0\.0\.1:(\d+)$/.exec(own['k3.routes']?.emulator?.baseUrl)?.[1] ?? 0);
}

/** The settings as the user has changed them, with the route to this emulator added. */
function withOwnSettings(
  /** @type {Record<string, any>} */ own,
  /** @type {Record<string, unknown>} */ settings,
) {
  const routes = { ...own['k3.routes'], .../** @type {object} */ (settings['k3.routes']) };
  return { ...settings, ...own, 'k3.routes': routes };
}

let stopping = false;

async function stopAll(/** @type {number} */ code) {
  if (stopping) return;
  stopping = true;
  for (const stop of running.splice(0).reverse()) await stop();
  process.exit(code);
}

/** Starts VS Code as a server, and creates the addresses that open its workbench in a browser. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureCodeServer } from './codeServer.mjs';
import { ensureNode } from './node24.mjs';
import { Failure, run, tail } from './project.mjs';

/** Settings that turn off everything that asks for attention. */
export const calmSettings = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'update.mode': 'none',
  'telemetry.telemetryLevel': 'off',
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'git.openRepositoryInParentFolders': 'never',
  // To detect open ports, the editor lists all processes of the machine every few seconds. If the server can forward ports, only the
  // second setting turns this off.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
};

/**
 * Built-in extensions that interface tests don't need: those that run a server, are activated when the window opens, or
 * add much to scan.
 */
const leftOutWhenLean = [
  ...['copilot', 'debug-auto-launch', 'debug-server-ready', 'emmet', 'extension-editing', 'github'],
  ...['github-authentication', 'grunt', 'gulp', 'jake', 'mermaid-markdown-features'],
  ...['microsoft-authentication', 'ms-vscode.js-debug', 'ms-vscode.js-debug-companion'],
  ...['ms-vscode.vscode-js-profile-table', 'notebook-renderers', 'npm', 'php-language-features'],
  ...['css-language-features', 'html-language-features', 'json-language-features', 'simple-browser'],
  ...['terminal-suggest', 'tunnel-forwarding', 'typescript-language-features'],
  // Languages and themes that no test uses: they are read by the server, the window, and the extension host at each start.
  ...['clojure', 'coffeescript', 'dart', 'fsharp', 'groovy', 'handlebars', 'hlsl', 'julia', 'latex', 'less'],
  ...['lua', 'objective-c', 'perl', 'php', 'pug', 'r', 'razor', 'restructuredtext', 'ruby', 'scss'],
  ...['shaderlab', 'swift', 'vb', 'theme-abyss', 'theme-kimbie-dark', 'theme-monokai'],
  ...['theme-monokai-dimmed', 'theme-quietlight', 'theme-red', 'theme-solarized-dark'],
  ...['theme-solarized-light', 'theme-tomorrow-night-blue'],
];

/** Writes the user settings: the calm settings, overridden by these. */
export async function writeSettings(
  /** @type {string} */ dataFolder,
  /** @type {Record<string, unknown>} */ settings,
) {
  const folder = join(dataFolder, 'data/User');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'settings.json'),
    `${JSON.stringify({ ...calmSettings, ...settings }, undefined, 2)}\n`,
  );
}

/**
 * @param {{ dataFolder: string, env?: NodeJS.ProcessEnv, trust?: boolean, port?: number, extension?: string, token?: string, lean?: boolean, driver?: boolean }} options
 * `trust`: whether every folder is trusted (the default); with false the editor starts in Restricted Mode.
 * `extension`: the checkout, to load as an installed extension. Without it, the editor runs under its test driver,
 * which takes development extensions from the address and shows no notifications.
 * `driver`: with false, there is no test driver without `extension` either.
 * `token`: the required value of `tkn` in addresses, so that other users of the machine can't open this editor.
 * `lean`: leaves out built-in extensions for other languages and tools.
 * @returns {Promise<import('./editorServer.mjs').EditorServer>}
 */
export async function startEditorServer(options) {
  const { dataFolder, env = {}, trust = true, port = 0, extension, token, lean = false } = options;
  const { driver = extension === undefined } = options;
  const { vscode, nodeMajor } = await ensureCodeServer();
  const node = await ensureNode(nodeMajor);
  const extensions = join(dataFolder, 'extensions');
  if (extension !== undefined) await installExtension(extensions, extension);
  mkdirSync(extensions, { recursive: true });
  const child = spawn(
    node,
    [
      join(vscode, 'out/server-main.js'),
      ...['--host', '127.0.0.1', '--port', String(port)],
      ...['--accept-server-license-terms'],
      ...(token === undefined ? ['--without-connection-token'] : ['--connection-token', token]),
      ...(driver ? ['--enable-smoke-test-driver'] : []),
      ...['--telemetry-level', 'off'],
      // Everything is on one machine, where compressing messages takes longer than sending them.
      '--disable-websocket-compression',
      ...(trust ? ['--disable-workspace-trust'] : []),
      ...(lean ? ['--builtin-extensions-dir', await leanExtensions(vscode, dataFolder)] : []),
      ...['--server-data-dir', dataFolder, '--extensions-dir', extensions],
    ],
    { env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const abandon = () => child.kill('SIGKILL');
  process.once('exit', abandon);
  let log = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  void ended.then(() => process.off('exit', abandon));
  const url = await new Promise((resolve, reject) => {
    const fail = () => reject(new Failure(`${tail(log)}\n\nVS Code as a server did not start.`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail();
    }, 60_000);
    const read = (/** @type {Buffer} */ data) => {
      log = (log + data).slice(-200_000);
      const listening = /Extension host agent listening on (\d+)/.exec(log);
      if (!listening) return;
      clearTimeout(timer);
      resolve(`http://127.0.0.1:${listening[1]}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', fail);
    child.once('close', () => {
      clearTimeout(timer);
      fail();
    });
  });
  return {
    url,
    ended,
    log: () => log,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
        await ended;
        clearTimeout(timer);
      }
    },
  };
}

/**
 * Installs a package as `code --install-extension` does.
 * @param {string} dataFolder as for `startEditorServer`
 * @param {string} file
 */
export async function installPackageFile(dataFolder, file) {
  const { vscode, nodeMajor } = await ensureCodeServer();
  const { code, output } = await run(
    await ensureNode(nodeMajor),
    [
      ...[join(vscode, 'out/server-main.js'), '--accept-server-license-terms', '--install-extension', file],
      ...['--server-data-dir', dataFolder, '--extensions-dir', join(dataFolder, 'extensions')],
    ],
    { env: cleanEnvironment(), quiet: true },
  );
  if (code !== 0 || !/successfully installed/.test(output))
    throw new Failure(`${tail(output)}\n\nThe package was not installed.`);
}

/** Creates a folder with links to the built-in extensions, except those that are left out. */
async function leanExtensions(/** @type {string} */ vscode, /** @type {string} */ dataFolder) {
  const all = join(vscode, 'extensions');
  const folder = join(dataFolder, 'builtin');
  await mkdir(folder, { recursive: true });
  const names = (await readdir(all)).filter(
    (name) => existsSync(join(all, name, 'package.json')) && !leftOutWhenLean.includes(name),
  );
  await Promise.all(names.map((name) => symlink(join(all, name), join(folder, name), 'junction')));
  return folder;
}

/** Recreates a folder of extensions with a link to the checkout. The server only reads the folder when it starts. */
async function installExtension(/** @type {string} */ folder, /** @type {string} */ checkout) {
  const { publisher, name, version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await symlink(checkout, join(folder, `${publisher}.${name}-${version}`), 'junction');
}

/**
 * Returns the address of the workbench with a folder or workspace file, a development extension, and, for a test run, its tests.
 * @param {string} url
 * @param {{ folder?: string, extension: string, tests?: string }} options
 */
export function workbenchAddress(url, { folder, extension, tests }) {
  const remote = (/** @type {string} */ path) => `vscode-remote://${new URL(url).host}${encodeURI(path)}`;
  const payload = [
    ['extensionDevelopmentPath', remote(extension)],
    ...(tests ? [['extensionTestsPath', remote(tests)]] : []),
    ['skipWelcome', 'true'],
  ];
  const query = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
  if (!folder) return `${url}/?ew=true&${query}`;
  const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
  return `${url}/?${kind}=${encodeURI(folder)}&${query}`;
}

/** Switches to run Chromium without a screen and without prompts. */
export const chromiumSwitches = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The environment without the variables that an editor sets for its child processes. */
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_COMPILE_CACHE$|npm_|K3_API_KEY$|K3_GATEWAY_API_KEY$)/.test(
          name,
        ),
    ),
  );
}

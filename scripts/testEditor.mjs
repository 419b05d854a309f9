/**
 * Runs the tests in the extension host of a real VS Code. Arguments: --grep and a name; --hostile runs only the tests with the
 * hostile workspaces. With K3_VSCODE=download the desktop editor is downloaded and used; otherwise VS Code comes from the npm
 * registry and runs in a browser.
 */
import { createWriteStream, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { writeAuthority } from '../test/support/authority.mjs';
import { prepareHostileWorkspaces } from '../test/support/hostile/workspaces.mjs';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJobs } from './lib/jobs.mjs';
import { ensureMcpServer } from './lib/mcpServer.mjs';
import { underNode24 } from './lib/node24.mjs';
import { packageInto, unpackInto } from './lib/packaging.mjs';
import { Failure, main, root } from './lib/project.mjs';
import { conclude, counted, reporter } from './lib/suites.mjs';
import { setup } from './setup.mjs';

/** The extension as users install it. The tests run this folder, not the checkout. */
const packaged = join(root, 'dist/test/package/extension');

/**
 * The tests are in the folder of the extension. Files elsewhere get another API object, and replacing its functions has no effect on the
 * extension.
 */
const compiled = join(packaged, 'test');

/** The number of extension hosts that the files are distributed to when no test is selected. */
const parts = 2;

/** Running up to this number of files takes less time than starting a second extension host. */
const FEW_FILES = 8;

const proxyVariables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];
/**
 * @typedef {{ workspace: string, env?: Record<string, string>, close?: () => Promise<void> }} Stage
 * What the editor opens, and variables for its tests.
 * @typedef {(profile: string) => Promise<Stage>} Prepare creates it in the folder of the run
 */

/**
 * Each job runs its files in one extension host. With `live`, the output is printed as it arrives. With `files`, only those run.
 * @param {string[]} args @param {{ live?: boolean, files?: readonly string[] }} [options]
 */
export function editorJobs(args = [], { live = false, files } = {}) {
  const onlyHostile = args.includes('--hostile');
  const grep = grepOf(args.filter((arg) => arg !== '--hostile'));
  const count = grep !== '' || (files !== undefined && files.length < FEW_FILES) ? 1 : parts;
  /** @type {Promise<unknown> | undefined} */
  let compiling;
  const createJob = (
    /** @type {{ name: string, seconds: number, part: string, prepare: Prepare }} */ {
      name,
      seconds,
      part,
      prepare,
    },
  ) => ({
    suite: 'Editor tests',
    name,
    seconds,
    async run() {
      compiling ??= unpackPackage().then(compile);
      await compiling;
      return counted(name, runInEditor({ grep, live, part, files, prepare }));
    },
  });
  const hostile = createJob({
    name: 'Editor tests, hostile workspaces',
    seconds: 60,
    part: 'hostile',
    // If only these tests run, the workspaces are opened with all extensions that could run their code.
    prepare: (profile) => prepareHostileWorkspaces(profile, { allExtensions: onlyHostile }),
  });
  if (onlyHostile) return [hostile];
  const others = Array.from({ length: count }, (_, part) =>
    createJob({
      name: `Editor tests, part ${part + 1} of ${count}`,
      seconds: 200,
      part: `${part}/${count}`,
      prepare: copyWorkspace,
    }),
  );
  return grep === '' && files === undefined ? [...others, hostile] : others;
}

/** Copies the sample workspace, because tests write into it, and a test that is aborted doesn't clean up. */
async function copyWorkspace(/** @type {string} */ profile) {
  const workspace = join(profile, 'workspace');
  await cp(join(root, 'test/fixtures/workspace'), workspace, { recursive: true });
  return { workspace };
}

/** Makes a package of the built files, and unpacks it. */
async function unpackPackage() {
  const file = join(root, 'dist/test/package/k3-chat.vsix');
  await mkdir(join(root, 'dist/test/package'), { recursive: true });
  await packageInto(file, root);
  await unpackInto(packaged, file);
}

/**
 * Bundles the module that runs the tests, and all test files together, so that shared code is loaded once and all files use the same
 * service of `scripted.ts`. The part of a test file runs when mocha loads the file.
 */
async function compile() {
  const { build: bundle } = await import('esbuild');
  await rm(compiled, { recursive: true, force: true });
  const tests = join(root, 'test/editor');
  const files = (await readdir(tests, { recursive: true }))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => file.replaceAll('\\', '/'));
  const options = /** @type {const} */ ({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.17',
    external: ['mocha'],
    plugins: [editorApi],
    // As in esbuild.mjs.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    logLevel: 'warning',
  });
  const parts = files.map((file) => `${JSON.stringify(file)}: () => require(${JSON.stringify(`./${file}`)})`);
  await Promise.all([
    bundle({
      ...options,
      entryPoints: [join(root, 'test/support/editorRun.ts')],
      outfile: join(compiled, 'index.cjs'),
    }),
    bundle({
      ...options,
      stdin: { contents: `module.exports = {\n${parts.join(',\n')}\n};`, resolveDir: tests },
      outfile: join(compiled, 'all.cjs'),
    }),
  ]);
  for (const file of files) {
    const path = join(compiled, file.replace(/ts$/, 'cjs'));
    await mkdir(dirname(path), { recursive: true });
    const all = `${'../'.repeat(file.split('/').length - 1) || './'}all.cjs`;
    await writeFile(path, `require('${all}')[${JSON.stringify(file)}]();\n`);
  }
}

/**
 * The API object of the extension under test, so that tests can replace its functions. The extension is an ES module. Up to VS
 * Code 1.103, `require` returns another object than `import`, so only the module that runs the tests imports it.
 * @type {import('esbuild').Plugin}
 */
const editorApi = {
  name: 'editor API',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ kind }) =>
      kind === 'dynamic-import'
        ? { path: 'vscode', external: true }
        : { path: join(root, 'test/support/editorApi.cjs') },
    );
  },
};

function runInEditor(
  /** @type {{ grep: string, live: boolean, part: string, files: readonly string[] | undefined, prepare: Prepare }} */ {
    grep,
    live,
    part,
    files,
    prepare,
  },
) {
  return async (/** @type {string} */ countsFile) => {
    const { runTests } = await import('@vscode/test-electron');
    const profile = await mkdtemp(join(tmpdir(), 'k3-editor-'));
    const output = join(profile, 'output.txt');
    await writeFile(output, '');
    const { workspace, env = {}, close = async () => undefined } = await prepare(profile);
    const extensions = join(profile, 'extensions');
    await mkdir(extensions);
    await symlink(
      join(root, 'test/fixtures/otherChat'),
      join(extensions, 'k3-chat-test.other-chat-1.0.0'),
      'junction',
    );
    const authority = await writeAuthority(profile);
    const results = () => (live ? '' : readFileSync(output, 'utf8'));
    const stopPrinting = live ? printAppended(output) : () => undefined;
    const editorLog = join(root, `dist/test/editor-${part.replace('/', '-of-')}.log`);
    const log = createWriteStream(editorLog);
    delete process.env['K3_API_KEY'];
    delete process.env['K3_GATEWAY_API_KEY'];
    const download = process.env['K3_VSCODE'] === 'download';
    try {
      const code = await runTests({
        ...(download ? {} : { vscodeExecutablePath: join(root, 'test/support/vscode') }),
        extensionDevelopmentPath: packaged,
        extensionTestsPath: join(compiled, 'index.cjs'),
        launchArgs: [workspace, `--user-data-dir=${profile}`, `--extensions-dir=${extensions}`],
        extensionTestsEnv: {
          ...env,
          K3_TEST_COUNTS: countsFile,
          K3_TEST_PACKAGE: packaged,
          K3_TEST_GREP: grep,
          K3_TEST_PART: part,
          ...(files === undefined ? {} : { K3_TEST_FILES: JSON.stringify(files) }),
          K3_TEST_MCP_SERVER: await ensureMcpServer(),
          K3_TEST_AUTHORITY: authority.certFile,
          // OpenSSL uses this file as the certificates of the system, so that tests don't have to change those of the computer.
          SSL_CERT_FILE: authority.certFile,
          // Empty, because the editor would use these variables where a test has set no proxy.
          ...Object.fromEntries(proxyVariables.map((name) => [name, ''])),
          K3_TEST_OUTPUT: output,
          K3_TEST_REPORTER: reporter,
          ...(process.env['K3_TEST_SOAK'] ? { K3_TEST_SOAK: '1' } : {}),
        },
        stdout: log,
        stderr: log,
      });
      return { code, output: results() };
    } catch (error) {
      stopPrinting();
      const message = error instanceof Error ? error.message : error;
      const where = `${message} What the editor itself said: ${relative(root, editorLog)}\n`;
      return { code: 1, output: `${results()}${where}` };
    } finally {
      stopPrinting();
      log.end();
      await close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}

/** Prints what is appended to a file. Returns a function that stops it. */
function printAppended(/** @type {string} */ file) {
  let printed = 0;
  const more = () => {
    const text = readFileSync(file);
    process.stdout.write(text.subarray(printed));
    printed = text.length;
  };
  const timer = setInterval(more, 200);
  let printing = true;
  return () => {
    if (printing) more();
    printing = false;
    clearInterval(timer);
  };
}

function grepOf(/** @type {string[]} */ args) {
  if (args.length === 0) return '';
  if (args.length === 2 && /^(-g|--grep)$/.test(args[0] ?? '')) return args[1] ?? '';
  throw new Failure('The editor tests take --hostile, --grep and a name, or no argument.');
}

await main(import.meta.url, async () => {
  // A run in the desktop editor doesn't need VS Code from the npm registry, which isn't available on Windows.
  await (process.env['K3_VSCODE'] === 'download' ? ensureDependencies() : setup());
  await underNode24();
  const args = process.argv.slice(2);
  // A run of all tests uses the programs that users install. A run with arguments uses a faster build.
  await build(args.length === 0 ? { smaller: true } : {});
  conclude(await runJobs(editorJobs(args, { live: args.length > 0 }), { remember: args.length === 0 }));
});

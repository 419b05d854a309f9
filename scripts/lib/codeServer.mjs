/** Installs a complete VS Code from the npm registry: the package code-server contains the server and the workbench. */
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fetched, installPackage } from './fetched.mjs';
import { Failure, npm } from './project.mjs';

/** 4.139.1 contains VS Code 1.139.1. Set K3_CODE_SERVER to test with another version, such as 4.103.2. */
const version = process.env['K3_CODE_SERVER'] || '4.139.1';

/** Returns the folder lib/vscode of code-server, and the major version of Node that it needs. */
export async function ensureCodeServer() {
  if (process.platform === 'win32') {
    throw new Failure(
      'VS Code as a server is not available on Windows. Use the desktop editor: K3_VSCODE=download for tests.',
    );
  }
  const folder = await fetched(
    `code-server-${version}`,
    `Getting VS Code (code-server ${version}, about 600 MB on disk) …`,
    async (part) => {
      await installPackage(part, `code-server@${version}`);
      const vscode = join(part, 'node_modules/code-server/lib/vscode');
      for (const inner of [vscode, join(vscode, 'extensions')]) {
        if (!existsSync(join(inner, 'package.json'))) continue;
        await npm(
          ['install', '--ignore-scripts', '--omit=dev'],
          inner,
          `the parts of code-server ${version}`,
        );
      }
    },
  );
  const vscode = join(folder, 'node_modules/code-server/lib/vscode');
  await addRipgrep(vscode);
  const { engines } = JSON.parse(
    await readFile(join(folder, 'node_modules/code-server/package.json'), 'utf8'),
  );
  // With a later Node than its own, the server responds but its extension host never does.
  const nodeMajor = /\d+/.exec(engines?.node)?.[0] ?? '24';
  return { vscode, nodeMajor };
}

/** Older versions get ripgrep, which searches files, with an install script. It comes from a later package instead. */
async function addRipgrep(/** @type {string} */ vscode) {
  const older = join(vscode, 'node_modules/@vscode/ripgrep');
  if (!existsSync(older) || existsSync(join(older, 'bin'))) return;
  const name = '@vscode/ripgrep-universal';
  const folder = await fetched('ripgrep', 'Getting ripgrep …', (part) =>
    installPackage(part, `${name}@1.18.0`),
  );
  const programs = join(folder, 'node_modules', name, 'bin', `${process.platform}-${process.arch}`);
  await symlink(programs, join(older, 'bin'), 'junction');
}

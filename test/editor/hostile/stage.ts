/** The hostile workspaces as the tests see them: their folders, the thief's server, and what the chat shows. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Delta, until } from '../scripted.ts';

/** The key in secret storage. */
export const KEY = 'canary-4f1d9b27c0a85e63';
/** The key in the environment, which `startScripted` sets. */
const ENVIRONMENT_KEY = 'key-of-a-test';

const variable = (name: string) => process.env[name] ?? '';

/** The address of the thief's server, as host and port. */
export const thief = variable('K3_TEST_THIEF');
export const profile = variable('K3_TEST_PROFILE');

/** All bytes that the thief's server received, with a mark for each connection. */
export const heard = () => readFileSync(variable('K3_TEST_HEARD')).toString('latin1');

/** Says who connected to the thief's server and what was asked first, if anything was heard after a number of bytes. */
export function assertHeardNothing(from = 0): void {
  const more = heard().slice(from);
  const heads = more.split('<connection>').map((text) => text.split('\r\n')[0]);
  const key = bytesOfKeysIn(more);
  assert.ok(more === '', `the thief heard ${heads.join('; ')} and ${key} bytes of the key`);
}

/** The number of connections to the thief's server, each of which would carry a request. */
export const heardRequests = () => heard().split('<connection>').length - 1;

/** The number of bytes of a key in what the thief's server received, plain or in Base64. */
export const heardOfKeys = () => bytesOfKeysIn(heard());

function bytesOfKeysIn(text: string): number {
  const forms = [KEY, ENVIRONMENT_KEY].flatMap((key) => [key, Buffer.from(key).toString('base64')]);
  return forms.reduce((sum, form) => sum + (text.split(form).length - 1) * form.length, 0);
}

/** What a page of the chat shows, see test/support/hostile/driver.mjs. */
interface Shown {
  readonly text: string;
  /** The values of attributes that load something. */
  readonly loads: readonly string[];
  /** Where its links lead. */
  readonly links: readonly string[];
}

/** The pages of the chat. The last ones are kept while the file is being written. */
export function chatPages(): readonly Shown[] {
  try {
    pages = JSON.parse(readFileSync(variable('K3_TEST_CHAT_PAGE'), 'utf8'));
  } catch {}
  return pages;
}

let pages: readonly Shown[] = [];

export const untilShown = (end: string) =>
  until(() => chatPages().some(({ text }) => text.includes(end)), 60_000);

export function folders(): readonly vscode.WorkspaceFolder[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  assert.ok(all.length > 0);
  return all;
}

export function pathIn(folder: string, name = ''): string {
  const found = folders().find((one) => one.name === folder);
  assert.ok(found, `there is no folder ${folder}`);
  return join(found.uri.fsPath, name);
}

/** The files of a folder with hashes of their contents; links with where they lead. */
export function contentsOf(folder: string): Readonly<Record<string, string>> {
  const files = globSync('**/{*,.*}', { cwd: folder }).concat(globSync('**/.*/**/*', { cwd: folder }));
  return Object.fromEntries([...new Set(files)].sort().map((name) => [name, contentOf(join(folder, name))]));
}

function contentOf(path: string): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!stat.isFile()) return 'folder';
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Reads the files of a folder. Returns a function that makes them what they were. Links are left alone. */
export function keepFiles(folder: string): () => void {
  const kept = filesIn(folder);
  return () => {
    for (const [path, bytes] of filesIn(folder)) {
      const before = kept.get(path);
      if (before === undefined) rmSync(path);
      else if (!before.equals(bytes)) writeFileSync(path, before);
    }
    for (const [path, bytes] of kept) if (!existsSync(path)) writeFileSync(path, bytes);
  };
}

const filesIn = (folder: string): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]),
  );

let calls = 0;

/** A piece of a response that calls tools. */
export function callsOf(...all: readonly (readonly [string, object])[]): Delta {
  const toCall = ([name, args]: readonly [string, object], index: number) => {
    const id = `call-${++calls}`;
    return { index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  };
  return { calls: all.map(toCall) };
}

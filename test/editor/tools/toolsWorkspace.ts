/** A workspace folder with files that tools may and may not read, and the toolbox of a conversation. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, before, beforeEach } from 'mocha';
import * as vscode from 'vscode';
import type { Toolbox, ToolResult } from '../../../src/conversation/toolCalls/tools.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { type Asking, watchModals } from '../modals.ts';
import { type Scripted, startScripted, startStream, until, writeDelta } from '../scripted.ts';

export const SECRET = 'OUTSIDE-THE-WORKSPACE-1234';
export const HIDDEN = 'HIDDEN-KEY-5678';

/** A folder in which there are more folders above than above the workspace. */
const NESTED = 'nested/'.repeat(30);

export let scripted: Scripted;
export let root: string;
export let made: string;
export let outside: string;
export let asked: Asking;
export let toolbox: Toolbox;
let calls = 0;

export const pathOf = (name: string) => `${basename(made)}/${name}`;

export async function call(name: string, args: Record<string, unknown>, box = toolbox): Promise<ToolResult> {
  return box.run({ id: `c${++calls}`, name, arguments: args }, new AbortController().signal);
}

export const textOf = async (name: string, args: Record<string, unknown>) => (await call(name, args)).text;

/** Registers the hooks. Call it in a `describe`. */
export function aroundTools(): void {
  before(async () => {
    scripted = await startScripted();
    // Starts an answer that doesn't end, because tools are called while a turn runs.
    scripted.will((response) => {
      startStream(response);
      writeDelta(response, { reasoning: 'Let me look.' });
    });
    const { conversations } = scripted;
    const begun = await conversations.ask(conversations.current().id, {
      text: 'Ready?',
      images: [],
      origin: undefined,
    });
    assert.ok(begun.ok);
    await until(() => conversations.find(begun.turnId)?.turn.reasoning);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = await realpath(folder.uri.fsPath);
    made = await mkdtemp(join(root, 'tools-'));
    outside = await realpath(await mkdtemp(join(tmpdir(), 'k3-outside-')));
    await mkdir(join(outside, 'deep'));
    for (const file of ['secret.txt', 'deep/secret.txt']) await writeFile(join(outside, file), SECRET);
    const files = {
      '.gitignore': 'built/\n*.log\n',
      '.env': `KEY=${HIDDEN}`,
      'a.log': HIDDEN,
      'built/out.txt': HIDDEN,
      '.git/config': `url = https://reader:${HIDDEN}@example.com`,
      'docs/readme.md': 'Open to all.\n',
      'one.txt': 'one\ntwo\nthree\n',
      'src/bell.ts': 'export const ring = 1;\nexport const ringing = ring;\n',
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(made, path, '..'), { recursive: true });
      await writeFile(join(made, path), text);
    }
    await symlink(join(outside, 'secret.txt'), join(made, 'file-link'));
    await symlink(outside, join(made, 'folder-link'));
    await symlink('file-link', join(made, 'chain-1'));
    await symlink('chain-1', join(made, 'chain-2'));
    await symlink('folder-link/deep', join(made, 'chain-folder'));
    await symlink(join(outside, 'not-there.txt'), join(made, 'dangling'));
    await symlink(relative(made, outside), join(made, 'up-link'));
    await symlink(join(outside, 'deep/..'), join(made, 'turning-link'));
    await mkdir(join(made, NESTED), { recursive: true });
    await symlink(NESTED, join(made, 'nested-link'));
    // No rules of Git apply to it.
    await symlink(join(made, NESTED), `${made}-link`);
    await symlink('.env', join(made, 'plain-name'));
    await symlink('../.git/config', join(made, 'docs/remote.txt'));
    await symlink('../a.log', join(made, 'docs/notes.md'));
    await symlink('../built', join(made, 'docs/folder'));
    asked = watchModals();
    const box = scripted.tools.toolboxOf(scripted.conversations.current().id);
    assert.ok(box);
    toolbox = box;
  });

  after(async () => {
    asked.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await scripted.close();
    await unlink(`${made}-link`);
    await removeFolder(made);
    await removeFolder(outside);
  });

  beforeEach(() => {
    asked.answer = undefined;
    asked.meanwhile = undefined;
    asked.titles.length = 0;
    asked.focused.length = 0;
    asked.details.length = 0;
  });
}

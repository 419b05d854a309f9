/** A workbench with a chat, a service, and a folder of files in Git, to review proposals in. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { answerInput } from './answerInput.ts';
import { CANARY } from './canary.ts';
import { answerEnded, focusChat, newConversation, outcomeOf, startAnswer } from './chatDriver.ts';
import { removeFolderSync } from './removeFolder.ts';
import { hunksAre, openFile, runOnAll, saveUntil } from './reviewDriver.ts';
import { startWorkbench, type Workbench } from './workbench.ts';

const KEY = CANARY;

export interface ReviewWorkbench {
  readonly workbench: Workbench;
  /** The service of the route `plain`. */
  readonly emulator: Emulator;
  /** The settings at the start. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The open folder. */
  readonly folder: string;
  /** Runs Git in the folder. */
  git(...args: string[]): void;
  /** The current chat. A reload replaces it. */
  chat(): Frame;
  /** @param before called before the chat is opened */
  reload(before?: () => Promise<void>): Promise<void>;
  /** The current content of a file on disk. */
  bytesOf(name: string): string;
  /** Saves the active file and waits until the file on disk has this content. */
  saveAndCheck(name: string, expected: string | RegExp, when?: string): Promise<void>;
  /** The proposal of a file in the chat. */
  group(file: string): Locator;
  /** Starts a new conversation and opens a file. */
  startAnew(name: string): Promise<void>;
  /** Runs a command on the complete open file, enters text when the command asks for it, and waits for the answer. */
  ask(command: string, words?: string): Promise<void>;
  /** Gets a proposal with three hunks for a file, in a new conversation. */
  refactor(name: string, words?: string): Promise<void>;
  close(): Promise<void>;
}

export interface ReviewOptions {
  /** Texts by file name; they are committed. */
  files(folder: string): Readonly<Record<string, string>>;
  /** In addition to `plain`, which is the one in use. */
  readonly routes: Readonly<Record<string, unknown>>;
  readonly extensions: readonly string[];
  /** Settings of the editor. */
  readonly editor: Readonly<Record<string, unknown>>;
  /** Called before the chat is opened for the first time. */
  beforeChat(workbench: Workbench): void;
}

export async function openReviewWorkbench(options: ReviewOptions): Promise<ReviewWorkbench> {
  const { files, routes, extensions, editor, beforeChat } = options;
  const folder = mkdtempSync(join(tmpdir(), 'k3-review-'));
  const git = (...args: string[]) => void execFileSync('git', args, { cwd: folder });
  for (const [name, text] of Object.entries(files(folder))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'reader@example.com');
  git('config', 'user.name', 'Reader');
  git('add', '.');
  git('commit', '-qm', 'feat: add up lists');
  const emulator = await startEmulator({ port: 0, route: 'direct', key: KEY, tokensPerSecond: 4000 });
  const settings = {
    'k3.routes': { plain: { kind: 'direct', baseUrl: emulator.url }, ...routes },
    'k3.route': 'plain',
  };
  const workbench = await startWorkbench({
    folder,
    width: 1280,
    height: 1000,
    extensions,
    env: { K3_API_KEY: KEY },
    settings: { ...settings, ...editor },
  });
  beforeChat(workbench);
  let chat = await focusChat(workbench);

  const bytesOf = (name: string) => readFileSync(join(folder, name), 'utf8');

  const review: ReviewWorkbench = {
    workbench,
    emulator,
    settings,
    folder,
    git,
    chat: () => chat,
    async reload(before) {
      await workbench.reload();
      await before?.();
      chat = await focusChat(workbench);
    },
    bytesOf,
    async saveAndCheck(name, expected, when) {
      await saveUntil(workbench, () => {
        if (typeof expected === 'string') assert.equal(bytesOf(name), expected, when);
        else assert.match(bytesOf(name), expected, when);
      });
    },
    group: (file) => chat.getByRole('group', { name: `Proposal, ${file}`, exact: true }).last(),
    async startAnew(name) {
      chat = await newConversation(workbench);
      await openFile(workbench, name);
    },
    async ask(command, words) {
      await startAnswer(chat, async () => {
        const run = () => runOnAll(workbench, command);
        if (words === undefined) await run();
        else await answerInput(workbench, 'Refactor', run, { text: words });
      });
      assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    },
    async refactor(name, words = '') {
      await review.startAnew(name);
      await review.ask('K3: Refactor…', words);
      await hunksAre(workbench, 3);
    },
    async close() {
      await workbench.dispose();
      await emulator.close();
      removeFolderSync(folder);
    },
  };
  return review;
}

/**
 * The instructions of the project for the next message of a conversation: those that the message box shows, and those that
 * are sent. One function reads both, so they differ only if a file has changed in between.
 */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import type { Exchange } from '../../conversation/conversation.ts';
import type { Question } from '../../conversation/question.ts';
import { dueInstructions, filesOf, sentInstructions } from '../../instructions/dueInstructions.ts';
import type { FoundInstructions } from '../../instructions/findInstructions.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { createThrottle } from '../base/throttle.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Composers } from './composers.ts';

export interface Instructions extends vscode.Disposable {
  /**
   * The instructions that go with a question that follows these exchanges. None when they can't be read.
   *
   * @param leavesOut whether the question leaves them out; by default, as chosen for the conversation
   */
  due(
    conversationId: string,
    earlier: readonly Exchange[],
    question: Question,
    leavesOut?: boolean,
  ): Promise<readonly ContextItem[]>;
  /** Leaves the instructions out of the next messages of a conversation, or includes them again. */
  leaveOut(conversationId: string, leftOut: boolean): void;
  isLeftOut(conversationId: string): boolean;
  /** Reads the shown instructions of message boxes again if something has changed, for example when a chat is shown again. */
  check(): void;
}

export interface InstructionsDeps {
  readonly conversations: Pick<Conversations, 'loaded' | 'choices' | 'putUnsent' | 'onDidChange'>;
  readonly composers: Pick<Composers, 'of' | 'all' | 'changed' | 'onDidChange' | 'onDidOpen'>;
  /** Reads the instructions that apply to files, by their URIs, and which of those that were sent no longer apply. */
  read(files: readonly string[], sent: readonly ContextItem[]): Promise<FoundInstructions>;
  /** Fires when something else that the instructions depend on has changed: files, settings, or trust. */
  readonly onDidTouch: vscode.Event<unknown>;
  readonly log: Pick<Log, 'warn'>;
}

/** Several files are often saved at once. In milliseconds. */
const CHECK_MS = 300;
const NONE: FoundInstructions = { items: [], omitted: [] };

export function createInstructions(deps: InstructionsDeps): Instructions {
  const { conversations, composers, log } = deps;
  const isLeftOut = (conversationId: string) => conversations.choices(conversationId).leavesOut === true;
  /** The values from which the shown instructions of a conversation were determined. */
  const shown = new Map<string, readonly unknown[]>();
  let touches = 0;

  async function find(
    conversationId: string,
    earlier: readonly Exchange[],
    question: Pick<Question, 'context' | 'origin' | 'more' | 'continues'>,
    leavesOut?: boolean,
  ): Promise<FoundInstructions> {
    // The rest of an answer has the instructions of its beginning.
    if (question.continues !== undefined) return NONE;
    const sent = sentInstructions(earlier);
    const isOut = () => leavesOut ?? isLeftOut(conversationId);
    const withoutThem = () => ({ items: dueInstructions(earlier, [], sent), omitted: [] });
    if (isOut()) return withoutThem();
    const { items, ended, ...left } = await deps.read(filesOf(question), sent).catch((error: unknown) => {
      log.warn(`the instructions of the project couldn't be read: ${String(error)}`);
      return NONE;
    });
    // The user may have removed the instructions meanwhile.
    if (isOut()) return withoutThem();
    return { items: dueInstructions(earlier, items, ended), ...left };
  }

  /** Reads the instructions that the message box shows, if something that they depend on has changed. */
  async function show(conversationId: string): Promise<void> {
    // Of many conversations that were open in this window, only the last ones are in memory. Loading the others each time
    // would take long.
    const exchanges = conversations.loaded().find(({ id }) => id === conversationId)?.exchanges;
    if (exchanges === undefined) return void shown.delete(conversationId);
    const composer = composers.of(conversationId);
    const { context } = composer;
    const basis = [touches, exchanges, context, isLeftOut(conversationId)] as const;
    if (shown.get(conversationId)?.every((one, at) => one === basis[at])) return;
    shown.set(conversationId, basis);
    const items = context.map(({ item }) => item);
    const found = await find(conversationId, exchanges, { context: items, origin: undefined });
    // Something has changed meanwhile. A newer call may have finished earlier.
    if (shown.get(conversationId) !== basis) return;
    if (isDeepStrictEqual(found, composer.instructions)) return;
    composer.instructions = found;
    composers.changed(conversationId);
  }

  /**
   * Removes the instructions that were just sent with a question from the message box, at once: reading those for the next
   * question takes a while.
   */
  function dropSent(conversationId: string): void {
    // Most turns have no message box with instructions, and turns of other chats have no message box at all.
    const [, composer] = [...composers.all()].find(([id]) => id === conversationId) ?? [];
    if (composer === undefined || composer.instructions.items.length === 0) return;
    const { items } = composer.instructions;
    const exchanges = conversations.loaded().find(({ id }) => id === conversationId)?.exchanges;
    if (exchanges === undefined) return;
    const sent = new Set(sentInstructions(exchanges).map(({ uri }) => uri));
    const left = dueInstructions(
      exchanges,
      items.flatMap(({ replaces, ...item }) => (item.ended ? [] : [item])),
      items.filter(({ uri, ended }) => ended && sent.has(uri)),
    );
    if (left.length === items.length) return;
    composer.instructions = { ...composer.instructions, items: left };
    // The instructions that are being read now were needed before that question.
    shown.delete(conversationId);
    composers.changed(conversationId);
  }

  async function showAll(): Promise<void> {
    const ids = [...composers.all()].map(([id]) => id);
    for (const id of ids) await show(id);
  }

  const check = createThrottle(CHECK_MS, () =>
    inBackground(log, showAll(), 'reading the instructions of the project'),
  );
  function touch(): void {
    touches++;
    check.call();
  }

  const listening = [
    composers.onDidOpen(check.call),
    composers.onDidChange(check.call),
    conversations.onDidChange((change) => {
      if (change.type === 'turn') dropSent(change.conversationId);
      if (change.type === 'opened') touch();
      else if (change.type !== 'turn' || change.turn.outcome !== undefined) check.call();
    }),
    deps.onDidTouch(touch),
  ];

  return {
    due: async (...about) => (await find(...about)).items,
    leaveOut(conversationId, out) {
      conversations.putUnsent(conversationId, { leavesOut: out || undefined });
      // At once, so that the chip disappears with the click.
      if (out) composers.of(conversationId).instructions = NONE;
      shown.delete(conversationId);
      composers.changed(conversationId);
    },
    isLeftOut,
    check: check.call,
    dispose() {
      check.dispose();
      for (const one of listening) one.dispose();
    },
  };
}

/** The names of instruction files. Other files that the setting lists are read again with the next change of the chat. */
const FILES = '**/{AGENTS.md,copilot-instructions.md,*.instructions.md}';

/** Fires when instruction files, settings, or the trust change. */
export function watchInstructions(): vscode.Disposable & { readonly onDidTouch: vscode.Event<unknown> } {
  const touched = new vscode.EventEmitter<unknown>();
  const files = vscode.workspace.createFileSystemWatcher(FILES);
  const fire = () => touched.fire(undefined);
  const watching = vscode.Disposable.from(
    files,
    files.onDidChange(fire),
    files.onDidCreate(fire),
    files.onDidDelete(fire),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.path.endsWith('.md')) fire();
    }),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.path.endsWith('.md') && fire()),
    // Changes that the watcher misses are found when the window gets the focus.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(fire),
    vscode.workspace.onDidChangeWorkspaceFolders(fire),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('k3.instructions')) fire();
    }),
    touched,
  );
  return { onDidTouch: touched.event, dispose: () => watching.dispose() };
}

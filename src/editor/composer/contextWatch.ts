/** Marks the context of composers when its source changes. */
import * as vscode from 'vscode';
import { type ContextItem, compareWithSource } from '../../conversation/context/context.ts';
import type { QueuedQuestion } from '../../conversation/queue.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import type { AttachedContext } from '../context/attachments.ts';
import { refreshContext } from '../context/contextItems.ts';
import type { ContextPermission } from '../context/contextPermission.ts';
import { createRenamedContext, type HeldContext } from '../context/renamedContext.ts';
import { fileOf } from '../workspace/textSources.ts';
import type { Composers } from './composers.ts';
import { createPartTexts } from './partTexts.ts';

/**
 * The files of context that is attached or queued, for code that finds out that files were renamed. The text is that of the
 * complete file.
 */
export interface FollowedContext {
  files(): readonly { readonly uri: string; readonly text?: string }[];
  move(from: vscode.Uri, to: vscode.Uri): void;
}

export interface ContextWatch {
  readonly followed: FollowedContext;
  /**
   * Reads an item again. If that fails for whatever reason, the item keeps its text and is marked as older: a message must
   * not wait for it.
   */
  readAgain(item: ContextItem): Promise<ContextItem>;
  /** An item that is attached under an ID, with the name that its source has now. */
  withNameNow(item: ContextItem, id: string): ContextItem;
  /** The context of a queued question, with the names that its sources have now. */
  withNamesNow(queued: QueuedQuestion): readonly ContextItem[];
  /** Watches the context of a conversation's composer, as long as it has any. */
  hold(conversationId: string): void;
  dispose(): void;
}

export interface ContextWatchDeps {
  readonly composers: Pick<Composers, 'of' | 'all' | 'changed' | 'onDidOpen' | 'onDidRestoreContext'>;
  readonly allows: ContextPermission['allows'];
  readonly log: Pick<Log, 'warn'>;
}

/** The delay after a file changes, because several are often saved at once. In milliseconds. */
const CHECK_MS = 300;
/** For the log. */
const CHECKING = 'checking the attached context for changes';

export function createContextWatch({ composers, allows, log }: ContextWatchDeps): ContextWatch {
  /** IDs of conversations whose composers have context. */
  const holding = new Set<string>();
  const touched = new Set<string>();
  /** The items that are being checked, by ID, and whether their source has changed since. */
  const checking = new Map<string, { readonly again: boolean }>();
  let timer: NodeJS.Timeout | undefined;
  let watching: vscode.Disposable | undefined;
  const all = () =>
    [...composers.all()].flatMap(([, { context, queue }]) => [
      ...context.map(({ item, id }) => ({ item, key: id })),
      ...queue.flatMap(toHeld),
    ]);
  const renamed = createRenamedContext(all, markAllTouched);
  const texts = createPartTexts(all, renamed.uriNow);
  const keepTexts = () => inBackground(log, texts.keep(), 'reading files of the context that may be renamed');

  function hold(conversationId: string): void {
    holding.add(conversationId);
    watch();
    keepTexts();
  }

  // Its queue may have context from before a reload.
  const opening = composers.onDidOpen(keepTexts);
  // Files may have changed or been deleted while the window was closed.
  const restoring = composers.onDidRestoreContext((conversationId) => {
    hold(conversationId);
    markAllTouched();
  });

  function watch(): void {
    if (watching !== undefined) return;
    const files = vscode.workspace.createFileSystemWatcher('**/*');
    watching = vscode.Disposable.from(
      files,
      files.onDidChange(markTouched),
      files.onDidCreate(markTouched),
      files.onDidDelete(markTouched),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => markTouched(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => markTouched(document.uri)),
      // The document may have been closed without saving its changes.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => markTouched(uri)),
      // Changes that the watchers miss, such as outside the workspace, are found when the window gets the focus.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && markAllTouched()),
    );
  }

  function markTouched(uri: vscode.Uri): void {
    touched.add(fileOf(uri).toString());
    schedule();
  }

  function markAllTouched(): void {
    for (const id of holding)
      for (const { item } of composers.of(id).context) if (item.uri) touched.add(item.uri);
    schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(check, CHECK_MS);
  }

  function check(): void {
    timer = undefined;
    const places = [...touched];
    touched.clear();
    // Files may have other names now.
    keepTexts();
    for (const id of holding) {
      const { context } = composers.of(id);
      if (context.length === 0) holding.delete(id);
      for (const attached of context) if (isTouched(attached.item, places)) checkOne(id, attached);
    }
    if (holding.size > 0) return;
    watching?.dispose();
    watching = undefined;
  }

  /**
   * Checks an item, one check at a time: a folder can take longer to read than the time until its next change. Other items
   * don't wait for a drive that doesn't respond.
   */
  function checkOne(conversationId: string, attached: AttachedContext): void {
    const { id } = attached;
    const isChecked = checking.has(id);
    checking.set(id, { again: isChecked });
    if (isChecked) return;
    const checked = updateChanged(conversationId, attached).finally(() => {
      const isDue = checking.get(id)?.again === true;
      checking.delete(id);
      const next = isDue ? composers.of(conversationId).context.find((one) => one.id === id) : undefined;
      if (next?.item.uri === undefined) return;
      touched.add(next.item.uri);
      schedule();
    });
    inBackground(log, checked, CHECKING);
  }

  const readAgain = (item: ContextItem): Promise<ContextItem> =>
    refreshContext(item, allows).catch((error: unknown) => {
      log.warn(`couldn't read context again (${item.kind}): ${String(error)}`);
      return { ...item, older: true };
    });

  async function updateChanged(conversationId: string, attached: AttachedContext): Promise<void> {
    const { item } = attached;
    const named = renamed.withNameNow({ item, key: attached.id });
    const next = compareWithSource(named, await readAgain(named));
    const composer = composers.of(conversationId);
    const at = composer.context.indexOf(attached);
    if (at === -1 || (next.item === item && next.changed === attached.changed)) return;
    composer.context = composer.context.with(at, { ...attached, ...next });
    composers.changed(conversationId);
  }

  return {
    hold,
    readAgain,
    followed: {
      files: () =>
        all().flatMap((held) => {
          const uri = renamed.uriNow(held);
          if (uri === undefined) return [];
          const text = texts.of(held.item, uri);
          return [{ uri, ...(text !== undefined && { text }) }];
        }),
      move: renamed.move,
    },
    withNameNow: (item, id) => renamed.withNameNow({ item, key: id }),
    withNamesNow: (queued) => toHeld(queued).map(renamed.withNameNow),
    dispose() {
      renamed.dispose();
      clearTimeout(timer);
      touched.clear();
      checking.clear();
      opening.dispose();
      restoring.dispose();
      watching?.dispose();
    },
  };
}

/** The context of a queued question. Items of one question that have the same URI are renamed together. */
const toHeld = ({ id, question: { context = [] } }: QueuedQuestion): readonly HeldContext[] =>
  context.map((item) => ({ item, key: `${id} ${item.uri}` }));

function isTouched({ kind, uri }: ContextItem, places: readonly string[]): boolean {
  if (uri === undefined) return false;
  const place = vscode.Uri.parse(uri);
  const address = fileOf(place).toString();
  return places.some((one) => one === address || (kind === 'folder' && one.startsWith(`${address}/`)));
}

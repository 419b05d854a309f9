/** Marks the context of composers when its source changes. */
import * as vscode from 'vscode';
import { type ContextItem, compareWithSource } from '../../conversation/context/context.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { notebookOf } from '../workspace/textSources.ts';
import type { AttachedContext } from './composerState.ts';
import type { Composers } from './composers.ts';
import { refreshContext } from './contextItems.ts';
import type { ContextPermission } from './contextPermission.ts';

export interface ContextWatch {
  /** Watches the context of a conversation's composer, as long as it has some. */
  hold(conversationId: string): void;
  dispose(): void;
}

export interface ContextWatchDeps {
  readonly composers: Pick<Composers, 'of' | 'changed' | 'onDidRestoreContext'>;
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
  let timer: NodeJS.Timeout | undefined;
  let watching: vscode.Disposable | undefined;

  function hold(conversationId: string): void {
    holding.add(conversationId);
    watch();
  }

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
      // Changes that the watchers miss, such as outside the workspace, are found when the window gets the focus.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && markAllTouched()),
    );
  }

  function markTouched(uri: vscode.Uri): void {
    touched.add((notebookOf(uri)?.uri ?? uri).toString());
    schedule();
  }

  function markAllTouched(): void {
    for (const id of holding)
      for (const { item } of composers.of(id).context) if (item.uri) touched.add(item.uri);
    schedule();
  }

  /** One check at a time: a folder can take longer to read than the next change. */
  function schedule(): void {
    timer ??= setTimeout(() => inBackground(log, check().finally(again), CHECKING), CHECK_MS);
  }

  function again(): void {
    timer = undefined;
    if (touched.size > 0) schedule();
  }

  async function check(): Promise<void> {
    const places = [...touched];
    touched.clear();
    for (const id of holding) {
      const { context } = composers.of(id);
      if (context.length === 0) holding.delete(id);
      for (const attached of context) if (isTouched(attached.item, places)) await updateChanged(id, attached);
    }
    if (holding.size > 0) return;
    watching?.dispose();
    watching = undefined;
  }

  async function updateChanged(conversationId: string, attached: AttachedContext): Promise<void> {
    const { item } = attached;
    const next = compareWithSource(item, await refreshContext(item, allows));
    const composer = composers.of(conversationId);
    const at = composer.context.indexOf(attached);
    if (at === -1 || (next.item === item && next.changed === attached.changed)) return;
    composer.context = composer.context.with(at, { ...attached, ...next });
    composers.changed(conversationId);
  }

  return {
    hold,
    dispose() {
      clearTimeout(timer);
      touched.clear();
      restoring.dispose();
      watching?.dispose();
    },
  };
}

function isTouched({ kind, uri }: ContextItem, places: readonly string[]): boolean {
  if (uri === undefined) return false;
  const place = vscode.Uri.parse(uri);
  const address = (notebookOf(place)?.uri ?? place).toString();
  return places.some((one) => one === address || (kind === 'folder' && one.startsWith(`${address}/`)));
}

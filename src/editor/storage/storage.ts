/** Opens the conversation database and the global state, and reports to the user when conversations are not saved. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { allExchanges } from '../../conversation/allExchanges.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { startIndexing } from '../../history/backgroundIndexing.ts';
import { type ConversationStore, createConversationStore } from '../../history/conversationStore.ts';
import type { SetAsideReport } from '../../history/database.ts';
import { type History, openHistory } from '../../history/history.ts';
import { KEPT_AFTER_DELETING_DAYS } from '../../history/purging.ts';
import type { StorageTrouble } from '../../history/sqlite.ts';
import { inBackground } from '../base/background.ts';
import type { Base } from '../base/base.ts';
import { offerCommands, showWarning, withoutLinks } from '../base/notifications.ts';
import { joinSentences } from '../base/sentences.ts';
import { readSettings } from '../settings/settings.ts';
import { copiedWords } from '../wording/countWords.ts';
import { createGlobalState, type GlobalState } from './globalState.ts';

const t = vscode.l10n.t;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The banner in the chat while something is not saved. */
export interface StorageBanner {
  readonly text: string;
  /** Whether an export of the conversation contains the unsaved changes. */
  readonly exports: boolean;
}

export interface Storage extends vscode.Disposable {
  readonly globalState: GlobalState;
  readonly store: ConversationStore;
  /** Undefined if the database couldn't be opened; conversations are then lost when the window closes. */
  readonly history: History | undefined;
  /** The IDs of deleted conversations that any window has permanently removed. Empty while the database can't be read. */
  readonly purged: Pick<ReadonlySet<string>, 'has'>;
  /** @param shown the conversation in which the banner is shown */
  banner(shown: Conversation): StorageBanner | undefined;
  readonly onDidChange: vscode.Event<void>;
  /** Fires when the database, which another program had locked when the window was opened, can be read. */
  readonly onDidOpen: vscode.Event<void>;
}

export interface StorageDeps {
  readonly base: Pick<Base, 'log'>;
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'globalState'>;
  /** How long to wait for a database that another program has locked, in milliseconds. Replaced in tests. */
  readonly waitMs?: number;
}

/** Opens the database. Without one, conversations are kept in memory, and the banner says so. */
export function createStorage({ base, context, waitMs }: StorageDeps): Storage {
  const { log } = base;
  const globalStorage = context.globalStorageUri;
  const changed = new vscode.EventEmitter<void>();
  const becameOpen = new vscode.EventEmitter<void>();
  let trouble: StorageTrouble | undefined;
  const opened =
    globalStorage.scheme === 'file'
      ? openHistory({
          folder: join(globalStorage.fsPath, 'history'),
          place: vscode.workspace.name ?? t('a window with no folder'),
          ...(waitMs !== undefined && { waitMs }),
          onOpened: () => whenOpen(),
          onSetAside: (report) =>
            inBackground(log, showSetAside(report), 'showing the message about the old database'),
          onWrong: (what) => log.warn(`the conversation database has invalid data: ${what}`),
        })
      : ({ ok: false, why: 'failed', message: globalStorage.scheme } as const);
  if (!opened.ok) log.warn(`conversations are not saved: ${opened.why}, ${opened.message}`);
  const history = opened.ok ? opened.history : undefined;
  let indexing: ReturnType<typeof startIndexing> | undefined;
  function tidy(from: History): void {
    try {
      from.purge(Date.now() - KEPT_AFTER_DELETING_DAYS * DAY_MS);
    } catch (error) {
      log.warn(`couldn't remove old deleted conversations: ${String(error)}`);
    }
    indexing = startIndexing(from, (error) =>
      log.warn(`couldn't complete the search index: ${String(error)}`),
    );
  }
  function whenOpen(): void {
    log.info('the conversation database is open now');
    if (history !== undefined) tidy(history);
    becameOpen.fire();
    changed.fire();
  }
  if (history?.isOpen() === true) tidy(history);
  else if (history !== undefined) log.warn('the conversation database is locked; it is tried again');
  function isPurged(id: string): boolean {
    try {
      return history?.isOpen() === true && history.isPurged(id);
    } catch (error) {
      log.warn(`couldn't look for removed conversations: ${String(error)}`);
      return false;
    }
  }
  const store = createConversationStore({
    history,
    prices: () => readSettings().prices,
    onTrouble(found, error) {
      trouble = found;
      if (found !== undefined && error !== undefined)
        log.warn(`couldn't save conversations: ${found}, ${String(error)}`);
      changed.fire();
    },
    onFailure: (what, error) => log.warn(`${what} failed in the conversation database: ${String(error)}`),
  });
  return {
    globalState: createGlobalState(context.globalState, log),
    store,
    history,
    purged: { has: isPurged },
    banner: (shown) => {
      const canExport = allExchanges(shown).length > 0;
      if (!opened.ok) return { text: describeAbsence(opened.why), exports: canExport };
      if (!opened.history.isOpen()) return { text: describeLock(), exports: canExport };
      if (trouble === undefined) return undefined;
      const exports = canExport && store.isUnsaved(shown.id);
      return { text: describeTrouble(trouble, exports, store.hasUnsavedText()), exports };
    },
    onDidChange: changed.event,
    onDidOpen: becameOpen.event,
    dispose() {
      indexing?.dispose();
      changed.dispose();
      becameOpen.dispose();
    },
  };
}

function describeAbsence(why: StorageTrouble | 'no-sqlite'): string {
  switch (why) {
    case 'no-sqlite':
      return t(
        'This editor doesn’t include SQLite, so conversations are lost when the window closes. Export the conversations you want to keep.',
      );
    case 'read-only':
      return t(
        'The folder for conversations is not writable, so conversations are lost when the window closes. Export the conversations you want to keep.',
      );
    default:
      return t(
        'Couldn’t open the conversation database, so conversations are lost when the window closes. Export the conversations you want to keep. To see why, run “K3: Show Log”.',
      );
  }
}

const describeLock = () =>
  t(
    'Another program has locked the conversation database. When it is free again, your earlier conversations are shown, and what you ask now is saved. Until then, what you ask is in memory only. You can also export it now.',
  );

function describeTrouble(trouble: StorageTrouble, exports: boolean, hasText: boolean): string {
  const why =
    trouble === 'full'
      ? t(
          'The disk is full. Your latest changes are in memory only. Free up disk space to save them automatically.',
        )
      : t('Couldn’t save; retrying. Your latest changes are in memory only until they are saved.');
  return joinSentences([
    why,
    exports ? t('You can also export the conversation now.') : '',
    // An export doesn't contain text in message boxes.
    hasText ? t('Copy what you have written before you close the window.') : '',
  ]);
}

function showSetAside({ why, path, conversations, lost }: SetAsideReport): Promise<void> {
  const cause =
    why === 'damaged'
      ? t('The conversation database was damaged.')
      : t('The conversation database was created by a later version of K3 Chat.');
  const text = joinSentences([
    cause,
    copiedWords(conversations, lost),
    t('The old database is kept at {0}.', withoutLinks(path)),
  ]);
  return offerCommands(showWarning, text, [t('Show Old Database'), 'revealFileInOS', vscode.Uri.file(path)]);
}

/** The usage page (`k3.showUsage`): usage by day, by route, by conversation, and by kind of token. It is restored after a reload. */
import * as v from 'valibot';
import * as vscode from 'vscode';
import { toUsageCsv, toUsageSums } from '../../conversation/usage/usage.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import type { History } from '../../history/history.ts';
import { toStorageTrouble } from '../../history/sqlite.ts';
import {
  USAGE_WORDS,
  type UsageData,
  type UsageHostMessage,
  type UsageWebviewMessage,
} from '../../panel/usage.ts';
import { count, describeWrong, tryDecode } from '../../validation/decode.ts';
import { decodeMessage, type MessageDecoders, message } from '../../validation/typedMessages.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { toWords } from '../base/panelWords.ts';
import { offerToOpen, toDefaultUri, writeFile } from '../base/savedFiles.ts';
import { createThrottle } from '../base/throttle.ts';
import { toPage, toTabIcon, toWebviewOptions } from '../base/webviewPage.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { canRead, lockWords, warnOfLock } from '../storage/lockedDatabase.ts';
import { outcomeLabel } from '../wording/turnLabels.ts';

const t = vscode.l10n.t;

const PANEL = 'k3.usagePage';
const FIRST_RANGE_DAYS = 30;
const MOST_CONVERSATIONS = 50;
/** The shortest time between two updates, in milliseconds. */
const REFRESH_MS = 1000;

export interface UsagePageDeps {
  readonly conversations: Pick<Conversations, 'get' | 'open' | 'onDidChange'>;
  readonly history: Pick<History, 'byDay' | 'byRoute' | 'byConversation' | 'outcomes' | 'isOpen'> | undefined;
  readonly store: Pick<ConversationStore, 'endAbandoned'>;
  readonly extensionUri: vscode.Uri;
  readonly log: Pick<Log, 'warn'>;
  /** Fires when the cost of a turn that is not part of a conversation was recorded. */
  readonly onDidSpend: vscode.Event<void>;
}

const MESSAGES: MessageDecoders<UsageWebviewMessage> = {
  ready: message('ready', {}),
  range: message('range', { days: count }),
  csv: message('csv', {}),
  open: message('open', { conversationId: v.string() }),
};

/** The state that the page keeps for a reload. */
const daysState = v.object({ days: count });

export function registerUsagePage({
  conversations,
  history,
  store,
  extensionUri,
  log,
  onDidSpend,
}: UsagePageDeps): vscode.Disposable {
  let panel: vscode.WebviewPanel | undefined;
  let range = FIRST_RANGE_DAYS;
  /** The message with the data that the page shows, as JSON. */
  let shown: string | undefined;

  /** @param always also posts data that the page already shows. Drawing the page again hides the element under the pointer. */
  function show(
    opened: vscode.WebviewPanel,
    from: NonNullable<typeof history>,
    always = true,
    days = range,
  ): void {
    // Abandoned turns were billed, even if nobody has opened their conversations or asked anything since.
    store.endAbandoned();
    const message: UsageHostMessage = { type: 'usage', data: toData(from, days) };
    // `toData` throws while the database is locked; the range then stays the same.
    range = days;
    const before = shown;
    shown = JSON.stringify(message);
    if (!always && shown === before) return;
    // Not logged: resolves to false if the page was closed, and then nothing is lost.
    void opened.webview.postMessage(message);
  }

  async function receive(
    opened: vscode.WebviewPanel,
    from: NonNullable<typeof history>,
    message: UsageWebviewMessage,
  ): Promise<void> {
    switch (message.type) {
      case 'ready':
        return show(opened, from);
      case 'range':
        return show(opened, from, true, message.days);
      case 'csv':
        return exportCsv(toData(from, range));
      case 'open':
        // If the conversation was deleted since the page was drawn, the chat would show another one.
        if (conversations.get(message.conversationId) === undefined) return show(opened, from);
        conversations.open(message.conversationId);
        return vscode.commands.executeCommand('k3.focusChat');
    }
  }

  function answer(...about: Parameters<typeof receive>): void {
    const [opened, , { type }] = about;
    // A page that is still empty may have been restored, without a user who has just asked for it. So no notification is shown.
    const tell = type === 'ready' ? () => showLock(opened) : warnOfLock;
    const work = receive(...about).catch((error: unknown) => tellLock(error, tell));
    inBackground(log, work, `the message ${type} from the usage page`);
  }

  function showLock(opened: vscode.WebviewPanel): void {
    shown = undefined;
    const message: UsageHostMessage = { type: 'locked', text: lockWords() };
    void opened.webview.postMessage(message);
  }

  async function update(): Promise<void> {
    if (history !== undefined && panel?.visible) show(panel, history, false);
  }
  const refresh = createThrottle(REFRESH_MS, () => inBackground(log, update(), 'showing the usage'));

  /** Shows the page in a tab. */
  function fill(opened: vscode.WebviewPanel, from: NonNullable<typeof history>): void {
    panel = opened;
    opened.iconPath = toTabIcon(extensionUri);
    // Set also for a restored page, because an update can have moved the extension.
    opened.webview.options = toWebviewOptions(extensionUri);
    opened.webview.onDidReceiveMessage((message: unknown) => {
      const decoded = decodeMessage<UsageWebviewMessage>(MESSAGES, message);
      if (decoded.ok) answer(opened, from, decoded.value);
      else log.warn(`a message of the usage page was dropped: ${describeWrong(decoded.wrong)}`);
    });
    opened.onDidDispose(() => {
      if (panel === opened) panel = undefined;
    });
    opened.webview.html = toPage(opened.webview, extensionUri, {
      kind: 'usage',
      bundle: 'usage',
      title: t('K3 Usage'),
    });
  }

  function open(): void {
    const unsaved = t(
      'Usage is not available because conversations are not saved in this window. To see why, run “K3: Show Log”.',
    );
    if (!canRead(history, unsaved)) return;
    if (panel !== undefined) {
      panel.reveal();
      answer(panel, history, { type: 'range', days: range });
      return;
    }
    const options = { enableFindWidget: true };
    fill(vscode.window.createWebviewPanel(PANEL, t('K3 Usage'), vscode.ViewColumn.Active, options), history);
  }

  return vscode.Disposable.from(
    refresh,
    onDidSpend(() => refresh.call()),
    // Another day may have begun.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && refresh.call()),
    vscode.commands.registerCommand('k3.showUsage', open),
    vscode.window.registerWebviewPanelSerializer(PANEL, {
      async deserializeWebviewPanel(tab, state: unknown) {
        if (history === undefined) return tab.dispose();
        // Another page was opened by the command before this tab, which was behind another one, was shown.
        panel?.dispose();
        range = tryDecode(daysState, state)?.days ?? range;
        fill(tab, history);
      },
    }),
    conversations.onDidChange((change) => {
      const isCounted = change.type === 'turn' && change.turn.outcome !== undefined;
      // Another window may have recorded usage when the list has changed.
      if (isCounted || change.type === 'listed') refresh.call();
    }),
  );
}

/**
 * Tells the user if the database is locked, and throws the error again. A page that already shows data stays as it is: without a
 * notification, the user would take its data for the range that they have chosen.
 */
function tellLock(error: unknown, tell: () => void): never {
  if (toStorageTrouble(error) === 'busy') tell();
  throw error;
}

function toData(history: NonNullable<UsagePageDeps['history']>, range: number): UsageData {
  const since = range === 0 ? 0 : midnightBefore(Date.now(), range - 1);
  const days = history.byDay(since);
  const all = history.byConversation(since);
  const others = all.slice(MOST_CONVERSATIONS).filter(({ demo }) => !demo);
  return {
    range,
    days,
    total: toUsageSums(days),
    routes: history.byRoute(since),
    conversations: all.slice(0, MOST_CONVERSATIONS),
    ...(others.length > 0 && { others: { conversations: others.length, ...toUsageSums(others) } }),
    outcomes: history.outcomes(since).map(({ outcome, turns }) => ({ label: outcomeLabel(outcome), turns })),
    words: toWords(USAGE_WORDS),
  };
}

async function exportCsv({ days }: UsageData): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: t('Export Usage'),
    saveLabel: t('Export'),
    ...toDefaultUri('k3-usage.csv'),
    filters: { CSV: ['csv'] },
  });
  if (target !== undefined && (await writeFile(target, Buffer.from(toUsageCsv(days)))))
    await offerToOpen(t('The usage was exported.'), target);
}

/**
 * The local midnight at which the day began that is this many days before a time. In epoch milliseconds. Days can have 23 or 25 hours.
 */
function midnightBefore(time: number, days: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

/** Searches all conversations (`k3.searchConversations`): a quick pick that shows results as you type. */

import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import type { History } from '../../history/history.ts';
import type { Hit } from '../../history/searchRows.ts';
import { MATCH_MARKS } from '../../history/searchSnippet.ts';
import { toStorageTrouble } from '../../history/sqlite.ts';
import { groupBy } from '../../text/groupBy.ts';
import { toPlainLine } from '../../text/plainLine.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { showWarning } from '../base/notifications.ts';
import { chosenOf, keepOrder, withoutIcons } from '../base/quickPicks.ts';
import { createThrottle } from '../base/throttle.ts';
import { canRead, lockWords } from '../storage/lockedDatabase.ts';
import { tellAbsence } from './conversationCommands.ts';
import type { Conversations } from './conversationList.ts';
import { findTitles } from './foundTitles.ts';
import { toToldChanges } from './toldChanges.ts';

const t = vscode.l10n.t;

const MAX_HITS = 50;
/** The maximum number of conversations that are found only by their title. They come first. */
const MAX_TITLES = 10;
/** The minimum interval between two searches while the user types, in milliseconds. */
const PAUSE_MS = 80;

export interface ConversationSearchDeps {
  readonly conversations: Conversations;
  readonly history: Pick<History, 'search' | 'isOpen'> | undefined;
  /** Reveals a place in the open conversation. */
  reveal(place: FoundPlace): void;
  readonly log: Pick<Log, 'warn'>;
}

/** A question, or a part of a turn. */
export interface FoundPlace {
  readonly exchangeId: string;
  readonly part: Hit['part'];
}

/** A conversation, or one of its results. */
interface HitItem extends vscode.QuickPickItem {
  readonly conversationId: string;
  readonly title: string;
  /** Undefined for the conversation itself. */
  readonly hit: Hit | undefined;
}

/** An item that says why the search failed. Selecting it searches again. */
interface FailureItem extends vscode.QuickPickItem {
  readonly conversationId?: never;
}

/** Shows the quick pick, whose results follow what the user types. */
export function searchConversations({ conversations, history, reveal, log }: ConversationSearchDeps): void {
  async function show({ conversationId, title, hit }: HitItem): Promise<void> {
    const conversation = conversations.get(conversationId);
    if (conversation === undefined) {
      tellAbsence(conversations, { id: conversationId, title });
      return;
    }
    conversations.open(conversationId);
    const exchangeId = hit && showTurn(conversations, conversation, hit.ownerId);
    await vscode.commands.executeCommand('k3.focusChat');
    if (hit !== undefined && exchangeId !== undefined) reveal({ exchangeId, part: hit.part });
  }

  const unsaved = t(
    'Conversations are not saved in this window, so there is nothing to search. To see why, run “K3: Show Log”.',
  );
  if (!canRead(history, unsaved)) return;
  const pick = vscode.window.createQuickPick<HitItem | FailureItem>();
  pick.title = t('Search Conversations');
  pick.placeholder = t('Search titles, questions, answers, and reasoning; use "quotes" for an exact phrase');
  keepOrder(pick);
  let listed: readonly (HitItem | FailureItem)[] = [];
  const search = createThrottle(PAUSE_MS, () => {
    try {
      const hits = history.search(pick.value, MAX_HITS + 1);
      const items = toItems(hits.slice(0, MAX_HITS));
      const found = new Set(items.map(({ conversationId }) => conversationId));
      const titled = findTitles(conversations.list(), pick.value).filter(({ id }) => !found.has(id));
      listed = [...titled.slice(0, MAX_TITLES).map((one) => toTitleItem(one.id, one)), ...items];
      pick.title =
        hits.length > MAX_HITS
          ? t('Search Conversations: the first {0} results', MAX_HITS)
          : t('Search Conversations');
    } catch (error) {
      listed = [toFailureItem(error)];
      log.warn(`searching the conversations failed: ${String(error)}`);
    }
    pick.items = listed;
    pick.busy = false;
  });
  pick.onDidChangeValue(() => {
    pick.busy = true;
    search.call();
  });
  pick.onDidAccept(() => {
    search.flush();
    const chosen = chosenOf(pick, listed);
    // Nothing was found for the typed text.
    if (chosen === undefined) return;
    if (chosen.conversationId === undefined) {
      search.now();
      return;
    }
    pick.hide();
    inBackground(log, show(chosen), 'showing the search result');
  });
  pick.onDidHide(() => {
    search.dispose();
    pick.dispose();
  });
  pick.show();
}

/** One item for each conversation, followed by the items of its results. */
export function toItems(hits: readonly Hit[]): readonly HitItem[] {
  return [...groupBy(hits, ({ conversationId }) => conversationId)].flatMap(([conversationId, own]) => [
    ...own.slice(0, 1).map((newest) => toTitleItem(conversationId, newest)),
    ...own.map(toItem),
  ]);
}

function toFailureItem(error: unknown): FailureItem {
  const why =
    toStorageTrouble(error) === 'busy'
      ? lockWords()
      : t('The search failed. To see why, run “K3: Show Log”.');
  return { label: `$(warning) ${why}`, alwaysShow: true };
}

function toTitleItem(
  conversationId: string,
  { title, changedAt }: Pick<Hit, 'title' | 'changedAt'>,
): HitItem {
  return {
    conversationId,
    title,
    hit: undefined,
    label: withoutIcons(title),
    description: new Date(changedAt).toLocaleDateString(vscode.env.language),
    // The database has other rules for matches than the quick pick, which would hide items.
    alwaysShow: true,
  };
}

function toItem(hit: Hit): HitItem {
  const found = toPlainLine(hit.snippet.replaceAll(MATCH_MARKS.start, '«').replaceAll(MATCH_MARKS.end, '»'));
  return {
    conversationId: hit.conversationId,
    title: hit.title,
    hit,
    label: `$(${ICONS[hit.part]}) ${withoutIcons(found)}`,
    description: partLabel(hit.part),
    alwaysShow: true,
  };
}

const ICONS = { question: 'account', reasoning: 'list-tree', answer: 'sparkle' } as const;

function partLabel(part: Hit['part']): string {
  switch (part) {
    case 'question':
      return t('question');
    case 'reasoning':
      return t('reasoning');
    case 'answer':
      return t('answer');
  }
}

/**
 * Shows the branch and the attempt that contain a question or turn. Returns the ID of their exchange, or undefined if it
 * can't be shown.
 */
function showTurn(
  conversations: Conversations,
  conversation: Conversation,
  ownerId: string,
): string | undefined {
  const owns = ({ id, attempts }: Conversation['exchanges'][number]) =>
    id === ownerId || attempts.some((turn) => turn.id === ownerId);
  const branch = conversation.branches.find(({ exchanges }) => exchanges.some(owns));
  const first = branch?.exchanges[0];
  if (first !== undefined && !conversations.showBranch(conversation.id, first.id)) {
    if (conversations.isUnread(conversation.id)) tellAbsence(conversations, conversation);
    else
      void showWarning(
        t('The result is in another version of this conversation. Search again when the answer has ended.'),
      );
    return undefined;
  }
  const exchange = (branch?.exchanges ?? conversation.exchanges).find(owns);
  const attempt = exchange?.attempts.findIndex(({ id }) => id === ownerId) ?? -1;
  if (exchange !== undefined && attempt !== -1 && attempt !== exchange.shown)
    toToldChanges(conversations).showAttempt(conversation.id, exchange.id, attempt);
  return exchange?.id;
}

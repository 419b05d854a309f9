/** Searches all conversations (`k3.searchConversations`): a quick pick that shows results as you type. */
import * as vscode from 'vscode';
import type { Conversation } from '../../chat/turn.ts';
import type { History } from '../../history/history.ts';
import { type Hit, MATCH_MARKS } from '../../history/searchRows.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { showWarning } from '../base/notifications.ts';
import type { Conversations } from './conversationList.ts';

const t = vscode.l10n.t;

const MAX_HITS = 50;
/** The delay between typing and searching, in milliseconds. */
const DELAY_MS = 80;

export interface ConversationSearchDeps {
  readonly conversations: Conversations;
  readonly history: Pick<History, 'search'> | undefined;
  /** Reveals a place in the open conversation. */
  reveal(place: Place): void;
  readonly log: Pick<Log, 'warn'>;
}

/** A question, or a part of a turn. */
export interface Place {
  readonly exchangeId: string;
  readonly part: Hit['part'];
}

interface HitItem extends vscode.QuickPickItem {
  readonly hit: Hit;
}

export function registerConversationSearch({
  conversations,
  history,
  reveal,
  log,
}: ConversationSearchDeps): vscode.Disposable {
  async function show(hit: Hit): Promise<void> {
    conversations.open(hit.conversationId);
    const conversation = conversations.get(hit.conversationId);
    const exchangeId = conversation && showTurn(conversations, conversation, hit.ownerId);
    await vscode.commands.executeCommand('k3.focusChat');
    if (exchangeId !== undefined) reveal({ exchangeId, part: hit.part });
  }

  return vscode.commands.registerCommand('k3.searchConversations', () => {
    if (history === undefined) {
      void showWarning(
        t(
          'Conversations are not saved in this window, so there is nothing to search. To see why, run “K3: Show Log”.',
        ),
      );
      return;
    }
    const pick = vscode.window.createQuickPick<HitItem>();
    pick.title = t('Search Conversations');
    pick.placeholder = t('Search questions, answers, and reasoning; use "quotes" for an exact phrase');
    let timer: NodeJS.Timeout | undefined;
    const search = () => {
      try {
        pick.items = history.search(pick.value, MAX_HITS).map(toItem);
      } catch (error) {
        pick.items = [];
        log.warn(`searching the conversations failed: ${String(error)}`);
      }
      pick.busy = false;
    };
    pick.onDidChangeValue(() => {
      clearTimeout(timer);
      pick.busy = true;
      timer = setTimeout(search, DELAY_MS);
    });
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      pick.hide();
      if (chosen !== undefined) inBackground(log, show(chosen.hit), 'showing the search result');
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      pick.dispose();
    });
    pick.show();
  });
}

function toItem(hit: Hit): HitItem {
  const found = hit.snippet
    .replaceAll(MATCH_MARKS.start, '')
    .replaceAll(MATCH_MARKS.end, '')
    .replace(/\s+/g, ' ')
    .trim();
  return {
    hit,
    // A title can contain the syntax of an icon.
    label: hit.title.replaceAll('$(', '$ ('),
    description: `${partLabel(hit.part)} · ${new Date(hit.changedAt).toLocaleDateString(vscode.env.language)}`,
    detail: found,
    // The database matches by other rules than the quick pick.
    alwaysShow: true,
  };
}

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

/** Shows the branch and the attempt that contain a question or turn. Returns the ID of its exchange. */
function showTurn(
  conversations: Conversations,
  conversation: Conversation,
  ownerId: string,
): string | undefined {
  const owns = ({ id, attempts }: Conversation['exchanges'][number]) =>
    id === ownerId || attempts.some((turn) => turn.id === ownerId);
  const branch = conversation.branches.find(({ exchanges }) => exchanges.some(owns));
  const first = branch?.exchanges[0];
  if (first !== undefined) conversations.showBranch(conversation.id, first.id);
  const exchange = (branch?.exchanges ?? conversation.exchanges).find(owns);
  const attempt = exchange?.attempts.findIndex(({ id }) => id === ownerId) ?? -1;
  if (exchange !== undefined && attempt !== -1 && attempt !== exchange.shown)
    conversations.showAttempt(conversation.id, exchange.id, attempt);
  return exchange?.id;
}

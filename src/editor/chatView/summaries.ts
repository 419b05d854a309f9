/** Summaries of conversations, each the beginning of a new one. */
import * as vscode from 'vscode';
import type { Exchange } from '../../conversation/conversation.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import type { Composers } from '../composer/composers.ts';
import { askWithKeyPrompt, type InputClosed, showRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';

const t = vscode.l10n.t;

const title = () => t('Summarize and continue');

export interface Summaries {
  /** Asks for a summary in a conversation. When it is complete, it is placed in the message box of a new one. */
  ask(conversationId: string, inputClosed: InputClosed): Promise<void>;
  dispose(): void;
}

export interface SummariesDeps {
  readonly conversations: Pick<
    Conversations,
    'ask' | 'create' | 'unused' | 'current' | 'find' | 'front' | 'onDidChange'
  >;
  readonly composers: Pick<Composers, 'compose'>;
  readonly log: Pick<Log, 'warn'>;
}

async function offer(id: string): Promise<void> {
  const open = t('Open Conversation');
  const chosen = await showInformation(t('The summary is in a new conversation.'), open);
  if (chosen === open) await vscode.commands.executeCommand('k3.focusChat', id);
}

export function createSummaries({ conversations, composers, log }: SummariesDeps): Summaries {
  /** The ids of the turns that write them. */
  const writing = new Set<string>();

  /**
   * In the side bar, it takes the place of the one before. A user who has that one in a tab, or has opened another one, may be writing
   * there, and stays.
   */
  function begin(conversationId: string, summary: string): void {
    const isInSideBar = conversations.current().id === conversationId;
    const { id } = isInSideBar ? conversations.create() : conversations.unused();
    composers.compose(id, t('Summary of the conversation so far:\n\n{0}\n\n', summary));
    if (conversations.front().id !== id) inBackground(log, offer(id), 'offering the summary');
  }

  /** The exchange whose answer this one continues, from its first part; or this one itself. */
  function firstOf(exchange: Exchange): Exchange {
    const { continues } = exchange.question;
    const before = continues === undefined ? undefined : conversations.find(continues);
    return before === undefined ? exchange : firstOf(before.exchange);
  }

  /** The window in which it was asked for has closed before it was complete. It is asked again here, or continued. */
  function isLate({ conversation, exchange, turn }: Found): boolean {
    const first = firstOf(exchange);
    if (first.question.asked !== title()) return false;
    const parts = conversation.exchanges.filter((one) => firstOf(one).id === first.id);
    const others = parts.flatMap(({ attempts }) => attempts).filter(({ id }) => id !== turn.id);
    return others.every(({ outcome }) => outcome !== 'complete');
  }

  const listening = conversations.onDidChange((change) => {
    if (change.type !== 'turn' || change.turn.outcome === undefined) return;
    const { id, outcome } = change.turn;
    const found = conversations.find(id);
    const { question, attempts = [] } = found?.exchange ?? {};
    // It can be asked again before it is complete, too.
    const asked = [id, question?.continues ?? '', ...attempts.map((attempt) => attempt.id)];
    const isSummary = asked.filter((one) => writing.delete(one)).length > 0;
    if (found === undefined || !(isSummary || isLate(found))) return;
    // A summary that was cut off can be continued.
    if (outcome !== 'complete') writing.add(id);
    else {
      const { conversation, exchange } = found;
      begin(conversation.id, toWholeAnswer(conversation.exchanges, exchange.question, change.turn).text);
    }
  });

  return {
    async ask(conversationId, inputClosed) {
      const text = t(
        'Summarize this conversation so that it can continue without the earlier messages: the task, the decisions and their reasons, open points, and all names, paths, and figures that are needed.',
      );
      const question = { text, images: [], origin: undefined, asked: title() };
      const asked = await askWithKeyPrompt(
        (options) => conversations.ask(conversationId, question, options),
        {},
        inputClosed,
      );
      if (asked.ok) writing.add(asked.turnId);
      else await showRefusal(asked);
    },
    dispose: () => listening.dispose(),
  };
}

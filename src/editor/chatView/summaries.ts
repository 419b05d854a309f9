/** Summaries of conversations. Each summary begins a new conversation. */
import * as vscode from 'vscode';
import { firstPartOf, isFirstAnswer } from '../../conversation/answerParts.ts';
import { limitsOf } from '../../conversation/continuingQuestion.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { isAnswered } from '../../conversation/rounds.ts';
import type { Choices } from '../../conversation/unsent.ts';
import { isRestAlone, toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { offerCommands, showInformation } from '../base/notifications.ts';
import { isDoubtful } from '../cards/noticeText.ts';
import type { Composers } from '../composer/composers.ts';
import { askWithKeyPrompt, type InputClosed, showIfRefused } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { readPreset } from '../settings/settings.ts';

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
    | 'ask'
    | 'create'
    | 'unused'
    | 'current'
    | 'find'
    | 'front'
    | 'isShown'
    | 'choices'
    | 'putUnsent'
    | 'onDidChange'
  >;
  readonly composers: Pick<Composers, 'compose'>;
  readonly log: Pick<Log, 'warn'>;
}

const isChosen = ({ preset, leavesOut }: Choices) => preset !== undefined || leavesOut === true;

const toHeading = (name: string) => t('Summary: {0}', name);

/**
 * The first line of a conversation that begins with a summary, which becomes its title. If the summarized conversation
 * began in the same way, the title names the first conversation.
 */
function headingOf(name: string): string {
  const start = toHeading('');
  return toHeading(name.startsWith(start) ? name.slice(start.length) : name);
}

const offer = (id: string): Promise<void> =>
  offerCommands(showInformation, t('The summary is in a new conversation.'), [
    t('Open Conversation'),
    'k3.focusChat',
    id,
  ]);

export function createSummaries({ conversations, composers, log }: SummariesDeps): Summaries {
  const isFree = (id: string) => !conversations.isShown(id) && !isChosen(conversations.choices(id));

  /**
   * Begins a conversation with a summary. It replaces the summarized conversation in the side bar, unless that one has a
   * card about a problem of the summary (`isSure` is false). It isn't opened if the summarized conversation is in a tab, or
   * the user has opened another one, because the user may be writing there. The choices for the messages of the summarized
   * conversation, such as the preset, are kept. An empty conversation in which something else is chosen isn't used.
   */
  function begin(before: Pick<Conversation, 'id' | 'title'>, summary: string, isSure: boolean): void {
    const chosen = conversations.choices(before.id);
    const isInSideBar = conversations.current().id === before.id;
    const { id } = isInSideBar && isSure ? conversations.create(isFree) : conversations.unused(isFree);
    if (isChosen(chosen)) conversations.putUnsent(id, chosen);
    composers.compose(id, `${headingOf(before.title)}\n\n${summary}\n\n`);
    if (conversations.front().id !== id) inBackground(log, offer(id), 'offering the summary');
  }

  /** A summary can be asked again or continued until it is complete, also in a window that was opened later. */
  const listening = conversations.onDidChange((change) => {
    if (change.type !== 'turn' || !isAnswered(change.turn)) return;
    const found = conversations.find(change.turn.id);
    if (found === undefined) return;
    const { conversation, exchange, turn } = found;
    const { exchanges } = conversation;
    if (firstPartOf(exchanges, exchange).question.asked !== title()) return;
    if (!isFirstAnswer(exchanges, exchange, turn) || isRestAlone(exchanges, exchange.question, turn)) return;
    const { text } = toWholeAnswer(exchanges, exchange.question, turn);
    begin(conversation, text, !isDoubtful(turn));
  });

  return {
    async ask(conversationId, inputClosed) {
      const text = t(
        'Summarize this conversation so that it can continue without the earlier messages: the task, the decisions and their reasons, open points, and all names, paths, and figures that are needed.',
      );
      const chosen = readPreset(conversations.choices(conversationId).preset);
      if (!chosen.ok) return showIfRefused(chosen);
      // The preset limits the tools and the budget. Its instruction is not used, because it is for the user's questions.
      const limits = chosen.preset && limitsOf({ preset: chosen.preset });
      const question = { text, images: [], origin: undefined, asked: title(), ...limits };
      const asked = await askWithKeyPrompt(
        (options) => conversations.ask(conversationId, question, options),
        {},
        inputClosed,
      );
      await showIfRefused(asked);
    },
    dispose: () => listening.dispose(),
  };
}

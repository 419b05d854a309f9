/** `@k3` in the chat of the editor: a K3 conversation that is also shown there. */
import * as vscode from 'vscode';
import { toReplyEnd } from '../../chat/otherReply.ts';
import { foldShownText, NOTHING_SHOWN } from '../../chat/shownText.ts';
import type { Turn } from '../../chat/turn.ts';
import { readSettings } from '../base/settings.ts';
import { askWithKeyPrompt } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { OPEN_CONVERSATION } from '../conversations/conversationsTree.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { waitingCalls } from '../wording/turnLabels.ts';
import { toReplyError } from './otherChatErrors.ts';

const t = vscode.l10n.t;

export const PARTICIPANT = 'k3.participant';

export interface ChatParticipantDeps {
  readonly conversations: Pick<
    Conversations,
    'createAside' | 'get' | 'ask' | 'find' | 'stop' | 'delete' | 'onDidChange'
  >;
}

/** Registers the participant if the editor has a chat. */
export function registerChatParticipant({ conversations }: ChatParticipantDeps): vscode.Disposable {
  if (typeof vscode.chat?.createChatParticipant !== 'function') return new vscode.Disposable(() => undefined);
  const participant = vscode.chat.createChatParticipant(PARTICIPANT, (request, context, stream, token) =>
    handleRequest(conversations, request, context, stream, token),
  );
  participant.iconPath = new vscode.ThemeIcon('comment-discussion');
  return participant;
}

type Deps = ChatParticipantDeps['conversations'];

/** @returns a result with the ID of the conversation, in which later requests of the same chat continue */
export async function handleRequest(
  conversations: Deps,
  request: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
  context: vscode.ChatContext,
  stream: Pick<vscode.ChatResponseStream, 'markdown' | 'progress' | 'button'>,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const known = conversationOf(context, conversations);
  const id = known ?? conversations.createAside(toTitle(request.prompt)).id;
  if (request.references.length > 0)
    stream.progress(
      t('Attachments are not sent from this chat. To attach files, open the conversation in K3.'),
    );
  const question = { text: request.prompt, images: [], origin: undefined };
  const asked = await askWithKeyPrompt((options) => conversations.ask(id, question, options));
  if (!asked.ok) {
    if (known === undefined) conversations.delete(id);
    return { errorDetails: { message: describeRefusal(asked.refusal) } };
  }
  const cancelling = token.onCancellationRequested(() => conversations.stop(id));
  if (token.isCancellationRequested) conversations.stop(id);
  const turn = await streamTurn(conversations, asked.turnId, stream).finally(() => cancelling.dispose());
  const metadata = { conversationId: id };
  if (turn === undefined) return { metadata };
  stream.button({ command: OPEN_CONVERSATION, title: t('Open in K3'), arguments: [id] });
  if (turn.outcome === 'stopped') return { metadata };
  const end = toReplyEnd(turn, new Set());
  if (end.ok) return { metadata };
  return {
    metadata,
    errorDetails: {
      message: toReplyError(turn, end.problem, readSettings().prices).message,
      ...(turn.outcome === 'filtered' ? { responseIsFiltered: true } : {}),
    },
  };
}

/** Streams a turn. Resolves when it has ended; with undefined when its conversation was deleted. */
function streamTurn(
  conversations: Pick<Conversations, 'find' | 'onDidChange'>,
  turnId: string,
  stream: Pick<vscode.ChatResponseStream, 'markdown' | 'progress' | 'button'>,
): Promise<Turn | undefined> {
  return new Promise((resolve) => {
    let shown = NOTHING_SHOWN;
    let reasoningReported = false;
    let waitedFor = 0;
    const update = () => {
      const turn = conversations.find(turnId)?.turn;
      if (turn?.phase === 'reasoning' && !reasoningReported) {
        reasoningReported = true;
        stream.progress(t('Reasoning…'));
      }
      // Tool calls are shown in K3 only. Without this, the model would seem to be reasoning.
      if (turn !== undefined && waitingCalls(turn) > 0 && waitedFor < turn.rounds.length) {
        waitedFor = turn.rounds.length;
        stream.progress(t('Waiting for approval of a tool call'));
        stream.button({ command: 'k3.decideToolCall', title: t('Review…') });
      }
      if (turn !== undefined) {
        const now = foldShownText(shown, turn);
        shown = now.shown;
        if (now.added !== '') stream.markdown(now.added);
      }
      if (turn !== undefined && turn.outcome === undefined) return false;
      resolve(turn);
      return true;
    };
    if (update()) return;
    const listening = conversations.onDidChange(({ type }) => {
      if ((type === 'turn' || type === 'listed') && update()) listening.dispose();
    });
  });
}

/** The ID of the conversation of the last answer from K3 in this chat. */
function conversationOf(
  { history }: vscode.ChatContext,
  conversations: Pick<Conversations, 'get'>,
): string | undefined {
  for (const turn of history.toReversed()) {
    if (!(turn instanceof vscode.ChatResponseTurn) || turn.participant !== PARTICIPANT) continue;
    const id: unknown = turn.result.metadata?.['conversationId'];
    if (typeof id === 'string') return conversations.get(id)?.id;
  }
  return undefined;
}

/** In characters. */
const MAX_TITLE_LENGTH = 60;

function toTitle(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return line === '' ? t('From the editor’s chat') : Array.from(line).slice(0, MAX_TITLE_LENGTH).join('');
}

/** The read-only Markdown document of a conversation (`k3-conversation`), which its diagnostics refer to. */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import {
  type ConversationDocument,
  type DocumentWords,
  toDocument,
  toFileTitle,
} from '../../conversation/conversationMarkdown.ts';
import { isEarlyEnd } from '../../conversation/outcomes/notices.ts';
import { toReasoningFacts } from '../../conversation/reasoning/steps.ts';
import { allReasoning, latestResponse } from '../../conversation/rounds.ts';
import type { Outcome, Turn } from '../../conversation/turn.ts';
import { goesOn } from '../../requests/wholeAnswer.ts';
import type { Prices } from '../../service/prices.ts';
import { tokensText } from '../base/formats.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import { readSettings } from '../base/settings.ts';
import { toAccountLine } from '../wording/accountWords.ts';
import { callStateLabel, outcomeLabel } from '../wording/turnLabels.ts';
import { toOriginLabel } from '../workspace/originLabel.ts';
import type { Conversations } from './conversationList.ts';

const t = vscode.l10n.t;

export const CONVERSATION_SCHEME = 'k3-conversation';

/** The URI of a conversation's document. The title is only for the name of the tab; the ID identifies it. */
export function conversationUri(conversation: Conversation): vscode.Uri {
  return vscode.Uri.from({
    scheme: CONVERSATION_SCHEME,
    path: `/${toFileTitle(conversation.title, t('Conversation'))}.md`,
    query: `conversation=${conversation.id}`,
  });
}

export function conversationIdOf(uri: vscode.Uri): string | undefined {
  return new URLSearchParams(uri.query).get('conversation') ?? undefined;
}

// Conversations are immutable, so a cached document stays valid for its key.
const rendered = new WeakMap<Conversation, ConversationDocument>();

/** The text of a conversation's document and the line of each turn in it. */
export function renderConversation(conversation: Conversation): ConversationDocument {
  const known = rendered.get(conversation);
  if (known !== undefined) return known;
  const fresh = toDocument(conversation, toWords(conversation));
  rendered.set(conversation, fresh);
  return fresh;
}

/** The Markdown of a conversation as a file, with the reasoning, which has no document of its own there. */
export function exportConversation(conversation: Conversation): string {
  const words = toWords(conversation);
  return toDocument(conversation, {
    ...words,
    reasoning(turn) {
      const { tokens } = toReasoningFacts(turn);
      return tokens === undefined ? t('Reasoning') : `${t('Reasoning')} · ${tokensText(tokens)}`;
    },
    notes: (turn) => accountOf(turn, readSettings().prices),
  }).text;
}

const accountOf = (turn: Turn, prices: Prices): readonly string[] =>
  turn.outcome === undefined ? [] : [toAccountLine(turn, prices)];

/** How a turn ended. When a later exchange goes on from there, that is history, as in the chat. */
function describeEnd(exchanges: Conversation['exchanges'], turn: Turn, outcome: Outcome): string {
  const label = outcomeLabel(outcome);
  return isEarlyEnd(outcome) && goesOn(exchanges, turn)
    ? joinSentences([toSentence(label), t('Continued below.')])
    : label;
}

function toWords({ exchanges }: Conversation): DocumentWords {
  const { prices } = readSettings();
  return {
    you: t('You'),
    noAnswer: ({ outcome }) =>
      outcome === undefined ? t('The answer appears here when it is complete.') : t('No answer text.'),
    turnHeading(turn, attempt, attempts) {
      // The document is not updated with every phase, so it shows none.
      const state = turn.outcome === undefined ? t('running') : describeEnd(exchanges, turn, turn.outcome);
      const who = `${latestResponse(turn).responseModel ?? turn.request.model}: ${state}`;
      return attempts > 1 ? t('{0} (attempt {1} of {2})', who, attempt, attempts) : who;
    },
    origin: (origin) => t('About {0}', toOriginLabel(origin)),
    image: (name) => t('Image: {0}', name),
    context: ({ label }) => t('Context: {0}', label),
    call: ({ name, state }) => t('Tool call, {0}: {1}', name, callStateLabel(state)),
    notes(turn) {
      const { tokens } = toReasoningFacts(turn);
      return [
        ...accountOf(turn, prices),
        ...(tokens === undefined || allReasoning(turn) === ''
          ? []
          : [t('The reasoning ({0}) is in a separate document.', tokensText(tokens))]),
      ].filter((note) => note !== '');
    },
  };
}

export interface ConversationDocumentDeps {
  readonly conversations: Pick<Conversations, 'get' | 'onDidChange'>;
}

/** Provides the documents. They are updated after each turn, not with each delta. */
export function registerConversationDocument({ conversations }: ConversationDocumentDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const refresh = (conversationId: string | undefined) => {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== CONVERSATION_SCHEME) continue;
      if (conversationId === undefined || conversationIdOf(uri) === conversationId) changed.fire(uri);
    }
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(CONVERSATION_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent(uri) {
        const conversation = conversations.get(conversationIdOf(uri) ?? '');
        return conversation === undefined
          ? t('This conversation no longer exists.')
          : renderConversation(conversation).text;
      },
    }),
    conversations.onDidChange((change) => {
      if (change.type === 'listed') refresh(undefined);
      if (change.type === 'exchange' || change.type === 'replaced') refresh(change.conversationId);
      if (change.type === 'turn' && change.turn.outcome !== undefined) refresh(change.conversationId);
    }),
  );
}

/** The read-only Markdown document of a conversation (`k3-conversation`), which its diagnostics refer to. */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import {
  type ConversationDocument,
  toDocument,
  toFileTitle,
} from '../../conversation/conversationMarkdown.ts';
import type { Prices } from '../../service/prices.ts';
import { readSettings } from '../settings/settings.ts';
import { toDocumentWords, toExportWords } from './conversationDocumentWords.ts';
import type { Conversations } from './conversationList.ts';

const t = vscode.l10n.t;

export const CONVERSATION_SCHEME = 'k3-conversation';

/** The URI of a conversation's document. The ID in it identifies the conversation; the title is only for the name of the tab. */
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

// Conversations are immutable, so a cached document stays valid until the prices change.
const rendered = new WeakMap<Conversation, ConversationDocument & { readonly prices: Prices }>();

/** The text of a conversation's document and the line of each turn in it. */
export function renderConversation(conversation: Conversation): ConversationDocument {
  const { prices } = readSettings();
  const known = rendered.get(conversation);
  if (known?.prices === prices) return known;
  const fresh = { ...toDocument(conversation, toDocumentWords(conversation)), prices };
  rendered.set(conversation, fresh);
  return fresh;
}

/** The Markdown of a conversation for a file. It includes the reasoning, because the file has no separate document for it. */
export function exportConversation(conversation: Conversation): string {
  return toDocument(conversation, toExportWords(conversation)).text;
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
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('k3.prices')) refresh(undefined);
    }),
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

/** The reasoning of a turn as a read-only document (`k3-reasoning`) that can be read, copied, and compared. */
import * as vscode from 'vscode';
import type { Exchange } from '../../conversation/conversation.ts';
import { toFenced, toFileTitle } from '../../conversation/conversationMarkdown.ts';
import { allReasoning } from '../../conversation/rounds.ts';
import type { Turn } from '../../conversation/turn.ts';
import { createThrottle, type Throttle } from '../base/throttle.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { type Found, findOnBranches } from '../conversations/foundTurns.ts';
import { questionLine } from '../wording/questionLine.ts';

const t = vscode.l10n.t;

export const REASONING_SCHEME = 'k3-reasoning';

/** How often an open document is updated while its turn runs. In milliseconds. */
const REFRESH_MS = 1000;

/**
 * The URI of the document with the reasoning of a turn. It contains the title, so it changes with the question and the number of
 * attempts.
 */
export function reasoningUri({ conversation, exchange, turn }: Found): vscode.Uri {
  return vscode.Uri.from({
    scheme: REASONING_SCHEME,
    path: `/${t('Reasoning – {0}', toFileTitle(attemptTitle(exchange, turn), t('untitled')))}.md`,
    query: `turn=${turn.id}&conversation=${conversation.id}`,
  });
}

function turnIdOf(uri: vscode.Uri): string {
  return new URLSearchParams(uri.query).get('turn') ?? '';
}

function conversationIdOf(uri: vscode.Uri): string {
  return new URLSearchParams(uri.query).get('conversation') ?? '';
}

/** The number of a turn among the attempts of its question. Counts from 1. */
export function attemptOf(exchange: Exchange, turnId: string): number {
  return exchange.attempts.findIndex(({ id }) => id === turnId) + 1;
}

/**
 * The first line of the question. From the second attempt on, the attempt number comes first, so that it is not cut
 * off.
 */
export function attemptTitle(exchange: Exchange, turn: Turn): string {
  const attempt = attemptOf(exchange, turn.id);
  const line = questionLine(exchange, turn);
  return attempt > 1 ? t('attempt {0}, {1}', attempt, line) : line;
}

interface OpenDocument {
  readonly turnId: string;
  readonly conversationId: string;
  readonly throttle: Throttle;
}

/** Registers the documents. The document of a running turn is updated while it runs. */
export function registerReasoningDocuments({
  conversations,
}: {
  readonly conversations: Pick<Conversations, 'get' | 'onDidChange'>;
}): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** Open documents by URI. A turn can have several, one for each title that it has had. */
  const open = new Map<string, OpenDocument>();
  const add = ({ uri }: vscode.TextDocument) => {
    if (uri.scheme === REASONING_SCHEME) {
      open.set(uri.toString(), {
        turnId: turnIdOf(uri),
        conversationId: conversationIdOf(uri),
        throttle: createThrottle(REFRESH_MS, () => changed.fire(uri)),
      });
    }
  };
  const remove = ({ uri }: vscode.TextDocument) => {
    open.get(uri.toString())?.throttle.dispose();
    open.delete(uri.toString());
  };
  const refresh = (isOne: (document: OpenDocument) => boolean) => {
    for (const document of open.values()) if (isOne(document)) document.throttle.call();
  };
  for (const document of vscode.workspace.textDocuments) add(document);
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidOpenTextDocument(add),
    vscode.workspace.onDidCloseTextDocument(remove),
    vscode.workspace.registerTextDocumentContentProvider(REASONING_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => {
        // Loads the conversation: a restored tab asks for its content before the conversation is opened.
        const conversation = conversations.get(conversationIdOf(uri));
        const turn = conversation && findOnBranches(conversation, turnIdOf(uri))?.turn;
        return toFenced(turn === undefined ? t('This turn no longer exists.') : allReasoning(turn)).text;
      },
    }),
    conversations.onDidChange((change) => {
      // Another window may have changed a conversation that is no longer in memory here.
      if (change.type === 'listed') refresh(() => true);
      // The conversation was deleted or restored, or another window continues it.
      if (change.type === 'replaced') refresh((one) => one.conversationId === change.conversationId);
      if (change.type !== 'turn' || change.turn.reasoning.length === change.before.reasoning.length) return;
      refresh(({ turnId }) => turnId === change.turn.id);
    }),
    new vscode.Disposable(() => {
      for (const { throttle } of open.values()) throttle.dispose();
    }),
  );
}

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

/** The URI of the document with the reasoning of a turn. */
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

/** Registers the documents. The one of a running turn follows it. */
export function registerReasoningDocuments({
  conversations,
}: {
  readonly conversations: Pick<Conversations, 'get' | 'onDidChange'>;
}): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** The throttles of open documents, by turn id. */
  const open = new Map<string, Throttle>();
  const add = ({ uri }: vscode.TextDocument) => {
    if (uri.scheme === REASONING_SCHEME) {
      open.set(
        turnIdOf(uri),
        createThrottle(REFRESH_MS, () => changed.fire(uri)),
      );
    }
  };
  const remove = ({ uri }: vscode.TextDocument) => {
    if (uri.scheme !== REASONING_SCHEME) return;
    open.get(turnIdOf(uri))?.dispose();
    open.delete(turnIdOf(uri));
  };
  const refresh = (conversationId: string) => {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === REASONING_SCHEME && conversationIdOf(uri) === conversationId)
        open.get(turnIdOf(uri))?.call();
    }
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
      // Its conversation was deleted or restored, or another window goes on with it.
      if (change.type === 'replaced') refresh(change.conversationId);
      if (change.type !== 'turn' || change.turn.reasoning.length === change.before.reasoning.length) return;
      open.get(change.turn.id)?.call();
    }),
    new vscode.Disposable(() => {
      for (const throttle of open.values()) throttle.dispose();
    }),
  );
}

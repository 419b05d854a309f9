/** The problems of turns in the Problems view: diagnostics on the conversation's document. */
import * as vscode from 'vscode';
import {
  askedQuestion,
  type Conversation,
  type Exchange,
  shownTurn,
} from '../../conversation/conversation.ts';
import { sentImagesOf } from '../../conversation/images/sentImages.ts';
import {
  isAboutEnd,
  type Notice,
  type NoticeCode,
  type Severity,
  severityOf,
  toNotices,
} from '../../conversation/outcomes/notices.ts';
import { isFailurePast, type Now } from '../../conversation/outcomes/pastFailure.ts';
import type { Turn } from '../../conversation/turn.ts';
import { isLossSaid, latestWith, NO_TURN } from '../../conversation/turnBefore.ts';
import { goesOn } from '../../requests/wholeAnswer.ts';
import type { Prices } from '../../service/prices.ts';
import { joinSentences } from '../base/sentences.ts';
import { noticeText, serviceLine } from '../cards/noticeText.ts';
import { type Routes, toNow } from '../connection/routes.ts';
import { conversationUri, renderConversation } from '../conversations/conversationDocument.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { readSettings } from '../settings/settings.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import type { DismissedProblems } from './dismissedProblems.ts';

const t = vscode.l10n.t;

export interface Problem {
  readonly turnId: string;
  readonly notice: Notice;
  readonly diagnostic: vscode.Diagnostic;
}

export interface Problems extends vscode.Disposable {
  /** The problems of a conversation's document. */
  on(uri: vscode.Uri): readonly Problem[];
  /** The ID of the conversation of a turn that has problems, even if the conversation is not in memory. */
  conversationOf(turnId: string): string | undefined;
  /** Hides one problem of a turn. */
  dismiss(turnId: string, code: NoticeCode): void;
  /** Fires when the problems of a document change. */
  readonly onDidChange: vscode.Event<vscode.Uri>;
}

export interface TurnProblemsDeps {
  readonly conversations: Pick<
    Conversations,
    'list' | 'current' | 'front' | 'loaded' | 'get' | 'revision' | 'find' | 'markSeen' | 'onDidChange'
  >;
  readonly structured: Pick<StructuredAnswers, 'judged' | 'onDidJudge'>;
  readonly routes: Pick<Routes, 'active' | 'named' | 'onDidChange'>;
  readonly dismissed: DismissedProblems;
}

interface Published {
  readonly uri: vscode.Uri;
  readonly problems: readonly Problem[];
  /** The entry of the conversation in the list, as JSON. */
  readonly row: string | undefined;
  /** The revision of the conversation in the database; undefined if it couldn't be read. */
  readonly revision: number | undefined;
}

/**
 * Creates the diagnostics. Only shown attempts have problems, so a retry removes those of the attempt before. A failure whose cause is
 * gone is no problem anymore, nor is the end of an answer that a later exchange continues.
 */
export function createTurnProblems(deps: TurnProblemsDeps): Problems {
  const { conversations, structured, routes, dismissed } = deps;
  const collection = vscode.languages.createDiagnosticCollection('k3');
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** By conversation id. */
  const published = new Map<string, Published>();

  /** @param revision the revision of a conversation that is read from the database, if it is known already */
  function update(conversationId: string, list = conversations.list(), revision?: number): void {
    const conversation = conversations.get(conversationId);
    const before = published.get(conversationId);
    const uri = conversation === undefined ? undefined : conversationUri(conversation);
    if (before !== undefined && before.uri.toString() !== uri?.toString()) {
      collection.delete(before.uri);
      published.delete(conversationId);
    }
    if (conversation === undefined || uri === undefined) return;
    const now = toNow(routes, conversations.loaded());
    const all = toProblems(conversation, readSettings().prices, structured.judged, now);
    const problems = all.filter(({ turnId, notice }) => !dismissed.has(turnId, notice.code));
    // Marked as seen, so that the status bar doesn't warn of problems that were dismissed before a reload.
    for (const one of all) if (!problems.includes(one)) conversations.markSeen(one.turnId, one.notice.code);
    if (problems.length === 0 && published.get(conversationId) === undefined) return;
    published.set(conversationId, {
      uri,
      problems,
      row: JSON.stringify(list.find(({ id }) => id === conversationId)),
      revision: revision ?? conversations.revision(conversationId),
    });
    collection.set(
      uri,
      problems.map(({ diagnostic }) => diagnostic),
    );
    changed.fire(uri);
  }

  /**
   * Updates conversations that are loaded or deleted. Of those that are only in the database, updates the ones that another window has
   * changed.
   */
  function updatePublished(): void {
    const loaded = new Set(conversations.loaded().map(({ id }) => id));
    const list = conversations.list();
    const rows = new Map(list.map((one) => [one.id, one]));
    // Each query of a database that another program has locked takes time.
    let isReadable = true;
    for (const [id, before] of [...published]) {
      if (loaded.has(id) || JSON.stringify(rows.get(id)) !== before.row) {
        update(id, list);
        continue;
      }
      const revision: number | undefined = isReadable ? conversations.revision(id) : undefined;
      isReadable = revision !== undefined;
      if (revision !== undefined && revision !== before.revision) update(id, list, revision);
    }
  }

  const conversationOf = (turnId: string): string | undefined =>
    [...published].find(([, { problems }]) => problems.some((one) => one.turnId === turnId))?.[0];

  const listening = conversations.onDidChange((change) => {
    // The problems of a deleted conversation are removed, and those of a renamed one move to its new document.
    if (change.type === 'listed') updatePublished();
    if (change.type === 'opened') update(conversations.current().id);
    // A tab can show another conversation than the side bar.
    if (change.type === 'front') update(conversations.front().id);
    if (change.type === 'exchange' || change.type === 'replaced') update(change.conversationId);
    if (change.type === 'turn' && change.turn.outcome !== undefined) update(change.conversationId);
  });
  const judging = structured.onDidJudge((turnId) => {
    const found = conversations.find(turnId);
    if (found !== undefined) update(found.conversation.id);
  });
  const switching = routes.onDidChange(() => {
    updatePublished();
    // A failure that no longer counted when the conversations were opened may count again.
    for (const { id } of [conversations.current(), conversations.front()]) if (!published.has(id)) update(id);
  });
  /** Another window may have dismissed problems. */
  const focusing = vscode.window.onDidChangeWindowState(({ focused }) => {
    for (const [id, { problems }] of focused ? [...published] : [])
      if (problems.some(({ turnId, notice }) => dismissed.has(turnId, notice.code))) update(id);
  });
  update(conversations.current().id);

  return {
    on: (uri) => [...published.values()].find((one) => one.uri.toString() === uri.toString())?.problems ?? [],
    conversationOf,
    dismiss(turnId, code) {
      dismissed.add(turnId, code);
      const id = conversationOf(turnId);
      if (id === undefined) return;
      conversations.markSeen(turnId, code);
      update(id);
      if (conversationOf(turnId) === undefined) conversations.markSeen(turnId);
    },
    onDidChange: changed.event,
    dispose() {
      listening.dispose();
      judging.dispose();
      switching.dispose();
      focusing.dispose();
      collection.dispose();
      changed.dispose();
    },
  };
}

function toProblems(
  conversation: Conversation,
  prices: Prices,
  judged: StructuredAnswers['judged'],
  now: Now,
): readonly Problem[] {
  // The latest turn before each exchange, as `latestBefore` finds it for one turn. Calling that for each turn would take quadratic
  // time.
  let latest = NO_TURN;
  return conversation.exchanges.flatMap((exchange) => {
    const turn = shownTurn(exchange);
    if (turn === undefined) return [];
    const before = latest;
    latest = latestWith(latest, turn);
    return toNotices(turn, before.turn, judged(turn, exchange.question))
      .filter(({ code }) => code !== 'failed' || !isFailurePast(turn, conversation.id, now))
      .filter((notice) => !isAboutEnd(notice) || !goesOn(conversation.exchanges, turn))
      .filter((notice) => !isLossSaid(notice, before))
      .map((notice) => ({
        turnId: turn.id,
        notice,
        diagnostic: toDiagnostic(notice, turn, exchange, conversation, prices),
      }));
  });
}

const SEVERITY: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Notices about how a turn ended, which the service may have explained. */
const ENDS: ReadonlySet<NoticeCode> = new Set(['failed', 'stalled', 'filtered', 'interrupted']);

function toDiagnostic(
  notice: Notice,
  turn: Turn,
  exchange: Exchange,
  conversation: Conversation,
  prices: Prices,
): vscode.Diagnostic {
  const { origin } = askedQuestion(exchange, turn);
  const line = renderConversation(conversation).lines.get(turn.id) ?? 0;
  const range = new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER);
  const text = noticeText(notice, turn, prices, sentImagesOf(conversation, exchange.id));
  const message = joinSentences([text, ENDS.has(notice.code) ? serviceLine(turn) : '']);
  const diagnostic = new vscode.Diagnostic(range, message, SEVERITY[severityOf(notice.code)]);
  diagnostic.source = 'K3';
  diagnostic.code = notice.code;
  if (origin !== undefined) {
    const place = new vscode.Range(origin.startLine, 0, origin.endLine, Number.MAX_SAFE_INTEGER);
    diagnostic.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(
        new vscode.Location(vscode.Uri.parse(origin.uri), place),
        t('The question refers to this code.'),
      ),
    ];
  }
  return diagnostic;
}

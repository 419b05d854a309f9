/**
 * Answers that end while the user looks elsewhere: a badge on the chat view while no panel shows the conversation, and
 * a notification while the window isn't focused (`k3.notify`).
 */
import * as vscode from 'vscode';
import { type NoticeCode, toNotices } from '../../conversation/outcomes/notices.ts';
import type { Turn } from '../../conversation/turn.ts';
import { COMMIT_MESSAGE_PREFIX } from '../../panel/usage.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { joinList } from '../base/sentences.ts';
import { noticeTitle } from '../cards/noticeTitles.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Notify } from '../settings/settings.ts';
import { outcomeLabel } from '../wording/turnLabels.ts';

const t = vscode.l10n.t;

export interface ArrivalsDeps {
  readonly conversations: Pick<Conversations, 'onDidChange' | 'list' | 'isSeen' | 'find'>;
  /** Whether a visible panel shows a conversation. */
  isShown(conversationId: string): boolean;
  isWindowFocused(): boolean;
  setting(): Notify;
  /** @param count of conversations with answers that were not shown; undefined removes the badge */
  showBadge(count: number | undefined): void;
  /** Resolves with the button that was pressed. */
  notify(message: string, button: string): Thenable<string | undefined>;
  open(conversationId: string): void;
  readonly log: Pick<Log, 'warn'>;
}

export interface Arrivals extends vscode.Disposable {
  /** A panel shows this conversation now. */
  shown(conversationId: string): void;
}

export function watchArrivals(deps: ArrivalsDeps): Arrivals {
  const { conversations, log } = deps;
  const running = new Set<string>();
  const unseen = new Set<string>();

  const titleOf = (id: string) => conversations.list().find((one) => one.id === id)?.title;
  const showBadge = () => deps.showBadge(unseen.size === 0 ? undefined : unseen.size);

  /**
   * Whether a turn is the commit message that a command asked for. That command reports its end and deletes the
   * conversation. Later answers in such a conversation count like any other.
   */
  function isCommitMessage(conversationId: string, { id }: Turn): boolean {
    const found = conversationId.startsWith(COMMIT_MESSAGE_PREFIX) ? conversations.find(id) : undefined;
    return found?.conversation.exchanges.length === 1 && found.exchange.attempts.length === 1;
  }

  function arrived(conversationId: string, title: string, turn: Turn): void {
    // The editor’s own chat also counts, because it shows the answers of @k3.
    const isShown = deps.isShown(conversationId) || conversations.isSeen(turn.id);
    if (!isShown && !unseen.has(conversationId)) {
      unseen.add(conversationId);
      showBadge();
    }
    if (wantsNotification(deps.setting(), isShown, deps.isWindowFocused()))
      inBackground(log, notify(conversationId, title, turn), 'notifying of an answer');
  }

  async function notify(conversationId: string, title: string, turn: Turn): Promise<void> {
    const problem = problemOf(turn);
    const message =
      problem === undefined
        ? t('svc-k3 answered in “{0}”.', title)
        : t('The answer in “{0}” ended with a problem: {1}.', title, problem);
    const show = t('Show Answer');
    if ((await deps.notify(message, show)) === show) deps.open(conversationId);
  }

  const listening = conversations.onDidChange((change) => {
    if (change.type === 'listed') {
      const listed = new Set(conversations.list().map(({ id }) => id));
      const before = unseen.size;
      for (const id of unseen) if (!listed.has(id)) unseen.delete(id);
      if (unseen.size !== before) showBadge();
    }
    if (change.type !== 'turn') return;
    const { turn, conversationId } = change;
    if (turn.outcome === undefined) {
      running.add(turn.id);
      return;
    }
    if (!running.delete(turn.id) || turn.outcome === 'stopped' || isCommitMessage(conversationId, turn))
      return;
    const title = titleOf(conversationId);
    if (title !== undefined) arrived(conversationId, title, turn);
  });

  return {
    shown(conversationId) {
      if (unseen.delete(conversationId)) showBadge();
    },
    dispose: () => listening.dispose(),
  };
}

/**
 * The problem that a notification reports, if any. The notices of `TOLD` are reported even if the turn is complete: it has
 * no answer yet because its tool calls were not run, or another model answered.
 */
function problemOf(turn: Turn): string | undefined {
  const isEnded = turn.outcome !== undefined && turn.outcome !== 'complete';
  const told = toNotices(turn, undefined).filter(({ code }) => TOLD.has(code));
  const problems = told.map((notice) => noticeTitle(notice, turn));
  return joinList(isEnded ? [outcomeLabel(turn.outcome), ...problems] : problems) || undefined;
}

const TOLD: ReadonlySet<NoticeCode> = new Set(['model-substituted', 'rounds-spent', 'calls-not-run']);

function wantsNotification(setting: Notify, isShown: boolean, isWindowFocused: boolean): boolean {
  if (setting === 'off') return false;
  return !isWindowFocused || (setting === 'always' && !isShown);
}

/**
 * One webview that shows a conversation: sends a snapshot, then numbered changes, and receives intents. Used by the
 * side bar and by editor tabs.
 */
import type * as vscode from 'vscode';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { describeWrong } from '../../validation/decode.ts';
import type { Log } from '../base/log.ts';
import type { Composers } from '../composer/composers.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { Starters } from '../composer/starters.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import type { ContextChoices } from '../context/contextChoices.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Findings } from '../findings/findingList.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { Storage } from '../storage/storage.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import type { ToolApprovals } from '../tools/toolApprovals.ts';
import type { ToolSet } from '../tools/toolSet.ts';
import type { ShownSymbols } from '../workspace/shownSymbols.ts';
import { createDraftSync } from './draftSync.ts';
import { createExchangeWindow } from './exchangeWindow.ts';
import { createFocusReturn } from './focusReturn.ts';
import type { InputEscape } from './inputEscape.ts';
import type { Intents } from './intents.ts';
import { createOutgoingText } from './outgoingText.ts';
import { createPageBox } from './pageBox.ts';
import { createPageConversation } from './pageConversation.ts';
import { createPanelChannel } from './panelChannel.ts';
import { createPanelCommands, type PanelCommands } from './panelCommands.ts';
import { listenForPanel } from './panelListeners.ts';
import { createPanelPosts } from './panelPosts.ts';
import { createPanelReceiver } from './panelReceiver.ts';
import { createPanelViews, type PanelViewsDeps } from './panelViews.ts';
import { toShownAppended, toShownWhole } from './shownAnswer.ts';
import { createTurnPosts } from './turnPosts.ts';
import { decodePageMessage, typeOf } from './webviewMessages.ts';

export interface ChatPanelDeps {
  readonly conversations: Conversations;
  readonly routes: Routes;
  readonly turns: PanelViewsDeps['turns'];
  readonly probes: Pick<RouteProbes, 'lackOf' | 'works' | 'onDidChange'>;
  readonly intents: Intents;
  readonly storage: Pick<Storage, 'banner' | 'history' | 'onDidChange' | 'onDidOpen'>;
  readonly composers: Composers;
  readonly proposals: Pick<Proposals, 'ofTurn' | 'onDidChange'>;
  readonly findings: Pick<Findings, 'placementsOf' | 'onDidPlace'>;
  readonly structured: Pick<StructuredAnswers, 'judged' | 'onDidJudge'>;
  readonly tools: Pick<ToolSet, 'chosen' | 'titleOf' | 'onDidChange'>;
  readonly approvals: Pick<ToolApprovals, 'waitingFor'>;
  readonly choices: ContextChoices;
  readonly prompts: Pick<Prompts, 'choices' | 'text'>;
  readonly starters: Pick<Starters, 'list' | 'onDidChange'>;
  readonly symbols: Pick<ShownSymbols, 'filterKnown' | 'open'>;
  /** The page shows this conversation now. */
  readonly onShown: (conversationId: string) => void;
  /** The page has got the focus, or lost it. */
  readonly onFocusMoved: (here: boolean) => void;
  /** Gives the focus to the view or tab of the page. */
  readonly takeFocus: () => void;
  /** Whether commands act on this panel. */
  readonly isInFront: () => boolean;
  readonly watchEscape: InputEscape['watch'];
  readonly log: Pick<Log, 'warn'>;
}

export interface ChatPanel extends vscode.Disposable {
  /** Shows another conversation. */
  show(conversationId: string): void;
  /** Tells the page what to do, now or when it is ready. */
  readonly send: PanelCommands['send'];
  /** Gives the focus to the view or tab of the page. */
  focus(): void;
  /** The focus went elsewhere: a page that is still loading no longer takes it. */
  forgetFocus(): void;
  /** Whether the page is visible and shows this conversation; by default, any. */
  isShowing(conversationId?: string): boolean;
  /** The id of its conversation, also while it is hidden. */
  id(): string;
  /** The title of its conversation. */
  title(): string;
  /** The id of its conversation while the panel is visible, even if its page is still loading; undefined while it is hidden. */
  visibleId(): string | undefined;
  /** Nothing is sent to a hidden panel. When it is shown again, its page asks for a snapshot. */
  setVisible(visible: boolean): void;
}

export function createChatPanel(
  webview: vscode.Webview,
  firstConversation: string,
  deps: ChatPanelDeps,
): ChatPanel {
  const { conversations, log } = deps;
  const page = createPageConversation(firstConversation, {
    isUnread: conversations.isUnread,
    isKnown: (id) => (conversations.get(id) ?? conversations.deleted(id)) !== undefined,
    isBegun: deps.composers.isBegun,
  });
  let visible = true;

  const conversation = () =>
    conversations.get(page.id()) ?? conversations.deleted(page.id()) ?? conversations.current();
  const channel = createPanelChannel({ webview, log });
  const window = createExchangeWindow();
  const box = createPageBox(deps.composers);
  const views = createPanelViews({ ...deps, page: box.page, opened: page.opened });
  const text = createOutgoingText({
    shown(question, turn) {
      const whole = toWholeAnswer(conversation().exchanges, question, turn);
      return toShownWhole(question, turn, whole, deps.findings.placementsOf(turn.id));
    },
    shownAppended: toShownAppended,
  });
  const turns = createTurnPosts({
    channel,
    text,
    view: (exchangeId, turn) => views.turn(conversation(), exchangeId, turn),
  });
  const drafts = createDraftSync({
    draftOf: (id) => deps.composers.of(id).draft,
    send: (draft) => channel.send({ type: 'draft', text: draft }),
  });
  const posts = createPanelPosts({
    channel,
    views,
    window,
    text,
    turns,
    conversation,
    isDeleted: (id) => conversations.get(id) === undefined,
    onShown(id) {
      page.shown(id);
      box.shown(id);
      drafts.shown(id, channel.next());
      deps.onShown(id);
    },
  });
  const commands = createPanelCommands({ channel, posts });
  const focus = createFocusReturn({
    onMoved: deps.onFocusMoved,
    watchEscape: deps.watchEscape,
    regain(to) {
      // The user has hidden or closed the panel meanwhile, so it must not be opened again.
      if (!channel.isOpen()) return;
      deps.takeFocus();
      commands.send({ type: to === 'message-box' ? 'focus' : 'refocus' });
    },
  });
  const receiver = createPanelReceiver({
    ...deps,
    page: box.page,
    onUsed: page.used,
    channel,
    posts,
    drafts,
    focus,
    conversation,
    shownId: page.id,
    onReady,
  });

  function onReady(isNew: boolean): void {
    channel.open();
    if (isNew) box.loaded();
    drafts.opened();
    posts.snapshot();
    commands.ready();
  }

  function resume(): void {
    if (page.resume()) window.toEnd(conversation().exchanges.length);
  }

  function close(): void {
    channel.close();
    turns.cancel();
    receiver.typingEnded();
    deps.onFocusMoved(false);
  }

  function changed(conversationId: string): void {
    if (conversationId === page.id() && deps.isInFront()) page.used();
  }

  const listeners = [
    deps.composers.onDidChange((change) => changed(change.conversationId)),
    conversations.onDidChange((change) => change.type === 'exchange' && changed(change.conversationId)),
    webview.onDidReceiveMessage((message: unknown) => {
      const decoded = decodePageMessage(message);
      if (decoded.ok) receiver.receive(decoded.value);
      else
        log.warn(`a message of the page, ${typeOf(message)}, was dropped: ${describeWrong(decoded.wrong)}`);
    }),
    ...listenForPanel(deps, { channel, posts, drafts, shownId: page.id, openedId: page.opened, resume }),
  ];

  return {
    show(id) {
      page.open(id);
      window.toEnd(conversation().exchanges.length);
      if (channel.isOpen()) posts.snapshot();
    },
    send: commands.send,
    focus: deps.takeFocus,
    forgetFocus: commands.forgetFocus,
    isShowing: (id = page.id()) => channel.isOpen() && id === page.id(),
    id: page.id,
    title: () => conversation().title,
    visibleId: () => (visible ? page.id() : undefined),
    setVisible(now) {
      visible = now;
      if (!now) close();
    },
    dispose() {
      close();
      box.closed();
      receiver.dispose();
      for (const listener of listeners) listener.dispose();
    },
  };
}

/** One webview with a conversation in it: snapshot, then numbered changes; intents back. The same for side bar and tab. */
import type * as vscode from 'vscode';
import { findPlaces } from '../../chat/find.ts';
import { type Conversation, type Exchange, shownTurn, type Turn } from '../../chat/turn.ts';
import { describeWrong } from '../../decode/decode.ts';
import type { HostMessage, PageMessage } from '../../panel/messages.ts';
import type { PanelState } from '../../panel/views.ts';
import {
  endWindow,
  type PanelWindow,
  widenToEarlier,
  widenToLater,
  windowAround,
} from '../../panel/window.ts';
import { PANEL_WORDS } from '../../panel/words.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { toWords } from '../base/panelWords.ts';
import { readSettings } from '../base/settings.ts';
import type { Composers } from '../composer/composers.ts';
import type { ContextChoices } from '../composer/contextChoices.ts';
import type { Routes } from '../connection/routes.ts';
import type { Place } from '../conversations/conversationSearch.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Findings } from '../findings/findings.ts';
import type { Proposals } from '../proposals/proposals.ts';
import { toProposalViews } from '../proposals/proposalViews.ts';
import type { Storage } from '../storage/storage.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import type { ToolSet } from '../tools/toolSet.ts';
import type { Intents } from './intents.ts';
import { createPacer } from './pacer.ts';
import { createPanelViews } from './panelViews.ts';
import { decodePageMessage } from './webviewMessages.ts';

export interface ChatPanelDeps {
  readonly conversations: Conversations;
  readonly routes: Routes;
  readonly intents: Intents;
  readonly storage: Pick<Storage, 'banner' | 'onDidChange'>;
  readonly composers: Composers;
  readonly proposals: Pick<Proposals, 'ofTurn' | 'onDidChange'>;
  readonly findings: Pick<Findings, 'placementsOf' | 'onDidPlace'>;
  readonly structured: Pick<StructuredAnswers, 'judged' | 'onDidJudge'>;
  readonly tools: Pick<ToolSet, 'all' | 'chosen' | 'onDidChange'>;
  readonly choices: ContextChoices;
  readonly log: Pick<Log, 'warn'>;
}

/** What a panel does once, when it can. */
export type Errand = { readonly type: 'focus' } | ({ readonly type: 'reveal' } & Place);

export interface ChatPanel extends vscode.Disposable {
  /** Shows another conversation. */
  show(conversationId: string): void;
  conversationId(): string;
  /** Sends at once, or when the page is ready. */
  send(message: Errand): void;
  refresh(): void;
  /** While hidden nothing is sent; on showing, the webview asks for a snapshot. */
  setVisible(visible: boolean): void;
}

export function createChatPanel(
  webview: vscode.Webview,
  firstConversation: string,
  deps: ChatPanelDeps,
): ChatPanel {
  const { conversations, routes, intents } = deps;
  let conversationId = firstConversation;
  let live = false;
  let seq = 0;
  let errands: readonly Errand[] = [];
  let shownWindow: PanelWindow = endWindow(0);
  let reachesEnd = true;
  let shownPrices = JSON.stringify(readSettings().prices);
  const views = createPanelViews(deps);
  const shownProposals = new Map<string, string>();
  const pacer = createPacer();
  const asker = deps.choices.createAsker();

  const conversation = () => conversations.get(conversationId) ?? conversations.current();

  function post(message: HostMessage): void {
    void webview.postMessage(message);
  }

  function snapshot(): void {
    pacer.clear();
    const open = conversation();
    conversationId = open.id;
    // Exchanges come while the page is hidden, and go, as to a branch; a window that reached the end still does.
    const count = open.exchanges.length;
    if (shownWindow.to > count || shownWindow.to === 0) shownWindow = endWindow(count);
    else if (reachesEnd) shownWindow = { ...shownWindow, to: count };
    reachesEnd = shownWindow.to === count;
    views.clear();
    seq = 1;
    post({ type: 'snapshot', seq, panel: toPanelState(open) });
  }

  function toPanelState(open: Conversation): PanelState {
    return {
      conversationId: open.id,
      earlier: shownWindow.from,
      later: open.exchanges.length - shownWindow.to,
      exchanges: views.exchanges(open, shownWindow),
      surroundings: views.surroundings(open),
      draft: deps.composers.of(open.id).draft,
      now: Date.now(),
      words: toWords(PANEL_WORDS),
    };
  }

  const exchangeOf = (exchangeId: string) => conversation().exchanges.find(({ id }) => id === exchangeId);

  function showEarlier(): void {
    const open = conversation();
    const before = shownWindow;
    shownWindow = widenToEarlier(before);
    const exchanges = views.exchanges(open, { from: shownWindow.from, to: before.from });
    post({ type: 'earlier', seq: ++seq, earlier: shownWindow.from, exchanges });
  }

  function showLater(): void {
    const open = conversation();
    const before = shownWindow;
    shownWindow = widenToLater(before, open.exchanges.length);
    reachesEnd = shownWindow.to === open.exchanges.length;
    const exchanges = views.exchanges(open, { from: before.to, to: shownWindow.to });
    post({ type: 'later', seq: ++seq, later: open.exchanges.length - shownWindow.to, exchanges });
  }

  function showExchange(exchangeId: string): void {
    const { exchanges } = conversation();
    const index = exchanges.findIndex(({ id }) => id === exchangeId);
    const wanted = index === -1 ? shownWindow : windowAround(shownWindow, index, exchanges.length);
    if (wanted === shownWindow) return;
    shownWindow = wanted;
    reachesEnd = false;
    snapshot();
  }

  function postSurroundings(): void {
    if (live) post({ type: 'surroundings', seq: ++seq, surroundings: views.surroundings(conversation()) });
  }

  function postTurn(exchangeId: string, turn: Turn): void {
    post({
      type: 'turn',
      seq: ++seq,
      exchangeId,
      turn: views.turn(conversation(), exchangeId, turn),
    });
  }

  function postText(exchangeId: string, turn: Turn): void {
    const delta = views.takeDelta(exchangeOf(exchangeId), turn);
    if (delta === undefined) return;
    pacer.textWent();
    post({ type: 'text', seq: ++seq, turnId: turn.id, ...delta });
  }

  function onExchange(exchange: Exchange): void {
    pacer.clear();
    const open = conversation();
    const index = open.exchanges.findIndex(({ id }) => id === exchange.id);
    if (index < shownWindow.from) return;
    if (index >= shownWindow.to && shownWindow.to < open.exchanges.length - 1) {
      // The reader was further up, and asked: the answer is at the end.
      shownWindow = endWindow(open.exchanges.length);
      reachesEnd = true;
      snapshot();
      return;
    }
    shownWindow = { ...shownWindow, to: Math.max(shownWindow.to, index + 1) };
    post({ type: 'exchange', seq: ++seq, exchange: views.exchange(open, exchange) });
    // The one before is no longer the last, so its cards offer nothing any more.
    const before = open.exchanges[open.exchanges.findIndex(({ id }) => id === exchange.id) - 1];
    const earlier = before?.attempts[before.shown];
    if (before !== undefined && earlier !== undefined) postTurn(before.id, earlier);
    postSurroundings();
  }

  function latestOf(exchangeId: string, turnId: string): Turn | undefined {
    return exchangeOf(exchangeId)?.attempts.find(({ id }) => id === turnId);
  }

  function onTurn(exchangeId: string, turn: Turn, before: Turn): void {
    const ended = turn.outcome !== undefined;
    if (
      turn.answer.length < before.answer.length ||
      (ended && views.isOther(exchangeOf(exchangeId), turn, before))
    ) {
      // Text moved from the answer to the reasoning, or is shown otherwise at the end: deltas cannot say that.
      snapshot();
      return;
    }
    if (ended) {
      pacer.clear();
      postText(exchangeId, turn);
      postTurn(exchangeId, turn);
      postSurroundings();
      return;
    }
    if (turn.phase !== before.phase || turn.rounds !== before.rounds) {
      postText(exchangeId, turn);
      postTurn(exchangeId, turn);
      return;
    }
    // What goes out then is the turn as it is then.
    const withLatest = (send: (latest: Turn) => void) => () => {
      const latest = latestOf(exchangeId, turn.id);
      if (latest !== undefined && live) send(latest);
    };
    pacer.text(withLatest((latest) => postText(exchangeId, latest)));
    pacer.status(withLatest((latest) => postTurn(exchangeId, latest)));
  }

  async function receive({ message, conversationId: meant = conversationId }: PageMessage): Promise<void> {
    if (message.type === 'ready') {
      live = true;
      snapshot();
      const waiting = errands;
      errands = [];
      for (const errand of waiting) self.send(errand);
      return;
    }
    // Deleted in the moment before.
    if (conversations.get(meant) === undefined) return;
    if (message.type === 'draft') {
      const composer = deps.composers.of(meant);
      // The same words again are no answer to what was refused.
      if (message.text !== composer.draft) composer.refusal = undefined;
      composer.draft = message.text;
      postSurroundings();
      return;
    }
    // Places on the page are those of the conversation that is shown.
    if (message.type === 'show-earlier') return showEarlier();
    if (message.type === 'show-later') return showLater();
    if (message.type === 'show-exchange') return showExchange(message.exchangeId);
    if (message.type === 'find') {
      const { words } = message;
      post({ type: 'found', seq: ++seq, words, places: findPlaces(conversation(), words) });
      return;
    }
    if (message.type === 'complete') {
      const { query, text } = message;
      asker.ask(text, (choices) => live && post({ type: 'choices', seq: ++seq, query, choices }));
      return;
    }
    const reply = await intents.receive(message, meant, deps.composers.of(meant));
    if (reply.taken && live) post({ type: 'taken', seq: ++seq });
    if (reply.compose !== undefined && live) post({ type: 'compose', seq: ++seq, text: reply.compose });
    postSurroundings();
  }

  /** While the reader types, hunks move; what is told about them mostly stays. */
  function postProposals(turnIds: readonly string[]): void {
    for (const exchange of conversation().exchanges) {
      const turn = exchange.attempts[exchange.shown];
      if (turn === undefined || !views.has(turn.id) || !turnIds.includes(turn.id)) continue;
      const now = JSON.stringify(toProposalViews(deps.proposals.ofTurn(turn.id)));
      if (now !== shownProposals.get(turn.id)) postTurn(exchange.id, turn);
      shownProposals.set(turn.id, now);
    }
  }

  const listeners = [
    webview.onDidReceiveMessage((message: unknown) => {
      const said = decodePageMessage(message);
      if (said.ok)
        inBackground(deps.log, receive(said.value), `what the page asked, ${said.value.message.type},`);
      else deps.log.warn(`a message of the page was dropped: ${describeWrong(said.wrong)}`);
    }),
    conversations.onDidChange((change) => {
      // Another window may have begun, or ended, an answer in this conversation.
      if (change.type === 'listed') postSurroundings();
      if (!live || !('conversationId' in change) || change.conversationId !== conversationId) return;
      if (change.type === 'turn') onTurn(change.exchangeId, change.turn, change.before);
      if (change.type === 'exchange') onExchange(change.exchange);
      if (change.type === 'replaced') snapshot();
    }),
    routes.onDidChange(() => {
      // Costs stand under each answer; everything else that a setting changes is in the surroundings.
      const prices = JSON.stringify(readSettings().prices);
      if (live && prices !== shownPrices) snapshot();
      else postSurroundings();
      shownPrices = prices;
    }),
    deps.storage.onDidChange(postSurroundings),
    deps.proposals.onDidChange(({ turnIds }) => {
      if (live && turnIds.some((id) => views.has(id))) postProposals(turnIds);
    }),
    deps.tools.onDidChange(() => postSurroundings()),
    deps.findings.onDidPlace((turnId) => {
      const exchange = conversation().exchanges.find((one) => shownTurn(one)?.id === turnId);
      if (live && exchange !== undefined && views.has(turnId))
        post({ type: 'exchange', seq: ++seq, exchange: views.exchange(conversation(), exchange) });
    }),
    deps.structured.onDidJudge((turnId) => {
      const exchange = conversation().exchanges.find((one) => shownTurn(one)?.id === turnId);
      const turn = exchange && shownTurn(exchange);
      if (live && turn !== undefined && exchange !== undefined && views.has(turnId))
        postTurn(exchange.id, turn);
    }),
    deps.composers.onDidChange((change) => {
      if (!live || change.conversationId !== conversationId) return;
      if (change.composed !== undefined) post({ type: 'compose', seq: ++seq, text: change.composed });
      postSurroundings();
    }),
  ];

  const self: ChatPanel = {
    show(id) {
      conversationId = id;
      shownWindow = endWindow(conversation().exchanges.length);
      reachesEnd = true;
      if (live) snapshot();
    },
    conversationId: () => conversationId,
    send(errand) {
      if (!live) {
        errands = [...errands, errand];
        return;
      }
      if (errand.type === 'reveal') showExchange(errand.exchangeId);
      post({ ...errand, seq: ++seq });
    },
    refresh: postSurroundings,
    setVisible(visible) {
      if (!visible) {
        live = false;
        pacer.clear();
      }
    },
    dispose() {
      live = false;
      pacer.clear();
      asker.dispose();
      for (const listener of listeners) listener.dispose();
    },
  };
  return self;
}

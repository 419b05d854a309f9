/** Posts a conversation to one page: a snapshot, then changes. */
import { type Conversation, type Exchange, shownTurn } from '../../conversation/conversation.ts';
import type { TurnStep } from '../../conversation/events.ts';
import type { PanelWindow } from '../../panel/panelWindow.ts';
import type { ExchangeView } from '../../panel/views.ts';
import type { ExchangeWindow } from './exchangeWindow.ts';
import type { OutgoingText } from './outgoingText.ts';
import type { PanelChannel } from './panelChannel.ts';
import type { PanelViews } from './panelViews.ts';
import type { TurnPosts } from './turnPosts.ts';

export interface PanelPosts {
  /** Posts everything again. */
  snapshot(): void;
  /** Adds earlier or later exchanges to the page. */
  earlier(): void;
  later(): void;
  /** Posts a snapshot around an exchange, if it is not on the page. */
  reach(exchangeId: string): void;
  /** Posts an exchange that is new or shows another attempt. */
  exchangePut(exchange: Exchange): void;
  turnStep(exchangeId: string, step: TurnStep): void;
  /** Posts everything of a turn but its text, if the turn is on the page. */
  turnChanged(turnId: string): void;
  /** Posts the exchange of a turn with its text, if the turn is on the page. */
  exchangeChanged(turnId: string): void;
  surroundings(): void;
}

export interface PanelPostsDeps {
  readonly channel: Pick<PanelChannel, 'isOpen' | 'send'>;
  readonly views: Pick<PanelViews, 'panel' | 'exchange' | 'surroundings' | 'isBoxMoved'>;
  readonly window: ExchangeWindow;
  readonly text: Pick<OutgoingText, 'sent' | 'has' | 'clear'>;
  readonly turns: TurnPosts;
  /** The conversation that the page shows. */
  conversation(): Conversation;
  isDeleted(conversationId: string): boolean;
  /** Called with each snapshot: the page shows this conversation from now on. */
  onShown(conversationId: string): void;
}

export function createPanelPosts(deps: PanelPostsDeps): PanelPosts {
  const { channel, views, window, text, turns, conversation } = deps;

  /** The conversation in the last snapshot, and whether it was deleted: the page shows no exchanges of a deleted conversation. */
  let shown: { readonly id: string; readonly deleted: boolean } | undefined;

  /** Converts exchanges, and records that the page gets all their text. */
  function toViews(open: Conversation, { from, to }: PanelWindow): readonly ExchangeView[] {
    return open.exchanges.slice(from, to).map((exchange) => toView(open, exchange));
  }

  function toView(open: Conversation, exchange: Exchange): ExchangeView {
    text.sent(exchange);
    return views.exchange(open, exchange);
  }

  function snapshot(): void {
    turns.cancel();
    text.clear();
    const open = conversation();
    deps.onShown(open.id);
    shown = { id: open.id, deleted: deps.isDeleted(open.id) };
    window.settle(open.exchanges.length);
    const range = window.range();
    channel.send({ type: 'snapshot', panel: views.panel(open, range, toViews(open, range)) });
  }

  function surroundings(): void {
    if (!channel.isOpen()) return;
    const open = conversation();
    // The conversation was deleted or restored, here or in another window.
    if (shown !== undefined && (shown.id !== open.id || shown.deleted !== deps.isDeleted(open.id))) {
      snapshot();
      return;
    }
    channel.send({ type: 'surroundings', surroundings: views.surroundings(open) });
  }

  /**
   * Posts the turn before an exchange, and the turns whose answer that one continues. From now on, the exchange may show
   * their answers joined with its own, or may no longer do so.
   */
  function postBefore(open: Conversation, index: number): void {
    for (let at = index - 1; at >= window.range().from; at--) {
      const before = open.exchanges[at];
      const turn = before && shownTurn(before);
      if (before !== undefined && turn !== undefined) turns.post(before.id, turn);
      if (before?.question.continues === undefined) break;
    }
  }

  function exchangePut(exchange: Exchange): void {
    const open = conversation();
    const index = indexOf(open, exchange.id);
    const put = window.put(index, open.exchanges.length);
    if (put === 'outside') return;
    if (put === 'moved') {
      // The user has scrolled up and sent a question: move to the end, where the answer is.
      snapshot();
      return;
    }
    if (views.isBoxMoved(open)) {
      // The question in the box has another version now, or isn't shown anymore.
      snapshot();
      return;
    }
    channel.send({ type: 'exchange', exchange: toView(open, exchange) });
    // The exchange before is no longer the last one, so its cards lose their buttons.
    postBefore(open, index);
    // The exchanges that continue this answer show it as well, and may need to show another attempt now.
    for (let next = index + 1; next < window.range().to; next++) {
      const after = open.exchanges[next];
      if (after?.question.continues === undefined) break;
      channel.send({ type: 'exchange', exchange: toView(open, after) });
    }
    surroundings();
  }

  /** The exchange on the page that shows this turn. */
  function onPage(turnId: string): Exchange | undefined {
    if (!text.has(turnId)) return undefined;
    return conversation().exchanges.find((exchange) => shownTurn(exchange)?.id === turnId);
  }

  return {
    snapshot,
    earlier() {
      const exchanges = toViews(conversation(), window.widenToEarlier());
      channel.send({ type: 'earlier', earlier: window.range().from, exchanges });
    },
    later() {
      const open = conversation();
      const count = open.exchanges.length;
      const exchanges = toViews(open, window.widenToLater(count));
      channel.send({ type: 'later', later: count - window.range().to, exchanges });
    },
    reach(exchangeId) {
      const open = conversation();
      if (window.moveTo(indexOf(open, exchangeId), open.exchanges.length)) snapshot();
    },
    exchangePut,
    turnStep(exchangeId, step) {
      const open = conversation();
      // The running turn is nearly always in the last exchange.
      const exchange = open.exchanges.findLast(({ id }) => id === exchangeId);
      if (!turns.step(exchange, step)) {
        snapshot();
        return;
      }
      if (step.turn.outcome === undefined) return;
      // If the rest of an answer failed or doesn't fit, the part before it is shown on its own again.
      if (exchange?.question.continues !== undefined) postBefore(open, indexOf(open, exchangeId));
      surroundings();
    },
    turnChanged(turnId) {
      const exchange = onPage(turnId);
      const turn = exchange && shownTurn(exchange);
      if (exchange !== undefined && turn !== undefined) turns.post(exchange.id, turn);
    },
    exchangeChanged(turnId) {
      const exchange = onPage(turnId);
      if (exchange !== undefined)
        channel.send({ type: 'exchange', exchange: toView(conversation(), exchange) });
    },
    surroundings,
  };
}

function indexOf({ exchanges }: Conversation, exchangeId: string): number {
  return exchanges.findIndex(({ id }) => id === exchangeId);
}

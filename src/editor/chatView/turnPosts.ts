/**
 * Posts the steps of a turn to a page: text at most once per frame, figures four times a second, everything else at
 * once. The texts of a tool call are posted once: with many calls they are megabytes.
 */

import type { Exchange } from '../../conversation/conversation.ts';
import type { TurnStep } from '../../conversation/events.ts';
import type { Call, Turn } from '../../conversation/turn.ts';
import type { ToolCallView, TurnView } from '../../panel/views.ts';
import { createThrottle } from '../base/throttle.ts';
import type { OutgoingText } from './outgoingText.ts';
import type { PanelChannel } from './panelChannel.ts';

/** One frame at 60 Hz. In milliseconds. */
const FRAME_MS = 16;
/** The interval for figures and labels. In milliseconds. */
const STATUS_MS = 250;

export interface TurnPosts {
  /** Posts everything about a turn except its text, at once. */
  post(exchangeId: string, turn: Turn): void;
  /** Posts what a step changed, now or with the throttle. Returns false when the page needs a snapshot instead. */
  step(exchange: Exchange | undefined, step: TurnStep): boolean;
  /** Drops the posts that are waiting, because a snapshot contains their content. */
  cancel(): void;
}

export interface TurnPostsDeps {
  readonly channel: Pick<PanelChannel, 'send'>;
  readonly text: Pick<OutgoingText, 'take' | 'drain'>;
  view(exchangeId: string, turn: Turn): TurnView;
}

export function createTurnPosts({ channel, text, view }: TurnPostsDeps): TurnPosts {
  /** The turn that the throttles post. Only one turn runs in a conversation at a time. */
  let latest: { readonly exchangeId: string; readonly turn: Turn } | undefined;
  /** Calls whose texts the page has. A call that changes is another object. */
  const posted = new WeakSet<Call>();

  const textThrottle = createThrottle(FRAME_MS, () => {
    const delta = latest && text.drain(latest.turn.id);
    if (latest !== undefined && delta !== undefined)
      channel.send({ type: 'text', turnId: latest.turn.id, ...delta });
  });
  const statusThrottle = createThrottle(STATUS_MS, () => {
    if (latest !== undefined) post(latest.exchangeId, latest.turn);
  });

  function post(exchangeId: string, turn: Turn): void {
    const shown = view(exchangeId, turn);
    const rounds = shown.rounds.map(({ calls, ...round }, at) => ({
      ...round,
      calls: calls.map((call, index) => withoutTexts(call, turn.rounds[at]?.toolCalls[index])),
    }));
    channel.send({ type: 'turn', turn: { ...shown, rounds } });
  }

  function withoutTexts(shown: ToolCallView, call: Call | undefined): ToolCallView {
    if (call === undefined) return shown;
    if (posted.has(call)) return { ...shown, arguments: '', result: undefined, images: [], kept: true };
    posted.add(call);
    return shown;
  }

  function cancel(): void {
    textThrottle.cancel();
    statusThrottle.cancel();
    latest = undefined;
  }

  return {
    post,
    step(exchange, step) {
      const { before, turn } = step;
      const taken = text.take(exchange, step);
      if (taken === 'other') return false;
      if (exchange === undefined || taken === 'absent') return true;
      latest = { exchangeId: exchange.id, turn };
      if (turn.phase !== before.phase || turn.rounds !== before.rounds) {
        textThrottle.now();
        statusThrottle.now();
      } else {
        textThrottle.call();
        statusThrottle.call();
      }
      if (turn.outcome !== undefined) cancel();
      return true;
    },
    cancel,
  };
}

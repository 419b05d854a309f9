/** What a panel shows of the conversation in it, and how much of each running answer its page has already. */
import { sentImagesOf, versionsOf } from '../../chat/edits.ts';
import { allReasoning } from '../../chat/rounds.ts';
import type { Conversation, Exchange, Turn } from '../../chat/turn.ts';
import { shownTurn } from '../../chat/turn.ts';
import { turnBefore } from '../../chat/turnBefore.ts';
import type { ExchangeView, Surroundings, TurnView } from '../../panel/views.ts';
import type { PanelWindow } from '../../panel/window.ts';
import { readSettings } from '../base/settings.ts';
import type { Composers } from '../composer/composers.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Findings } from '../findings/findings.ts';
import type { Proposals } from '../proposals/proposals.ts';
import type { Storage } from '../storage/storage.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import type { ToolSet } from '../tools/toolSet.ts';
import { toShownAnswer } from './shownAnswer.ts';
import { toSurroundings } from './surroundings.ts';
import { toExchangeView, toTurnView, type ViewContext } from './turnView.ts';

export interface PanelViewsDeps {
  readonly conversations: Pick<Conversations, 'isRunning' | 'holder'>;
  readonly composers: Pick<Composers, 'of'>;
  readonly routes: Pick<Routes, 'active'>;
  readonly storage: Pick<Storage, 'banner'>;
  readonly proposals: Pick<Proposals, 'ofTurn'>;
  readonly findings: Pick<Findings, 'placementsOf'>;
  readonly structured: Pick<StructuredAnswers, 'judged'>;
  readonly tools: Pick<ToolSet, 'all' | 'chosen'>;
}

/** Text that came since the page was told the last time. */
export interface TextDelta {
  readonly reasoning: string;
  readonly answer: string;
}

export interface PanelViews {
  /** One exchange whole; its text counts as told from then on. */
  exchange(open: Conversation, exchange: Exchange): ExchangeView;
  exchanges(open: Conversation, range: PanelWindow): ExchangeView[];
  /** A turn without its text. */
  turn(open: Conversation, exchangeId: string, turn: Turn): TurnView;
  surroundings(open: Conversation): Surroundings;
  /**
   * What the page lacks of a turn's text, which counts as told from then on.
   *
   * Undefined when it lacks nothing, and for a turn that is not on the page: when it comes there, it comes whole.
   */
  takeDelta(exchange: Exchange | undefined, turn: Turn): TextDelta | undefined;
  /** Whether an answer that was asked for in a form turned out to be something else, so that it is shown as it came. */
  isOther(exchange: Exchange | undefined, turn: Turn, before: Turn): boolean;
  /** Whether a turn is on the page. */
  has(turnId: string): boolean;
  /** The page is empty: a snapshot follows. */
  clear(): void;
}

export function createPanelViews(deps: PanelViewsDeps): PanelViews {
  /** How much text of each turn on the page the page has. */
  const told = new Map<string, { readonly reasoning: number; readonly answer: number }>();

  const shownText = (exchange: Exchange | undefined, turn: Turn) =>
    toShownAnswer(exchange?.question ?? {}, turn, deps.findings.placementsOf(turn.id));

  const noteTold = (turn: Turn, answer: string) =>
    told.set(turn.id, { reasoning: allReasoning(turn).length, answer: answer.length });

  const contextOf = (open: Conversation, exchangeId: string): ViewContext => ({
    earlier: turnBefore(open, exchangeId),
    prices: readSettings().prices,
    last: open.exchanges.at(-1)?.id === exchangeId,
    images: sentImagesOf(open, exchangeId),
    versions: open.branches.length === 0 ? [] : versionsOf(open, exchangeId),
    proposals: deps.proposals.ofTurn,
    placements: deps.findings.placementsOf,
    sourceOf: (name) => deps.tools.all().find((tool) => tool.name === name)?.source,
    judged: (turn) =>
      deps.structured.judged(turn, open.exchanges.find(({ id }) => id === exchangeId)?.question),
  });

  function toView(open: Conversation, exchange: Exchange): ExchangeView {
    const turn = shownTurn(exchange);
    if (turn !== undefined) noteTold(turn, shownText(exchange, turn));
    return toExchangeView(exchange, contextOf(open, exchange.id));
  }

  return {
    exchange: toView,
    exchanges: (open, { from, to }) => open.exchanges.slice(from, to).map((one) => toView(open, one)),
    turn: (open, exchangeId, turn) => toTurnView(turn, contextOf(open, exchangeId)),
    surroundings: (open) =>
      toSurroundings(
        open,
        deps.composers.of(open.id),
        {
          running: deps.conversations.isRunning(open.id),
          elsewhere: deps.conversations.holder(open.id)?.place,
          storage: deps.storage.banner(),
          tools: deps.tools.chosen().length,
        },
        deps.routes,
      ),
    takeDelta(exchange, turn) {
      const had = told.get(turn.id);
      if (had === undefined) return undefined;
      const shown = shownText(exchange, turn);
      const reasoning = allReasoning(turn).slice(had.reasoning);
      const answer = shown.slice(had.answer);
      if (reasoning === '' && answer === '') return undefined;
      noteTold(turn, shown);
      return { reasoning, answer };
    },
    isOther: (exchange, turn, before) =>
      exchange !== undefined &&
      (exchange.question.purpose !== undefined || exchange.question.format !== undefined) &&
      !shownText(exchange, turn).startsWith(shownText(exchange, before)),
    has: (turnId) => told.has(turnId),
    clear: () => told.clear(),
  };
}

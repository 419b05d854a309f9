/** Converts a conversation to what a panel shows. */

import { versionsOf } from '../../conversation/branches.ts';
import type { Conversation, Exchange } from '../../conversation/conversation.ts';
import type { Page } from '../../conversation/editBoxes.ts';
import { sentImagesOf } from '../../conversation/images/sentImages.ts';
import { keptExchanges } from '../../conversation/requestMessages/keptResults.ts';
import type { Turn } from '../../conversation/turn.ts';
import { isLossSaid, latestBefore, turnBefore } from '../../conversation/turnBefore.ts';
import { editingIn, movedEdits } from '../../conversation/unsent.ts';
import type { PanelState } from '../../panel/panelState.ts';
import type { PanelWindow } from '../../panel/panelWindow.ts';
import type { Surroundings } from '../../panel/surroundings.ts';
import type { ExchangeView, TurnView } from '../../panel/views.ts';
import { PANEL_WORDS } from '../../panel/words.ts';
import { goesOn, isContinued, toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { toWords } from '../base/panelWords.ts';
import type { Composers } from '../composer/composers.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { Starters } from '../composer/starters.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { runsElsewhere } from '../conversations/freeConversation.ts';
import type { Findings } from '../findings/findingList.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import { readSettings } from '../settings/settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import type { ToolApprovals } from '../tools/toolApprovals.ts';
import type { ToolSet } from '../tools/toolSet.ts';
import { type SurroundingsDeps, toSurroundings } from './surroundings.ts';
import { toExchangeView, toTurnView, type ViewContext } from './turnView.ts';

export interface PanelViewsDeps extends SurroundingsDeps {
  readonly conversations: Pick<Conversations, 'get' | 'isRunning' | 'holder' | 'standsIn'>;
  readonly composers: Pick<Composers, 'of'>;
  readonly storage: Pick<Storage, 'banner'>;
  readonly proposals: Pick<Proposals, 'ofTurn'>;
  readonly findings: Pick<Findings, 'placementsOf'>;
  readonly structured: Pick<StructuredAnswers, 'judged'>;
  readonly tools: Pick<ToolSet, 'chosen' | 'titleOf'>;
  readonly starters: Pick<Starters, 'list'>;
  readonly prompts: Pick<Prompts, 'text'>;
  readonly approvals: Pick<ToolApprovals, 'waitingFor'>;
  /** Identifies the page. */
  readonly page: Page;
  /** The conversation that was opened on the page and can't be read yet, so that another one is shown. */
  opened(): string | undefined;
}

export interface PanelViews {
  /** The state of the page with the exchanges of a range. */
  panel(open: Conversation, range: PanelWindow, exchanges: readonly ExchangeView[]): PanelState;
  /** An exchange with its text. */
  exchange(open: Conversation, exchange: Exchange): ExchangeView;
  /** A turn without its text. */
  turn(open: Conversation, exchangeId: string, turn: Turn): TurnView;
  surroundings(open: Conversation): Surroundings;
  /** Whether the question in the box of the page has another version now, or isn't shown anymore. */
  isBoxMoved(open: Conversation): boolean;
}

export function createPanelViews(deps: PanelViewsDeps): PanelViews {
  const contextOf = (
    open: Conversation,
    exchangeId: string,
    earlier = turnBefore(open, exchangeId),
  ): ViewContext => ({
    earlier,
    isLossSaid: (notice) =>
      notice.code === 'cache-dropped' && isLossSaid(notice, latestBefore(open, exchangeId)),
    prices: readSettings().prices,
    last: open.exchanges.at(-1)?.id === exchangeId,
    images: sentImagesOf(open, exchangeId),
    turnOf: (turnId) => open.exchanges.flatMap(({ attempts }) => attempts).find(({ id }) => id === turnId),
    keepsResults: questionOf(open, exchangeId)?.keepsResults,
    anyKept: keptExchanges(open).length > 0,
    versions: open.branches.length === 0 ? [] : versionsOf(open, exchangeId),
    proposals: deps.proposals.ofTurn,
    placements: deps.findings.placementsOf,
    runsElsewhere: () => runsElsewhere(deps.conversations, open.id),
    titleOf: deps.tools.titleOf,
    waitingFor: (call) => deps.approvals.waitingFor(open.id, call),
    judged: (turn) => deps.structured.judged(turn, questionOf(open, exchangeId)),
    whole(turn) {
      const question = questionOf(open, exchangeId);
      return question === undefined
        ? { text: turn.answer, parts: 1, earlier: [], fits: true }
        : toWholeAnswer(open.exchanges, question, turn);
    },
    isContinued: (turn) => isContinued(open.exchanges, turn),
    goesOn: (turn) => goesOn(open.exchanges, turn),
  });

  const surroundings = (open: Conversation) => {
    const composer = deps.composers.of(open.id);
    return toSurroundings(
      open,
      composer,
      {
        text: deps.prompts.text(composer.draft),
        running: deps.conversations.isRunning(open.id),
        deleted: deps.conversations.get(open.id) === undefined,
        standsIn: deps.opened() !== undefined || deps.conversations.standsIn(open.id),
        elsewhere: deps.conversations.holder(open.id)?.place,
        storage: deps.storage.banner(open),
        tools: deps.tools.chosen(),
        starters: open.exchanges.length === 0 ? deps.starters.list() : [],
      },
      deps,
    );
  };

  const opened = () => {
    const id = deps.opened();
    return id === undefined ? {} : { opened: id };
  };

  const editing = (open: Conversation) => {
    const edited = deps.composers.of(open.id).boxOf(deps.page);
    return edited && editingIn(open, edited);
  };

  return {
    panel: (open, { from, to }, exchanges) => ({
      conversationId: open.id,
      ...opened(),
      earlier: from,
      later: open.exchanges.length - to,
      exchanges,
      surroundings: surroundings(open),
      draft: deps.composers.of(open.id).draft,
      editing: editing(open),
      movedEdits: movedEdits(open, deps.composers.of(open.id)),
      now: Date.now(),
      words: toWords(PANEL_WORDS),
    }),
    exchange: (open, exchange) => toExchangeView(exchange, contextOf(open, exchange.id)),
    turn: (open, exchangeId, turn) => toTurnView(turn, contextOf(open, exchangeId)),
    surroundings,
    isBoxMoved(open) {
      const editing = deps.composers.of(open.id).boxOf(deps.page);
      return movedEdits(open, { editing, otherEdits: [] }).length > 0;
    },
  };
}

const questionOf = ({ exchanges }: Conversation, exchangeId: string) =>
  exchanges.find(({ id }) => id === exchangeId)?.question;

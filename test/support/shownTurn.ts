/** The texts about a turn that a user sees, made by the editor's rooms in plain Node. */
import { toNotices } from '../../src/conversation/outcomes/notices.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { DEFAULT_PRICES } from '../../src/service/prices.ts';
import { withEditorStub } from './withEditorStub.ts';

const { toTurnView } = await withEditorStub(() => import('../../src/editor/chatView/turnView.ts'));

export interface ShownTurn {
  /** The line of reasoning beside the phase while the turn runs. */
  readonly liveLine: string;
  readonly outcome: string;
  /** Title, paragraphs, and the service's own message of the first card. */
  readonly card: string;
  /** Whether the service's own message is shown at first on the first card. */
  readonly wordsFirst: boolean;
  /** The figures on the first card. */
  readonly facts: readonly string[];
  /** The labels of the buttons of all cards. */
  readonly buttons: readonly string[];
  /** The cards and checks as one text. */
  readonly text: string;
  /** The states of the calls that are not run. */
  readonly notRun: readonly string[];
  /** The codes in the Problems view. */
  readonly problems: readonly string[];
}

/**
 * The last turn of a conversation, as the panel and the Problems view show it.
 *
 * @param goesOn whether a later exchange continues the answer
 */
export function toShownTurn(turn: Turn, goesOn = false): ShownTurn {
  const { outcome, cards, checks, liveLine, toolCalls } = toTurnView(turn, {
    earlier: undefined,
    prices: DEFAULT_PRICES,
    last: true,
    whole: () => ({ text: turn.answer, parts: 1, earlier: [], fits: true }),
    proposals: () => [],
    images: 'none',
    versions: [],
    judged: () => undefined,
    isContinued: () => false,
    goesOn: () => goesOn,
    placements: () => undefined,
    runsElsewhere: () => false,
    waitingFor: () => undefined,
    turnOf: () => undefined,
    titleOf: ({ name }) => name,
  });
  const texts = cards.map(({ title, body, serviceWords = '' }) => [title, ...body, serviceWords].join('\n'));
  return {
    liveLine,
    outcome,
    card: texts[0] ?? '',
    wordsFirst: cards[0]?.wordsFirst === true,
    facts: (cards[0]?.facts ?? []).map(({ label, value }) => `${label} ${value}`),
    buttons: cards.flatMap(({ actions }) => actions.map(({ label }) => label)),
    text: [...texts, ...checks.map(({ name, passed }) => `${name} ${passed ? 'passed' : 'failed'}`)].join(
      '\n',
    ),
    notRun: toolCalls.map(({ state }) => state),
    problems: toNotices(turn, undefined).map(({ code }) => code),
  };
}

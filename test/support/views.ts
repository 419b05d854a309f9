/** What the host sends to a page: a turn, what is around the conversation, an exchange, and the first message. */

import type { Starter } from '../../src/panel/context.ts';
import type { HostMessage } from '../../src/panel/messages.ts';
import type { ExchangeView, PanelState, Surroundings, TurnView } from '../../src/panel/views.ts';
import { PANEL_WORDS, type PanelWord } from '../../src/panel/words.ts';

/** A message before its number is added. */
export type Unnumbered<Message> = Message extends HostMessage ? Omit<Message, 'seq'> : never;

export const turnView = (outcome: TurnView['outcome'], more: Partial<TurnView> = {}): TurnView => ({
  id: 't1',
  outcome,
  phase: outcome === 'running' ? 'answering' : 'ended',
  startedAt: Date.now(),
  phaseLabel: outcome === 'running' ? 'Answering' : 'Done',
  waitUntil: undefined,
  reasoningTokens: undefined,
  reasoningTokensEstimated: false,
  reasoningSeconds: undefined,
  liveLine: '',
  hasReasoning: false,
  cards: [],
  checks: [],
  account: [],
  accountLine: '',
  rounds: [],
  toolCalls: [],
  proposals: [],
  structured: undefined,
  parts: 1,
  continued: false,
  lastProgressAt: Date.now(),
  ...more,
});

export const surroundingsView = (more: Partial<Surroundings> = {}): Surroundings => ({
  route: { name: 'direct', label: 'direct', demo: false },
  title: 'A conversation',
  banners: [],
  running: false,
  queue: [],
  queuePaused: false,
  deleted: false,
  effort: undefined,
  effortHint: '',
  effortOfPreset: false,
  preset: undefined,
  answerFormat: undefined,
  tools: 0,
  starters: [],
  reasoningInChat: 'expanded',
  meter: { value: 0, max: 1, text: '' },
  attachments: [],
  rejectedImages: [],
  context: [],
  instructions: undefined,
  refusal: undefined,
  ...more,
});

/** An exchange whose turn has the ID of the exchange with `t` instead of `e`. */
export const exchangeView = (id: string, question: string, answer: string, turn: TurnView): ExchangeView => ({
  id,
  question: {
    text: question,
    asked: undefined,
    typed: undefined,
    images: [],
    context: [],
    origin: undefined,
    preset: undefined,
  },
  turn: { ...turn, id: id.replace('e', 't'), reasoning: '', answer },
  attempt: 0,
  attempts: 1,
  version: 0,
  versions: 1,
});

export const panelState = (
  exchanges: readonly ExchangeView[],
  more: Partial<PanelState> = {},
): PanelState => ({
  conversationId: 'c1',
  earlier: 0,
  later: 0,
  exchanges,
  surroundings: surroundingsView(),
  draft: '',
  editing: undefined,
  now: Date.now(),
  words: Object.fromEntries(PANEL_WORDS.map((word) => [word, word])) as Record<PanelWord, string>,
  ...more,
});

/** The message with which a page begins. */
export const snapshotOf = (
  exchanges: readonly ExchangeView[],
  more: Partial<PanelState> = {},
): Unnumbered<HostMessage> => ({ type: 'snapshot', panel: panelState(exchanges, more) });

/** The suggestions with a file open and changes in the workspace. */
export const STARTERS: readonly Starter[] = [
  {
    label: 'Explain invoice.ts',
    prompt: 'Explain this file.',
    icon: 'file',
    reference: { kind: 'file', uri: 'file:///w/src/invoice.ts' },
    file: 'invoice.ts',
  },
  {
    label: 'Explain the changes',
    prompt: 'Explain these changes. What could break?',
    icon: 'diff',
    reference: { kind: 'changes' },
  },
];

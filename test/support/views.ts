/** Data that the host sends to a page: a turn, the surroundings of the conversation, an exchange, and the first message. */

import type { CardView } from '../../src/panel/cards.ts';
import type { Starter } from '../../src/panel/context.ts';
import type { HostMessage } from '../../src/panel/hostMessages.ts';
import type { PanelState } from '../../src/panel/panelState.ts';
import type { Surroundings } from '../../src/panel/surroundings.ts';
import type { TurnMap } from '../../src/panel/turnMapParts.ts';
import type { ExchangeView, ProposalView, ToolCallView, TurnView } from '../../src/panel/views.ts';
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
  earlierParts: [],
  continued: false,
  lastProgressAt: Date.now(),
  ...more,
});

/** A call that has read a file. */
export const toolCallView = (more: Partial<ToolCallView> = {}): ToolCallView => ({
  id: 'c1',
  name: 'read_file',
  title: 'Read a.ts',
  arguments: '{}',
  source: undefined,
  approval: undefined,
  state: 'done',
  stateLabel: 'Done',
  result: undefined,
  images: [],
  startedAt: undefined,
  seconds: undefined,
  ...more,
});

/** A card that only has a title. */
export const cardView = (tone: CardView['tone'], title: string): CardView => ({
  tone,
  title,
  body: [],
  facts: [],
  actions: [],
  serviceWords: undefined,
});

/** A proposal with one open hunk. */
export const proposalView = (more: Partial<ProposalView> = {}): ProposalView => ({
  proposalId: 'p',
  uri: 'u',
  file: 'a.ts',
  state: 'open',
  summary: '1 open',
  open: 1,
  accepted: 0,
  restorable: false,
  revises: false,
  unplaced: [],
  displaced: [],
  ...more,
});

export const surroundingsView = (more: Partial<Surroundings> = {}): Surroundings => ({
  route: { name: 'direct', label: 'direct', demo: false },
  title: 'A conversation',
  banners: [],
  running: false,
  elsewhere: false,
  queue: [],
  queuePaused: false,
  deleted: false,
  effort: undefined,
  effortHint: '',
  formatHint: '',
  toolsHint: '',
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

/** The map of a turn with a step, two tool calls that ran at the same time, a silence, and an answer. */
export const TURN_MAP: TurnMap = {
  times: [
    { kind: 'waiting', round: 0, value: 1000, ms: 1000 },
    {
      kind: 'step',
      step: 0,
      title: 'Let me look at the prices',
      value: 1200,
      ms: 1200,
      tokens: 340,
      estimated: true,
    },
    { kind: 'approval', round: 0, call: 0, value: 3000, ms: 3000 },
    { kind: 'call', round: 0, call: 0, value: 2000, ms: 2000, tokens: 20, estimated: true },
    { kind: 'call', round: 0, call: 1, value: 1000, ms: 2000, tokens: 20, estimated: true },
    { kind: 'silence', value: 4000, ms: 4000 },
    { kind: 'answer', round: 1, value: 1000, ms: 1000, tokens: 60, estimated: true },
  ],
  tokens: [
    { kind: 'cached', value: 800, tokens: 800 },
    { kind: 'uncached', value: 200, tokens: 200 },
    {
      kind: 'step',
      step: 0,
      title: 'Let me look at the prices',
      value: 340,
      tokens: 340,
      ms: 1200,
      estimated: true,
    },
    { kind: 'call', round: 0, call: 0, value: 20, tokens: 20, ms: 2000, estimated: true },
    { kind: 'call', round: 0, call: 1, value: 20, tokens: 20, ms: 2000, estimated: true },
    { kind: 'reasoning', round: 1, value: 100, tokens: 100, estimated: true },
    { kind: 'answer', round: 1, value: 60, tokens: 60, ms: 1000, estimated: true },
  ],
  reported: 'all',
};

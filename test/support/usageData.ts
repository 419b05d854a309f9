/** Data for the usage page. */
import { USAGE_WORDS, type UsageData, type UsageWord } from '../../src/panel/usage.ts';

const words = Object.fromEntries(USAGE_WORDS.map((word) => [word, word])) as Record<UsageWord, string>;
const sums = {
  turns: 12,
  unreported: 1,
  promptTokens: 120_000,
  cachedTokens: 90_000,
  reasoningTokens: 40_000,
  answerTokens: 8000,
  cost: 1.25,
};

export const USAGE: UsageData = {
  range: 30,
  total: sums,
  days: Array.from({ length: 5 }, (_, n) => ({ ...sums, day: `2026-11-1${n}`, firstTokenMs: 800 })),
  routes: [
    { ...sums, route: 'work' },
    { ...sums, route: undefined },
  ],
  conversations: [
    { ...sums, conversationId: 'c1', title: 'Why is the total wrong?', demo: false },
    { ...sums, conversationId: 'c2', title: undefined, demo: true },
  ],
  others: { ...sums, conversations: 1200 },
  outcomes: [
    { label: 'Complete', turns: 10 },
    { label: 'Cut off', turns: 2 },
  ],
  words,
};

const { others: _, ...listed } = USAGE;
export const EMPTY_USAGE: UsageData = {
  ...listed,
  total: { ...sums, turns: 0, unreported: 0, cost: 0 },
  days: [],
  routes: [],
  conversations: [],
  outcomes: [],
};

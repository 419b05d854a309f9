/** Checks the requests of a day: whether each begins with the bytes of the previous request, and how much is cached. */
import { responsesOf } from '../../../src/conversation/rounds.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { rawElements } from '../../foreign/json.ts';
import type { DayRequest } from './script.ts';

/** The parts of a request in the order in which the model reads them, as they were written. */
const partsOf = (body: string): readonly string[] => [
  JSON.stringify(JSON.parse(body).model),
  `[${rawElements(body, 'tools').join(',')}]`,
  ...rawElements(body, 'messages'),
];

/** For each request that doesn't begin with the bytes of the previous one, its step and the first part that differs. */
export function brokenPrefixes(requests: readonly DayRequest[]): readonly string[] {
  return requests.slice(1).flatMap(({ step, body }, index) => {
    const before = partsOf(requests[index]?.body ?? '');
    const now = partsOf(body);
    const at = before.findIndex((part, i) => part !== now[i]);
    if (at === -1) return [];
    const name = at < 2 ? ['model', 'tools'][at] : `messages[${at - 2}]`;
    return [`${step}: ${name} was ${before[at]?.slice(0, 80)}, is ${now[at]?.slice(0, 80)}`];
  });
}

export const lastMessageOf = (request: DayRequest | undefined): string | undefined =>
  rawElements(request?.body ?? '{}', 'messages').at(-1);

export interface CachedShare {
  /** Requests that reported their usage. A stopped request didn't. */
  readonly reported: number;
  /** The share of cached tokens in the input tokens of all requests except the first, from 0 to 1. */
  readonly afterFirst: number;
  /** The share of cached tokens in the tokens that an earlier request had sent. */
  readonly ofSent: number;
}

export function cachedShareOf(turns: readonly Turn[]): CachedShare {
  const usages = turns.flatMap(responsesOf).flatMap(({ usage }) => {
    const { promptTokens, cachedTokens } = usage ?? {};
    return promptTokens === undefined || cachedTokens === undefined ? [] : [{ promptTokens, cachedTokens }];
  });
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const prompts = usages.map(({ promptTokens }) => promptTokens);
  const cached = sum(usages.map(({ cachedTokens }) => cachedTokens));
  return {
    reported: usages.length,
    afterFirst: cached / sum(prompts.slice(1)),
    ofSent: cached / sum(prompts.slice(0, -1)),
  };
}

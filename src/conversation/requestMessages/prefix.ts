/** The parts at the start of a request, and how much of them was cached (R11). */
import { createHash } from 'node:crypto';
import { CACHE_BLOCK_TOKENS, CACHE_THRESHOLD_TOKENS } from '../../service/limits.ts';
import type { ChatRequest, Message, ResponseFormat } from '../../service/types.ts';
import type { RequestFacts } from '../requestFacts.ts';
import { isBuiltOn, type Prefix, wholePrefix } from '../requestPrefix.ts';
import { responsesOf } from '../rounds.ts';
import { isFromRoute } from '../routePlace.ts';
import type { Turn } from '../turn.ts';
import { latestUsage } from '../usage/cost.ts';
import { hasOmittedSinceReport } from './omissions.ts';

/** The kind of a part of a request. */
export type PartLabel = 'model' | 'tools' | 'system' | 'message';

const LETTERS = { model: 'm', tools: 't', system: 's', message: '-' } as const satisfies Record<
  PartLabel,
  string
>;
const LABELS: ReadonlyMap<string, PartLabel> = new Map(
  Object.entries(LETTERS).map(([label, letter]) => [letter, label as PartLabel]),
);

/** The number of characters of a part: its letter and its hash. */
const PART_LENGTH = 8;

/** The parts of a request, in the order in which they are sent. */
export function toPrefix({
  model,
  tools = [],
  messages,
}: Pick<ChatRequest, 'model' | 'tools' | 'messages'>): string {
  return [toPart('model', hashOf(model)), toPart('tools', hashOf(tools)), toMessageParts(messages)].join('');
}

/** The parts of messages that are sent after the others. */
export const toMessageParts = (messages: readonly Message[]): string =>
  messages
    .map((message) => toPart(message.role === 'system' ? 'system' : 'message', hashOf(message)))
    .join('');

/** @param hash hexadecimal digits, at least 7 */
export const toPart = (label: PartLabel, hash: string): string =>
  `${LETTERS[label]}${hash.slice(0, PART_LENGTH - 1)}`;

export const isPrefix = (text: string): boolean => /^(?:[mts-][0-9a-f]{7})*$/.test(text);

export const countParts = (prefix: Prefix): number => wholePrefix(prefix).length / PART_LENGTH;

/** Whether a request was sent without tools. False if that isn't known. */
export const hadNoTools = (prefix: Prefix): boolean =>
  partAt(wholePrefix(prefix), 1) === toPart('tools', hashOf([]));

/**
 * The index of the first part that the other prefix doesn't have in the same place, or -1 if the other prefix begins with all
 * parts.
 */
export function findChangedPart(prefix: Prefix, other: Prefix): number {
  if (isBuiltOn(other, prefix)) return -1;
  const [parts, others] = [wholePrefix(prefix), wholePrefix(other)];
  if (others.startsWith(parts)) return -1;
  let at = 0;
  while (partAt(parts, at) === partAt(others, at)) at += 1;
  return at;
}

const partAt = (prefix: string, index: number): string =>
  prefix.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH);

const labelAt = (prefix: string, index: number): PartLabel | undefined =>
  LABELS.get(prefix.charAt(index * PART_LENGTH));

/** A hash of the requested answer format; undefined for text. The format is sent after all messages. */
export function toAnswerFormatHash(format: ResponseFormat | undefined): string | undefined {
  return format === undefined ? undefined : hashOf(format);
}

function hashOf(part: unknown): string {
  return createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16);
}

/** Fewer cached tokens than the prefix allows. */
export interface CacheDrop {
  readonly expectedTokens: number;
  readonly cachedTokens: number;
  /**
   * The part of the request that changed. `tools`: the user has selected other tools. `other-tools`: a server or an extension has
   * changed its tools. `form`: only the form of all contents changed (Q5). `answer-format` or `effort`: all parts are the same,
   * and only this differs. `nothing`: the service didn't keep an unchanged prefix.
   */
  readonly changed: PartLabel | 'other-tools' | 'form' | 'answer-format' | 'effort' | 'nothing';
  /** The position of the changed part among the messages, counted from 1. */
  readonly message: number | undefined;
}

/**
 * Compares the cached tokens of a turn with the prompt of the previous turn, and those of each of its rounds
 * with the previous round. Undefined if nothing is reported, if the prefix is too short to be counted, or if
 * nothing was lost.
 */
export function findCacheDrop(earlier: Turn | undefined, turn: Turn): CacheDrop | undefined {
  const [first, ...more] = responsesOf(turn);
  const makesRoom = (request: number) =>
    turn.request.omitted?.some(({ fromRound }) => fromRound === request) === true;
  if (
    earlier !== undefined &&
    isSameRoute(earlier, turn) &&
    [earlier, turn].every(({ request }) => request.otherChat !== true) &&
    !makesRoom(0) &&
    !hasOmittedSinceReport(earlier)
  ) {
    const drop = toDrop(latestUsage(earlier)?.promptTokens, first.usage?.cachedTokens);
    if (drop !== undefined) return { ...drop, ...findChange(earlier, turn) };
  }
  for (const [index, { usage }] of more.entries()) {
    const before = (more[index - 1] ?? first).usage;
    const drop = toDrop(before?.promptTokens, usage?.cachedTokens);
    if (drop !== undefined && !makesRoom(index + 1))
      return { ...drop, ...findRoundChange(turn.request, index + 1) };
  }
  return undefined;
}

/** Compares the names, too: another route at the same address can have another key or model, and so another cache. */
const isSameRoute = ({ request }: Turn, { request: { routeName: name, routePlace: place } }: Turn): boolean =>
  request.routeName === name && isFromRoute(request, { name, place });

/**
 * The prefix of the earlier request is counted in blocks of 256 tokens. Only if more than half of it is
 * missing does it count as a drop, because reported counts are not exact (docs/service.md, Usage).
 */
function toDrop(
  before: number | undefined,
  cachedTokens: number | undefined,
): Pick<CacheDrop, 'expectedTokens' | 'cachedTokens'> | undefined {
  if (cachedTokens === undefined || before === undefined || before <= CACHE_THRESHOLD_TOKENS)
    return undefined;
  const expectedTokens = Math.floor(before / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS;
  return cachedTokens >= expectedTokens / 2 ? undefined : { expectedTokens, cachedTokens };
}

/** A round sends the previous request with more messages after it, so none of its parts changed, unless it has another form. */
function findRoundChange({ contentParts, otherForms, prefix }: RequestFacts, round: number): Change {
  if (contentParts?.fromRound === round) return { changed: 'form', message: undefined };
  const form = otherForms?.find(({ fromRound }) => fromRound === round);
  if (form === undefined) return { changed: 'nothing', message: undefined };
  return { changed: 'message', message: numberOf(form.part, wholePrefix(prefix)) };
}

type Change = Pick<CacheDrop, 'changed' | 'message'>;

function findChange(earlier: Turn, turn: Turn): Change {
  const { contentParts } = turn.request;
  const beganInParts = contentParts?.fromRound === 0;
  if (beganInParts !== (earlier.request.contentParts !== undefined))
    return { changed: 'form', message: undefined };
  // The prefix is that of the last request. All of its contents have another form than in the first request.
  if (contentParts !== undefined && !beganInParts) return { changed: 'nothing', message: undefined };
  const at = findChangedPart(earlier.request.prefix, turn.request.prefix);
  const form = turn.request.otherForms?.find(({ part }) => part === at);
  if (at === -1 || (form?.fromRound ?? 0) > 0)
    return { changed: findParameter(earlier.request, turn.request), message: undefined };
  const [prefix, other] = [wholePrefix(earlier.request.prefix), wholePrefix(turn.request.prefix)];
  // A system prompt that was added or removed takes the place of the first message.
  const label = labelAt(prefix, at) ?? 'message';
  if (label === 'system' || labelAt(other, at) === 'system') return { changed: 'system', message: undefined };
  if (label === 'tools')
    return { changed: findToolChange(earlier.request, turn.request), message: undefined };
  return { changed: label, message: label === 'message' ? numberOf(at, prefix) : undefined };
}

/** The number of the message in this part, counted from 1. */
function numberOf(part: number, prefix: string): number {
  let at = 0;
  while (at * PART_LENGTH < prefix.length && labelAt(prefix, at) !== 'message') at += 1;
  return part - at + 1;
}

/** Whether the user has selected other tools, or the selected tools have changed. */
const findToolChange = (before: RequestFacts, now: RequestFacts): 'tools' | 'other-tools' =>
  before.toolChoice === undefined || before.toolChoice !== now.toolChoice ? 'tools' : 'other-tools';

/** A service can put these parameters into the prompt, where the messages don't show them. */
function findParameter(before: RequestFacts, now: RequestFacts): 'answer-format' | 'effort' | 'nothing' {
  if (before.answerFormat !== now.answerFormat) return 'answer-format';
  return before.effort === now.effort ? 'nothing' : 'effort';
}

/**
 * Makes room in a long conversation: when the next request would nearly fill the context window, results of earlier tool calls
 * are no longer sent, both of the turn itself and of earlier turns. The calls, the reasoning, and the order stay, and the
 * conversation keeps the results.
 */
import { CONTEXT_WINDOW_TOKENS } from '../../service/limits.ts';
import type { Prices } from '../../service/prices.ts';
import { type EarlierResult, type Omission, type OmittedResult, omittedIn } from '../requestFacts.ts';
import { sentImagesIn } from '../toolCalls/tools.ts';
import type { Round, Turn } from '../turn.ts';
import { estimateTokens } from '../usage/tokens.ts';
import { sizeOfMessage } from './requestParts.ts';
import { type Piece, toRoundMessages } from './transcript.ts';

/** The share of the window from which room is made, and the share that is wanted afterwards. */
export const NEARLY_FULL = 0.8;
const WANTED = 0.5;
/** Freeing less isn't worth losing the cache again. A share of the window. */
const WORTHWHILE = 0.1;
/**
 * The number of last rounds whose results stay, because the model still works with them. Fewer stay if the request would be
 * refused otherwise. Before a new question, none may stay.
 */
const RECENT_ROUNDS = 2;
/** A smaller result is hardly longer than the note that replaces it. In tokens. */
const MIN_RESULT = 200;

/** The results in a request, oldest first. */
export interface SentResults {
  /** Returns the parts of the request from the exchanges before the question. Called only if there is too little room. */
  readonly earlier?: () => readonly SentPart[];
  /** The turn itself, between its requests. */
  readonly turn?: Turn;
}

interface Candidate {
  /** The id of the earlier turn that the result is from. Undefined for the turn itself. */
  readonly turn: string | undefined;
  readonly result: OmittedResult;
  /** The tokens of the request before the result. */
  readonly before: number;
}

/** The results to leave out, and what that changes. */
export interface Room {
  readonly omission: Omission;
  /** The tokens of the results. */
  readonly freed: number;
  /** The tokens of the request before the first result that is left out. */
  readonly unchanged: number;
}

/**
 * The results to leave out of the next request, oldest first. Undefined if there is room, or if little would be gained. All
 * results from a certain one on are left out. Leaving out only later results keeps a longer start cached; leaving out earlier
 * ones makes the rest shorter. Of the choices that make enough room, the one that costs least is taken.
 *
 * @param promptTokens the tokens of the next request as it is
 * @param ratio tokens of the route for each estimated token of text
 */
export function findRoom(
  sent: SentResults,
  promptTokens: number,
  prices: Pick<Prices, 'input' | 'cachedInput'>,
  ratio: number,
  windowTokens = CONTEXT_WINDOW_TOKENS,
): Room | undefined {
  if (promptTokens < windowTokens * NEARLY_FULL) return undefined;
  const parts = toParts(sent, ratio);
  const choices = Array.from({ length: sent.turn === undefined ? 3 : 2 }, (_, fewer) =>
    toCandidates(parts, promptTokens, RECENT_ROUNDS - fewer),
  );
  const all = choices.find((some) => promptTokens - tokensOf(some) <= windowTokens) ?? choices[0] ?? [];
  const freedFrom = (at: number) => tokensOf(all.slice(at));
  if (freedFrom(0) < windowTokens * WORTHWHILE) return undefined;
  const costFrom = (at: number) => {
    const before = all[at]?.before ?? 0;
    return before * prices.cachedInput + (promptTokens - freedFrom(at) - before) * prices.input;
  };
  let best = 0;
  for (let at = 1; promptTokens - freedFrom(at) <= windowTokens * WANTED; at++)
    if (costFrom(at) <= costFrom(best)) best = at;
  const chosen = all.slice(best);
  return { omission: toOmission(chosen), freed: freedFrom(best), unchanged: chosen[0]?.before ?? 0 };
}

const tokensOf = (candidates: readonly Candidate[]): number =>
  candidates.reduce((sum, { result }) => sum + result.tokens, 0);

function toOmission(chosen: readonly Candidate[]): Omission {
  const earlier = chosen.flatMap(({ turn, result }): readonly EarlierResult[] =>
    turn === undefined ? [] : [{ turn, ...result }],
  );
  const results = chosen.filter(({ turn }) => turn === undefined).map(({ result }) => result);
  return { results, ...(earlier.length > 0 && { earlier }) };
}

/** A round of the request, with the tokens of its messages. */
interface SentRound {
  readonly turn: string | undefined;
  readonly at: number;
  readonly round: Round;
  readonly settled: 'all' | ReadonlySet<number>;
  /** The tokens of the response, and of each result. */
  readonly answer: number;
  readonly results: readonly number[];
  /** The tokens of all messages of the round. */
  readonly all: number;
}

/** A part of a request with its tokens. */
export type SentPart = SentRound | { readonly all: number };

/** @param ratio tokens of the route for each estimated token of text */
export const toSentParts = (pieces: readonly Piece[], ratio: number): readonly SentPart[] =>
  pieces.map((piece) => toSentPart(piece, ratio));

function toParts({ earlier, turn }: SentResults, ratio: number): readonly SentPart[] {
  const own = turn === undefined ? [] : turn.rounds.map((round, at) => toOwnRound(turn, round, at, ratio));
  return [...(earlier?.() ?? []), ...own];
}

/** @param recent the number of last rounds whose results stay */
function toCandidates(
  parts: readonly SentPart[],
  promptTokens: number,
  recent: number,
): readonly Candidate[] {
  const rounds = parts.filter((part) => 'round' in part);
  const old = new Set(rounds.slice(0, Math.max(0, rounds.length - recent)));
  let before = Math.max(0, promptTokens - parts.reduce((sum, { all }) => sum + all, 0));
  const found: Candidate[] = [];
  for (const part of parts) {
    if ('round' in part && old.has(part)) found.push(...candidatesOf(part, before));
    before += part.all;
  }
  return found;
}

function candidatesOf(sent: SentRound, start: number): readonly Candidate[] {
  const { turn, at, round, settled } = sent;
  let before = start + sent.answer;
  return sent.results.flatMap((tokens, index): readonly Candidate[] => {
    const from = before;
    before += tokens;
    const result = round.toolCalls[index]?.result;
    // Without the image, the request could get another form (Q5), and nothing of it would be cached.
    const hasImages = sentImagesIn(result).length > 0;
    const isSettled = settled === 'all' || settled.has(index);
    if (result === undefined || hasImages || isSettled || tokens < MIN_RESULT) return [];
    return [{ turn, result: { round: at, index, tokens: Math.round(tokens) }, before: from }];
  });
}

function toOwnRound(turn: Turn, round: Round, at: number, ratio: number): SentRound {
  const [answer = 0, ...rest] = toRoundMessages(round, omittedIn(turn, at)).map(
    (message) => sizeOfMessage(message, ratio).tokens,
  );
  const all = rest.reduce((sum, tokens) => sum + tokens, answer);
  return {
    turn: undefined,
    at,
    round,
    settled: NONE,
    answer,
    results: rest.slice(0, round.toolCalls.length),
    all,
  };
}

const NONE: ReadonlySet<number> = new Set();

function toSentPart({ messages, of }: Piece, ratio: number): SentPart {
  const sizes = messages.map((message) => sizeOfMessage(message, ratio).tokens);
  const all = sizes.reduce((sum, tokens) => sum + tokens, 0);
  const round = of?.turn.rounds[of.round];
  if (of === undefined || round === undefined) return { all };
  const [answer = 0, ...rest] = sizes;
  const results =
    messages[1]?.role === 'tool'
      ? rest.slice(0, round.toolCalls.length)
      : round.toolCalls.map(({ result }) => estimateTokens(result?.text ?? '') * ratio);
  return { turn: of.turn.id, at: of.round, round, settled: of.settled, answer, results, all };
}

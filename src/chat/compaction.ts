/**
 * Makes room in a long turn: when its next request would nearly fill the context window, results of earlier tool calls
 * are no longer sent. The calls, the reasoning, and the order stay, and so does the text in the conversation.
 */
import { CONTEXT_WINDOW_TOKENS, type Prices } from '../service/limits.ts';
import { sizeOf } from './requestParts.ts';
import { toRoundMessages } from './transcript.ts';
import { type OmittedResult, omittedIn, type Turn } from './turn.ts';

/** The share of the window from which room is made, and the one that is wanted afterwards. */
export const NEARLY_FULL = 0.8;
const WANTED = 0.5;
/** Less is not worth another start without the cache. A share of the window. */
const WORTHWHILE = 0.1;
/** The model still works with the results of the last rounds. */
const RECENT_ROUNDS = 2;
/** A smaller result would be little longer than the note in its place. In tokens. */
const MIN_RESULT = 200;

interface Candidate extends OmittedResult {
  /** The tokens of the request before it. */
  readonly before: number;
}

/**
 * The results to leave out of the next request, oldest first; undefined if there is room, or if little would be gained.
 * All of them from some result on are left out. Leaving out later ones keeps a longer start cached, leaving out earlier
 * ones makes the rest shorter: of what makes enough room, it is what costs least.
 *
 * @param promptTokens of the next request as it is
 * @param ratio tokens of the route for each estimated token of text
 */
export function findOmitted(
  turn: Turn,
  promptTokens: number,
  prices: Prices,
  ratio: number,
  windowTokens = CONTEXT_WINDOW_TOKENS,
): readonly OmittedResult[] | undefined {
  if (promptTokens < windowTokens * NEARLY_FULL) return undefined;
  const all = toCandidates(turn, promptTokens, ratio);
  const freedFrom = (at: number) => all.slice(at).reduce((sum, { tokens }) => sum + tokens, 0);
  if (freedFrom(0) < windowTokens * WORTHWHILE) return undefined;
  const costFrom = (at: number) => {
    const before = all[at]?.before ?? 0;
    return before * prices.cachedInput + (promptTokens - freedFrom(at) - before) * prices.input;
  };
  let best = 0;
  for (let at = 1; promptTokens - freedFrom(at) <= windowTokens * WANTED; at++)
    if (costFrom(at) <= costFrom(best)) best = at;
  return all.slice(best).map(({ before, ...result }) => result);
}

function toCandidates(turn: Turn, promptTokens: number, ratio: number): readonly Candidate[] {
  const sizes = turn.rounds.map((round, at) =>
    toRoundMessages(round, omittedIn(turn, at)).map((message) => sizeOf(message, ratio).tokens),
  );
  const inRounds = sizes.flat().reduce((sum, tokens) => sum + tokens, 0);
  let before = Math.max(0, promptTokens - inRounds);
  const found: Candidate[] = [];
  for (const [round, [answer = 0, ...results]] of sizes.entries()) {
    before += answer;
    for (const [index, tokens] of results.entries()) {
      const result = turn.rounds[round]?.toolCalls[index]?.result;
      // Without its image, a request could get another form (Q5), and none of it would be cached.
      const hasImages = (result?.images ?? []).length > 0;
      const isOld = round < turn.rounds.length - RECENT_ROUNDS;
      if (isOld && result !== undefined && !hasImages && tokens >= MIN_RESULT)
        found.push({ round, index, tokens: Math.round(tokens), before });
      before += tokens;
    }
  }
  return found;
}

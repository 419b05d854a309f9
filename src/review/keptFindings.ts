/** Findings as they are kept: where each stands, and what the reader has done with it. */
import * as v from 'valibot';
import { type Decoder, decode, oneOf, orUndefined, type WrongField } from '../validation/decode.ts';
import { type Finding, finding } from './findings.ts';
import type { LineRange, Placement } from './placement.ts';

/** `replaced`: its lines were reviewed anew. */
export type FindingState = 'open' | 'dismissed' | 'replaced';

export interface KeptFinding {
  /** Short, and unlike every other. */
  readonly id: string;
  readonly finding: Finding;
  /** The file that it was found in; undefined when there is none. */
  readonly uri: string | undefined;
  readonly placement: Placement;
  readonly state: FindingState;
}

/** What came of one answer. */
export interface KeptReview {
  readonly turnId: string;
  readonly conversationId: string;
  /** In the order of the answer. */
  readonly findings: readonly KeptFinding[];
}

/** What a review was about: files, or lines of one. */
export interface Reviewed {
  readonly uris: readonly string[];
  readonly lines: LineRange | undefined;
}

/** Older reviews than these many are forgotten. */
const MOST_REVIEWS = 30;

/** With a new review, whose files or lines are reviewed anew by it. */
export function withReview(
  reviews: readonly KeptReview[],
  review: KeptReview,
  { uris, lines }: Reviewed,
): readonly KeptReview[] {
  const isAnew = ({ uri, placement }: KeptFinding) =>
    uri !== undefined &&
    uris.includes(uri) &&
    placement.placed &&
    (lines === undefined || (lines.startLine <= placement.startLine && placement.endLine <= lines.endLine));
  const others = reviews
    .filter(({ turnId }) => turnId !== review.turnId)
    .map((other) =>
      mapFindings(other, (one) =>
        isAnew(one) && one.state === 'open' ? { ...one, state: 'replaced' } : one,
      ),
    );
  return [...others, review].slice(-MOST_REVIEWS);
}

/** With another version of some findings. */
export function withFindings(
  reviews: readonly KeptReview[],
  change: (finding: KeptFinding) => KeptFinding,
): readonly KeptReview[] {
  return reviews.map((review) => mapFindings(review, change));
}

function mapFindings(review: KeptReview, change: (finding: KeptFinding) => KeptFinding): KeptReview {
  return { ...review, findings: review.findings.map(change) };
}

const text = v.string();
const line = v.pipe(v.number(), v.integer(), v.minValue(0));

const placement: Decoder<Placement> = v.variant('placed', [
  v.object({ placed: v.literal(true), startLine: line, endLine: line }),
  v.object({
    placed: v.literal(false),
    reason: oneOf<Extract<Placement, { readonly placed: false }>['reason']>({
      'no-file': true,
      'no-quotation': true,
      'not-found': true,
      ambiguous: true,
    }),
  }),
]);

const keptFinding: Decoder<KeptFinding> = v.object({
  id: text,
  finding,
  uri: orUndefined(text),
  placement,
  state: oneOf<FindingState>({ open: true, dismissed: true, replaced: true }),
});

const review = v.object({ turnId: text, conversationId: text, findings: v.array(v.unknown()) });

/**
 * What was kept, as far as it can be read: another version may have written it.
 *
 * @param onWrong told of each review and each finding that is left out
 */
export function decodeKept(json: unknown, onWrong: (wrong: WrongField) => void): readonly KeptReview[] {
  if (json === undefined) return [];
  return readable(v.array(v.unknown()), json, onWrong)
    .flat()
    .flatMap((one) => readable(review, one, onWrong))
    .map((one) => ({
      ...one,
      findings: one.findings.flatMap((kept) => readable(keptFinding, kept, onWrong)),
    }));
}

/** The value in a list, or an empty one. */
function readable<Value>(
  decoder: Decoder<Value>,
  json: unknown,
  onWrong: (wrong: WrongField) => void,
): readonly Value[] {
  const decoded = decode(decoder, json);
  if (decoded.ok) return [decoded.value];
  onWrong(decoded.wrong);
  return [];
}

/** Findings as stored, with their lines and the user's decision. */
import * as v from 'valibot';
import type { LineRange } from '../../text/lineRange.ts';
import { type Decoder, decode, oneOf, orUndefined, type WrongField } from '../../validation/decode.ts';
import { isAtOrBelow, renamedUri } from '../proposals/fileChanges.ts';
import { type CellMark, cellMark } from '../proposals/renumberedCells.ts';
import type { Placement } from './findingPlacement.ts';
import { type Finding, finding } from './findings.ts';

/** `replaced`: a later review covers its lines. */
export type FindingState = 'open' | 'dismissed' | 'replaced';

export interface StoredFinding {
  /** A short unique id. */
  readonly id: string;
  readonly finding: Finding;
  /** The file of the finding; undefined when it doesn't exist. */
  readonly uri: string | undefined;
  readonly placement: Placement;
  readonly state: FindingState;
  /** The file contained the quotation several times when the finding was last at its lines, so a match elsewhere is another place. */
  readonly repeated?: boolean | undefined;
  /** The notebook cell of the finding, as the cell was when the finding was stored. */
  readonly cell?: CellMark;
}

/** The findings of one answer. */
export interface StoredReview {
  readonly turnId: string;
  readonly conversationId: string;
  /** In the order of the answer. */
  readonly findings: readonly StoredFinding[];
}

/** A reviewed file and the lines of it that the review showed. */
export interface Reviewed {
  readonly uri: string;
  readonly lines: readonly LineRange[];
}

/** A review of this session, and the lines that it showed. */
export interface AnsweredReview {
  readonly turnId: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly reviewed: readonly Reviewed[];
}

/** Number of reviews that are kept. */
const MAX_REVIEWS = 30;

/**
 * Adds a review, and marks open findings on the lines that it covers as replaced.
 *
 * @param later reviews that were asked later but answered earlier: they replace findings of this review
 */
export function withReview(
  reviews: readonly StoredReview[],
  review: StoredReview,
  reviewed: readonly Reviewed[],
  later: readonly AnsweredReview[] = [],
): readonly StoredReview[] {
  const laterIds = new Set(later.map(({ turnId }) => turnId));
  const others = reviews
    .filter(({ turnId }) => turnId !== review.turnId)
    .map((other) => (laterIds.has(other.turnId) ? other : withReplaced(other, reviewed)));
  // The oldest reviews are dropped, those without shown findings first.
  const excess = Math.max(0, others.length + 1 - MAX_REVIEWS);
  const ordered = others.toSorted((one, other) => Number(isShown(one)) - Number(isShown(other)));
  const dropped = new Set(ordered.slice(0, excess));
  const added = later.reduce((one, next) => withReplaced(one, next.reviewed), review);
  return [...others.filter((one) => !dropped.has(one)), added];
}

/** The review with its open findings on lines that another review covers marked as replaced. */
function withReplaced(review: StoredReview, reviewed: readonly Reviewed[]): StoredReview {
  const isReviewedAgain = ({ uri, placement }: StoredFinding) =>
    placement.placed &&
    reviewed.some(
      (one) =>
        one.uri === uri &&
        one.lines.some(
          ({ startLine, endLine }) => startLine <= placement.startLine && placement.endLine <= endLine,
        ),
    );
  return mapFindings(review, (one) =>
    isReviewedAgain(one) && one.state === 'open' ? { ...one, state: 'replaced' } : one,
  );
}

const isShown = ({ findings }: StoredReview): boolean =>
  findings.some(({ state, placement: { placed } }) => placed && state === 'open');

/** The URIs of files with open findings. A file with several findings is listed several times. */
export const openUris = (reviews: readonly StoredReview[]): readonly string[] =>
  reviews.flatMap(({ findings }) =>
    findings.flatMap(({ uri, state }) => (uri === undefined || state !== 'open' ? [] : [uri])),
  );

/** Replaces some findings. */
export function withFindings(
  reviews: readonly StoredReview[],
  change: (finding: StoredFinding) => StoredFinding,
): readonly StoredReview[] {
  return reviews.map((review) => mapFindings(review, change));
}

/** The findings after a file or folder was renamed; the same list if none is in it. */
export function withRenamedReviews(
  reviews: readonly StoredReview[],
  from: string,
  to: string,
): readonly StoredReview[] {
  const isIn = ({ uri }: StoredFinding) => uri !== undefined && isAtOrBelow(uri, from);
  if (!reviews.some(({ findings }) => findings.some(isIn))) return reviews;
  return withFindings(reviews, (kept) =>
    kept.uri === undefined ? kept : { ...kept, uri: renamedUri(kept.uri, from, to) ?? kept.uri },
  );
}

function mapFindings(review: StoredReview, change: (finding: StoredFinding) => StoredFinding): StoredReview {
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

const keptFinding: Decoder<StoredFinding> = v.object({
  id: text,
  finding,
  uri: orUndefined(text),
  placement,
  state: oneOf<FindingState>({ open: true, dismissed: true, replaced: true }),
  repeated: v.optional(v.boolean()),
  cell: v.exactOptional(cellMark),
});

const review = v.object({ turnId: text, conversationId: text, findings: v.array(v.unknown()) });

/**
 * Decodes stored reviews. Another version may have written them.
 *
 * @param onWrong called for each review and each finding that is left out
 */
export function decodeStoredReviews(
  json: unknown,
  onWrong: (wrong: WrongField) => void,
): readonly StoredReview[] {
  if (json === undefined) return [];
  return readable(v.array(v.unknown()), json, onWrong)
    .flat()
    .flatMap((one) => readable(review, one, onWrong))
    .map((one) => ({
      ...one,
      findings: one.findings.flatMap((kept) => readable(keptFinding, kept, onWrong)),
    }));
}

/** A list with the decoded value, or an empty list. */
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

/** Findings as they are kept: where each stands, and what the reader has done with it. */
import { decodeFindings, type Finding } from './findings.ts';
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

/** What was kept, as far as it can be read: another version may have written it. */
export function decodeKept(json: unknown): readonly KeptReview[] {
  return Array.isArray(json) ? json.flatMap(decodeReview) : [];
}

function decodeReview(json: unknown): readonly KeptReview[] {
  const { turnId, conversationId, findings } = toFields(json);
  if (typeof turnId !== 'string' || typeof conversationId !== 'string' || !Array.isArray(findings)) return [];
  return [{ turnId, conversationId, findings: findings.flatMap(decodeKeptFinding) }];
}

function decodeKeptFinding(json: unknown): readonly KeptFinding[] {
  const { id, uri, state, finding, placement } = toFields(json);
  const decoded = decodeFindings({ findings: [finding] });
  const one = decoded.ok ? decoded.answer.findings[0] : undefined;
  const known = (['open', 'dismissed', 'replaced'] as const).find((each) => each === state);
  if (typeof id !== 'string' || one === undefined || known === undefined) return [];
  return [
    {
      id,
      finding: one,
      uri: typeof uri === 'string' ? uri : undefined,
      placement: decodePlacement(placement),
      state: known,
    },
  ];
}

const REASONS = ['no-file', 'no-quotation', 'not-found', 'ambiguous'] as const;

function decodePlacement(json: unknown): Placement {
  const { placed, startLine, endLine, reason } = toFields(json);
  if (placed === true && typeof startLine === 'number' && typeof endLine === 'number')
    return { placed, startLine, endLine };
  return { placed: false, reason: REASONS.find((one) => one === reason) ?? 'not-found' };
}

function toFields(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? { ...json } : {};
}

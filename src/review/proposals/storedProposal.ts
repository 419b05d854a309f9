/** The decoder for stored proposals. Earlier versions stored fewer fields; unknown fields are ignored. */
import * as v from 'valibot';
import { count, type Decoder, oneOf, orUndefined } from '../../validation/decode.ts';
import type { Span, UnplacedEdit, UnplacedEditReason } from '../edits/editPlacement.ts';
import { edit, malformedField, type ProposedEdit } from '../edits/proposalAnswer.ts';
import type { AnchoredHunk, HunkState } from '../hunks/anchors.ts';
import type { Hunk } from '../hunks/hunks.ts';
import { NO_STEPS, type UndoSteps } from '../hunks/undoSteps.ts';
import type { FileProposal, Proposal, ProposalTrouble } from './proposal.ts';

const text = v.string();

const hunk: Decoder<Hunk> = v.object({
  id: text,
  offset: count,
  line: count,
  before: text,
  after: text,
  lead: v.optional(count, 0),
});

const anchored: Decoder<AnchoredHunk> = v.object({
  hunk,
  from: count,
  to: count,
  state: oneOf<HunkState>({ open: true, accepted: true, rejected: true, stale: true }),
  torn: v.optional(v.boolean(), false),
  putBack: v.exactOptional(v.boolean()),
});

const span: Decoder<Span> = v.object({ from: count, to: count });

/** Earlier versions stored a refusal as `outside`. */
const refusedBefore = v.pipe(
  v.literal('outside'),
  v.transform((): UnplacedEditReason => 'refused'),
);

const reason: Decoder<UnplacedEditReason> = v.union([
  oneOf<UnplacedEditReason>({
    'not-there': true,
    'part-of-line': true,
    several: true,
    overlaps: true,
    'file-missing': true,
    'file-exists': true,
    'whole-file': true,
    'no-text': true,
    'marker-left': true,
    unclear: true,
    'too-many': true,
    unreadable: true,
    moved: true,
    refused: true,
  }),
  refusedBefore,
]);

/** An edit without a place. Its readings are stored, because they are needed to place it when its file is back. */
const unplacedEdit: Decoder<ProposedEdit> = v.object({
  find: text,
  replace: text,
  readings: v.exactOptional(v.array(edit)),
});

const unplaced: Decoder<UnplacedEdit> = v.object({ edit: unplacedEdit, reason });

/** Not stored, because the editor doesn't store the undo history of a document either. */
const steps: Decoder<UndoSteps> = v.optional(
  v.pipe(
    v.unknown(),
    v.transform(() => NO_STEPS),
  ),
  null,
);

const file: Decoder<FileProposal> = v.object({
  uri: text,
  label: text,
  isNew: v.optional(v.boolean(), false),
  created: v.optional(v.boolean()),
  createdEmpty: v.optional(v.boolean()),
  missing: v.optional(v.boolean(), false),
  before: text,
  after: text,
  text,
  hunks: v.array(anchored),
  steps,
  asked: orUndefined(span),
  unplaced: v.array(unplaced),
  lineEnd: v.optional(v.picklist(['\n', '\r\n'])),
  replacedBy: orUndefined(text),
  beside: v.optional(v.array(text)),
  displaced: v.optional(v.array(v.object({ id: text, open: count }))),
});

const trouble: Decoder<ProposalTrouble> = v.variant('kind', [
  v.object({ kind: v.literal('malformed'), malformed: malformedField }),
  v.object({ kind: v.picklist(['no-change', 'failed']) }),
  v.object({ kind: v.picklist(['several-blocks', 'unnamed-blocks']), count }),
  v.object({ kind: v.literal('lines-changed'), label: text }),
]);

export const storedProposal: Decoder<Proposal> = v.object({
  id: text,
  turnId: text,
  conversationId: text,
  createdAt: v.optional(count, 0),
  files: v.array(file),
  trouble: orUndefined(trouble),
  revises: orUndefined(text),
});

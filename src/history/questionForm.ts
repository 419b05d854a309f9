/** What a question is on the disk and in exported files. Optional fields are those that questions do not all have. */
import * as v from 'valibot';
import type { AnswerFormat } from '../chat/answerFormat.ts';
import type { ContextItem, ContextKind, ContextPart, WhyOmitted } from '../chat/context.ts';
import type { ImageAttachment, Origin, Purpose, Question } from '../chat/turn.ts';
import { count, type Decoder, type Fields, oneOf, orUndefined, someObject } from '../validation/decode.ts';

const text = v.string();

const contextKind = oneOf<ContextKind>({
  file: true,
  folder: true,
  symbol: true,
  selection: true,
  problems: true,
  changes: true,
});

const whyOmitted = oneOf<WhyOmitted>({
  ignored: true,
  binary: true,
  'too-large': true,
  'over-budget': true,
  outside: true,
  unreadable: true,
  untracked: true,
  secret: true,
});

const contextItem: Decoder<ContextItem> = v.object({
  kind: contextKind,
  label: text,
  uri: v.exactOptional(text),
  parts: v.array(
    v.object({
      label: text,
      range: v.exactOptional(v.object({ startLine: count, endLine: count })),
      language: v.exactOptional(text),
      text,
      linesInAll: v.exactOptional(count),
    } satisfies Fields<ContextPart>),
  ),
  omitted: v.exactOptional(v.array(v.object({ label: text, why: whyOmitted }))),
  omittedMore: v.exactOptional(count),
  older: v.exactOptional(v.literal(true)),
} satisfies Fields<ContextItem>);

/** What goes with a message, besides its images. */
export const context: Decoder<readonly ContextItem[]> = v.array(contextItem);

export const origin: Decoder<Origin> = v.object({
  uri: text,
  startLine: count,
  endLine: count,
  text: v.exactOptional(text),
} satisfies Fields<Origin>);

export const purpose = oneOf<Purpose>({
  proposal: true,
  tests: true,
  findings: true,
  'commit-message': true,
});

export const answerFormat: Decoder<AnswerFormat> = v.variant('kind', [
  v.object({ kind: v.literal('json') }),
  v.object({ kind: v.literal('schema'), name: text, schema: someObject }),
]);

const image: Decoder<ImageAttachment> = v.object({
  name: text,
  // Bytes, or a file of the service: an address that anything would be fetched from is none.
  url: v.custom<string>(
    (value) => typeof value === 'string' && /^(data:image\/(png|jpeg|gif|webp);base64,|ms:\/\/)/.test(value),
    'the bytes of an image, or an address that begins with ms://',
  ),
  omitted: v.exactOptional(v.literal(true)),
} satisfies Fields<ImageAttachment>);

/** A question with the addresses of its images. */
export const question: Decoder<Question> = v.object({
  text,
  images: v.array(image),
  context: v.exactOptional(context),
  origin: orUndefined(origin),
  purpose: v.exactOptional(purpose),
  revises: v.exactOptional(text),
  format: v.exactOptional(answerFormat),
} satisfies Fields<Question>);

/** What of an image stands in the question's record: the hash of its bytes, or the address of one that has none. */
export interface ImageRecord {
  readonly name: string;
  readonly hash?: string;
  readonly url?: string;
  readonly omitted?: true;
}

/** Everything about a question but its text. A field that cannot be read is as if it were not there. */
export type QuestionRecord = Omit<Question, 'text' | 'images'> & { readonly images: readonly ImageRecord[] };

export const questionRecord: Decoder<QuestionRecord> = v.object({
  images: v.optional(
    v.array(
      v.object({
        name: text,
        hash: v.exactOptional(text),
        url: v.exactOptional(text),
        omitted: v.exactOptional(v.literal(true)),
      }),
    ),
    [],
  ),
  context: v.exactOptional(context),
  origin: orUndefined(origin),
  purpose: v.exactOptional(purpose),
  revises: v.exactOptional(text),
  format: v.exactOptional(answerFormat),
} satisfies Fields<QuestionRecord>);

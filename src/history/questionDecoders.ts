/** Decoders for questions in the database and in exported files. Fields that not all questions have are optional. */
import * as v from 'valibot';
import type { AnswerFormat } from '../conversation/answerFormats/answerFormat.ts';
import type { ContextItem, ContextKind, ContextPart, OmitReason } from '../conversation/context/context.ts';
import type { AttachedImage, ImageSize, Scaling } from '../conversation/images/imagePlan.ts';
import type { ImageAttachment, Origin, Preset, Purpose, Question } from '../conversation/question.ts';
import { isImageData } from '../service/imageTypes.ts';
import type { ReasoningEffort } from '../service/types.ts';
import { count, type Decoder, type Fields, oneOf, orUndefined, someObject } from '../validation/decode.ts';

const text = v.string();

const contextKind = oneOf<ContextKind>({
  file: true,
  folder: true,
  symbol: true,
  selection: true,
  problems: true,
  changes: true,
  terminal: true,
  instructions: true,
});

const whyOmitted = oneOf<OmitReason>({
  ignored: true,
  binary: true,
  'too-large': true,
  'over-budget': true,
  'too-many': true,
  outside: true,
  unreadable: true,
  untracked: true,
  secret: true,
});

export const contextItem: Decoder<ContextItem> = v.object({
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
      appliesTo: v.exactOptional(text),
    } satisfies Fields<ContextPart>),
  ),
  omitted: v.exactOptional(v.array(v.object({ label: text, why: v.fallback(whyOmitted, 'unreadable') }))),
  omittedMore: v.exactOptional(count),
  older: v.exactOptional(v.literal(true)),
  replaces: v.exactOptional(v.literal(true)),
  ended: v.exactOptional(v.literal(true)),
} satisfies Fields<ContextItem>);

/** The context of a message, without its images. */
export const context: Decoder<readonly ContextItem[]> = v.array(contextItem);

export const origin: Decoder<Origin> = v.object({
  uri: text,
  startLine: count,
  endLine: count,
  text: v.exactOptional(text),
  path: v.exactOptional(text),
} satisfies Fields<Origin>);

export const purpose = oneOf<Purpose>({
  proposal: true,
  tests: true,
  findings: true,
  'commit-message': true,
});

export const effort = oneOf<ReasoningEffort>({ low: true, high: true, max: true });

export const preset: Decoder<Preset> = v.object({
  name: text,
  prompt: v.exactOptional(text),
  tools: v.exactOptional(v.array(text)),
  effort: v.exactOptional(effort),
  maxCompletionTokens: v.exactOptional(count),
} satisfies Fields<Preset>);

export const answerFormat: Decoder<AnswerFormat> = v.variant('kind', [
  v.object({ kind: v.literal('json') }),
  v.object({ kind: v.literal('schema'), name: text, schema: someObject }),
]);

const imageFields = {
  name: text,
  // Only image bytes or a file of the service. URLs that would have to be fetched are invalid.
  url: v.custom<string>(
    (value) => typeof value === 'string' && (isImageData(value) || value.startsWith('ms://')),
    'the bytes of an image, or an address that begins with ms://',
  ),
  omitted: v.exactOptional(v.literal(true)),
} satisfies Fields<ImageAttachment>;

export const image: Decoder<ImageAttachment> = v.object(imageFields);

const imageSize: Decoder<ImageSize> = v.object({ width: count, height: count, bytes: count });

/** An image in the message box. */
export const attachedImage: Decoder<AttachedImage> = v.object({
  ...imageFields,
  thumbnail: v.exactOptional(imageFields.url),
  scaling: v.exactOptional(
    v.object({ from: imageSize, to: imageSize, stilled: v.boolean() } satisfies Fields<Scaling>),
  ),
} satisfies Fields<AttachedImage>);

/** The fields that a question and its record share. */
const questionFields = {
  context: v.exactOptional(context),
  origin: orUndefined(origin),
  more: v.exactOptional(v.array(origin)),
  purpose: v.exactOptional(purpose),
  repository: v.exactOptional(text),
  commit: v.exactOptional(text),
  revises: v.exactOptional(text),
  format: v.exactOptional(answerFormat),
  continues: v.exactOptional(text),
  asked: v.exactOptional(text),
  effort: v.exactOptional(effort),
  tools: v.exactOptional(v.array(text)),
  keepsResults: v.exactOptional(v.literal(true)),
  preset: v.exactOptional(preset),
} satisfies Fields<Omit<Question, 'text' | 'images'>>;

/** A question with the URLs of its images. */
export const question: Decoder<Question> = v.object({
  text,
  images: v.array(image),
  ...questionFields,
} satisfies Fields<Question>);

/** An image in the record of a question: the hash of its bytes, or its URL if it has no bytes. */
export interface ImageRecord {
  readonly name: string;
  readonly hash?: string;
  readonly url?: string;
  readonly omitted?: true;
}

/** A question without its text. Fields that can't be decoded are left out. */
export type QuestionRecord = Omit<Question, 'text' | 'images'> & { readonly images: readonly ImageRecord[] };

export const imageRecord: Decoder<ImageRecord> = v.object({
  name: text,
  hash: v.exactOptional(text),
  url: v.exactOptional(text),
  omitted: v.exactOptional(v.literal(true)),
} satisfies Fields<ImageRecord>);

export const questionRecord: Decoder<QuestionRecord> = v.object({
  images: v.optional(v.array(imageRecord), []),
  ...questionFields,
} satisfies Fields<QuestionRecord>);

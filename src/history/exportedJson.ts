/**
 * Writes and reads exported conversations as JSON, which keeps everything: reasoning, attempts, branches, images, IDs, usage, and
 * timings. A single conversation is a JSON file. Several are JSON lines, so that a file doesn't have to fit into memory.
 */
import * as v from 'valibot';
import { type Conversation, type Exchange, limitShown } from '../conversation/conversation.ts';
import type { Turn } from '../conversation/turn.ts';
import { isDeeperThan, MAX_LEVELS, parseJson } from '../service/json.ts';
import {
  count,
  type Decoder,
  decode,
  describeWrong,
  orUndefined,
  tryDecode,
  whole,
} from '../validation/decode.ts';
import { question } from './questionDecoders.ts';
import { toCompleteQuestion, toCompleteTurn } from './records.ts';
import { turn } from './turnDecoders.ts';

/** The value of the first key of each object, which identifies the format. */
export const EXPORT_FORMAT = 'k3-chat-conversation';
export const EXPORT_VERSION = 1;

export interface ExportedConversation {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: number;
  readonly conversation: Conversation;
}

/** @param indent spaces per level; 0 writes the conversation on one line */
export function toExport(conversation: Conversation, indent: number): string {
  const exported: ExportedConversation = { format: EXPORT_FORMAT, version: EXPORT_VERSION, conversation };
  return `${JSON.stringify(exported, undefined, indent)}\n`;
}

/** Why a file can't be imported, and where the error is. */
export interface ImportProblem {
  readonly kind: 'not-json' | 'not-ours' | 'too-new' | 'invalid';
  /** The line of the error, counted from 1, if the file has one conversation per line. */
  readonly line: number | undefined;
  /** The field and the expected value, such as `conversation.exchanges[0].id should be text`. */
  readonly detail: string;
}

export type Imported =
  | { readonly ok: true; readonly conversations: readonly Conversation[] }
  | { readonly ok: false; readonly problem: ImportProblem };

/** Reads an exported file. One invalid conversation rejects the complete file. */
export function parseExport(text: string): Imported {
  const json = parseJson(withoutMark(text));
  if (json !== undefined) {
    const read = readOne(json, undefined);
    return 'kind' in read ? { ok: false, problem: read } : { ok: true, conversations: [read] };
  }
  // The first line of one conversation over several lines. The line of its error isn't known.
  if (withoutMark(text).trimStart().split('\n', 1)[0]?.trim() === '{')
    return { ok: false, problem: { kind: 'not-json', line: undefined, detail: '' } };
  const conversations: Conversation[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(withoutMark(line));
    const read =
      parsed === undefined
        ? ({ kind: 'not-json', line: index + 1, detail: '' } as const)
        : readOne(parsed, index + 1);
    if ('kind' in read) return { ok: false, problem: read };
    conversations.push(read);
  }
  return { ok: true, conversations };
}

/** Some editors begin a file with a byte order mark, which isn't part of the JSON. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** The deepest nesting of a file. Stored responses are nested inside conversations here, so it is deeper than theirs. */
const MAX_FILE_LEVELS = MAX_LEVELS + 100;

function readOne(value: unknown, line: number | undefined): Conversation | ImportProblem {
  const head = tryDecode(v.object({ format: v.literal(EXPORT_FORMAT), version: v.unknown() }), value);
  if (head === undefined) return { kind: 'not-ours', line, detail: '' };
  if (typeof head.version === 'number' && head.version > EXPORT_VERSION)
    return { kind: 'too-new', line, detail: String(head.version) };
  if (isDeeperThan(value, MAX_FILE_LEVELS))
    return { kind: 'invalid', line, detail: `it should be nested at most ${MAX_FILE_LEVELS} levels deep` };
  const decoded = decode(exported, value);
  if (!decoded.ok) return { kind: 'invalid', line, detail: describeWrong(decoded.wrong) };
  return decoded.value.conversation;
}

const text = v.string();
const id = v.pipe(text, v.minLength(1), v.maxLength(200));

const exchanges: Decoder<readonly Exchange[]> = v.array(
  v.pipe(
    v.object({
      id,
      question: v.pipe(question, v.transform(toCompleteQuestion)),
      attempts: v.array(
        v.pipe(
          turn,
          v.transform((one): Turn => toCompleteTurn(one)),
        ),
      ),
      shown: v.pipe(whole, v.minValue(0)),
    }),
    v.transform((one): Exchange => ({ ...one, shown: limitShown(one.shown, one.attempts) })),
  ),
);

const exported: Decoder<ExportedConversation> = v.object({
  format: v.literal(EXPORT_FORMAT),
  version: v.pipe(whole, v.minValue(1)),
  conversation: v.object({
    id,
    createdAt: count,
    title: text,
    named: v.boolean(),
    pinned: v.boolean(),
    workspace: orUndefined(text),
    forkedFrom: orUndefined(text),
    exchanges,
    branches: v.array(v.object({ after: orUndefined(text), exchanges })),
  }),
});

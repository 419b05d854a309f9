/** The fields in which reasoning is sent (R4; docs/service.md, Reasoning has several names). */
import type { Frame } from '../frames.ts';
import type { JsonObject } from '../json.ts';
import type { Reply } from '../reply.ts';
import type { Scenario } from './scenario.ts';
import { mapDeltas } from './scenarioParts.ts';

export const REASONING_SCENARIOS: readonly Scenario[] = [
  {
    name: 'renamed-reasoning',
    row: 'R4',
    title: 'Reasoning arrives as `reasoning`, and has to go back under that name',
    fields: (fields) => rename(fields, (text) => ({ reasoning: text })),
    replayNames: ['reasoning'],
  },
  {
    name: 'reasoning-details',
    row: 'R4',
    title: 'Reasoning arrives as `reasoning_details` alone, text first and an encrypted entry at the end',
    fields: (fields) => rename(fields, (text) => ({ reasoning_details: [toDetail(text)] })),
    frames: (frames) =>
      [...frames].flatMap((frame) => (frame.phase === 'finish' ? [toEncrypted(frame), frame] : [frame])),
    replayNames: ['reasoning_details'],
  },
  {
    name: 'both-names',
    row: 'R4',
    title: 'The same text as `reasoning_content`, `reasoning` and `reasoning_details` in one delta',
    fields: (fields) =>
      rename(fields, (text) => ({
        reasoning_content: text,
        reasoning: text,
        reasoning_details: [toDetail(text)],
      })),
    replayNames: ['reasoning_content', 'reasoning', 'reasoning_details'],
  },
  {
    name: 'think-tags',
    row: 'R4',
    title: 'Reasoning stands in <think>…</think> inside content',
    reply: (reply) => inTags(reply, '<think>', '</think>'),
    fields: withoutReasoning,
    replayNames: ['tags'],
  },
  {
    name: 'think-tags-split',
    row: 'R4',
    title: 'The same, with the tags cut over several deltas',
    reply: (reply) => inTags(reply, '<think>', '</think>'),
    fields: withoutReasoning,
    frames: (frames) => frames.flatMap(splitContent),
    replayNames: ['tags'],
  },
  {
    name: 'think-no-open',
    row: 'R4',
    title: 'The opening <think> is missing, because it stands in the prompt',
    reply: (reply) => inTags(reply, '', '</think>'),
    fields: withoutReasoning,
    replayNames: ['tags'],
  },
  {
    name: 'think-triangles',
    row: 'R4',
    title: 'Reasoning stands in ◁think▷…◁/think▷ inside content',
    reply: (reply) => inTags(reply, '◁think▷', '◁/think▷'),
    fields: withoutReasoning,
    replayNames: ['tags'],
  },
  {
    name: 'think-twin',
    row: 'R4',
    title: 'The same reasoning in its own field, and then in <think>…</think> inside content',
    reply: (reply) => ({ ...inTags(reply, '<think>', '</think>'), reasoning: reply.reasoning }),
  },
  {
    name: 'renamed-in-answers',
    row: 'R4',
    title:
      'Reasoning arrives as `reasoning`, and has to go back as `reasoning_content` to the service behind',
    fields: (fields) => rename(fields, (text) => ({ reasoning: text })),
  },
  {
    name: 'no-reasoning',
    row: 'R4',
    title: 'A gateway drops the reasoning, although it is billed',
    fields: withoutReasoning,
  },
  {
    name: 'empty-last-reasoning',
    row: 'service.md: Reasoning has several names',
    title: 'The last reasoning deltas are an empty string and null',
    frames: (frames) =>
      frames.flatMap((frame) =>
        frame.phase === 'finish'
          ? [...['', null].map((text) => mapDeltas(frame, () => ({ reasoning_content: text }), null)), frame]
          : [frame],
      ),
  },
];

function rename(fields: JsonObject, toFields: (text: string) => JsonObject): JsonObject {
  const { reasoning_content: text, ...others } = fields;
  return typeof text === 'string' ? { ...others, ...toFields(text) } : fields;
}

function withoutReasoning(fields: JsonObject): JsonObject {
  return rename(fields, () => ({}));
}

/** Entries with the same index are parts of one text. */
function toDetail(text: string): JsonObject {
  return { type: 'reasoning.text', text, index: 0, format: 'unknown' };
}

/** The signature that some services require to be sent back, in a separate delta before the end. */
function toEncrypted(frame: Frame): Frame {
  const entry = { type: 'reasoning.encrypted', data: 'ZW11bGF0ZWQ=', index: 1, format: 'unknown' };
  return mapDeltas({ ...frame, phase: 'answer' }, () => ({ reasoning_details: [entry] }), null);
}

/** Moves the reasoning to the content, without changing the usage. Reasoning that was cut has no closing tag. */
function inTags(reply: Reply, open: string, close: string): Reply {
  const isCut = reply.finishReason === 'length' && reply.content === '';
  const rest = isCut ? '' : `${close}\n\n${reply.content}`;
  return { ...reply, content: `${open}${reply.reasoning}${rest}`, reasoning: '' };
}

function splitContent(frame: Frame): readonly Frame[] {
  if (frame.phase !== 'answer') return [frame];
  const pieces: Frame[] = [];
  mapDeltas(frame, (delta) => {
    for (const piece of String(delta['content'] ?? '').match(/[\s\S]{1,3}/gu) ?? []) {
      pieces.push(mapDeltas(frame, () => ({ content: piece })));
    }
    return delta;
  });
  return pieces;
}

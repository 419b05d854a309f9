/** Separates reasoning in tags from the answer text of chunks (R4). */
import { bringsText, carriesAnything, EMPTY_CHUNK, hasOutputCount } from './answerChoice.ts';
import { createSameReasoning, type SameReasoning } from './sameReasoning.ts';
import { flushTags, NO_TAGS, splitTags, type TagPart } from './thinkTags.ts';
import { createTwinTags, type TwinTags } from './twinTags.ts';
import type { BodyStreamEvent, Chunk, Usage } from './types.ts';

export interface TagSplitter {
  /** Pushes the parts of a chunk. Its other fields go with the first part and the last one. */
  add(chunk: Chunk): void;
  /** Pushes the text that was held back because it could have been the start of a tag. */
  flush(): void;
  /** Pushes the event that another response begins in the same stream. Its reasoning can be in another place. */
  beginAgain(): void;
}

/** @param reasoningSoFar returns all reasoning that came in its own field, including that of the chunk that is being added */
export function createTagSplitter(
  push: (event: BodyStreamEvent) => void,
  reasoningSoFar: () => string,
): TagSplitter {
  let tags = NO_TAGS;
  /** The reasoning has its own field, so tags are text of the answer, or contain the same reasoning again. */
  let isNamed = false;
  let twin: TwinTags | undefined;
  /** Compares reasoning in tags with the field that comes after it. Undefined before the first text in tags. */
  let same: SameReasoning | undefined;
  /** The last usage that counts output, if no text has arrived after it. */
  let latest: Usage | undefined;
  let hasFinished = false;
  /** Another response has begun in unfinished tags. Its first text shows whether these still apply. */
  let isUncertain = false;
  /** The length of the reasoning in its own field before the current response. */
  let earlier = 0;

  function flush(goesOn = false): void {
    const rest = twin?.flush(goesOn);
    if (rest) push({ type: 'chunk', chunk: { ...EMPTY_CHUNK, answer: rest } });
    const parts = flushTags(tags);
    for (const part of parts) push(toEvent(part, tags.open, EMPTY_CHUNK));
    tags = { ...tags, held: '' };
    // Usage doesn't count text that comes after it. This text arrived before the usage, so the usage is pushed again after it.
    if (latest !== undefined && (rest || parts.length > 0))
      push({ type: 'chunk', chunk: { ...EMPTY_CHUNK, usage: latest } });
  }

  function split(chunk: Chunk): void {
    const { parts: all, state } = splitTags(tags, chunk.answer, !isNamed || same?.mayBeSame === true);
    tags = state;
    let parts = all.flatMap(withoutSame);
    // The reasoning has its own field, and nothing of it is in the tags: only the opening tag was left over before the answer.
    if (tags.mode === 'inside' && same?.isOther === true) {
      tags = { ...tags, mode: 'past' };
      parts = parts.map((part) => (part.kind === 'reasoning' ? { kind: 'answer', text: part.text } : part));
    }
    const first = { ...chunk, answer: '', toolCalls: [], finishReason: undefined, usage: undefined };
    if (carriesAnything(first) || parts.length === 0) push({ type: 'chunk', chunk: first });
    const base = { ...EMPTY_CHUNK, id: chunk.id, model: chunk.model };
    for (const part of parts) push(toEvent(part, tags.open, base));
    // Calls stay in one chunk with their finish reason, which may not be the end of the calls.
    const { toolCalls, finishReason, usage } = chunk;
    // Push text that was held back before the calls: after them, it would mean that they may not be complete.
    if (toolCalls.length > 0 && finishReason !== undefined) flush();
    const last = { ...EMPTY_CHUNK, toolCalls, finishReason, usage };
    if (carriesAnything(last) || finishReason !== undefined) push({ type: 'chunk', chunk: last });
  }

  /** A part without reasoning that also came in its own field. */
  function withoutSame(part: TagPart): readonly TagPart[] {
    if (part.kind !== 'reasoning') return [part];
    same ??= createSameReasoning();
    const text = same.take('first', part.text);
    return text === '' ? [] : [{ ...part, text }];
  }

  /** A chunk without reasoning that also came in tags. */
  function withoutTagged(chunk: Chunk): Chunk {
    const { reasoning } = chunk;
    if (reasoning === undefined || same === undefined) return chunk;
    const text = same.take('other', reasoning.text);
    // The field is kept without text, too, because the reasoning is sent back under its name.
    return text === reasoning.text ? chunk : { ...chunk, reasoning: { ...reasoning, text } };
  }

  /** A chunk without reasoning in tags that also came in its own field before. */
  function withoutTwin(chunk: Chunk): Chunk {
    if (!isNamed || chunk.answer === '') return chunk;
    let { answer } = chunk;
    const isBefore = tags.mode === 'start' || (tags.mode === 'inside' && same === undefined);
    if (twin === undefined && isBefore) {
      twin = createTwinTags(reasoningSoFar().slice(earlier));
      answer = (tags.mode === 'inside' ? tags.open : '') + tags.held + answer;
      tags = { ...tags, mode: 'past', held: '' };
    }
    answer = twin?.take(answer) ?? answer;
    return answer === chunk.answer ? chunk : { ...chunk, answer };
  }

  const isInTags = () => same?.mayBeSame === true && tags.mode === 'inside';

  function restart(): void {
    flush();
    tags = NO_TAGS;
    isNamed = false;
    twin = undefined;
    same = undefined;
    hasFinished = false;
  }

  /** Leaves unfinished tags of an earlier response if the text of the next one begins in its own field, or in tags again. */
  function checkTags({ reasoning, answer }: Chunk): void {
    if (reasoning === undefined && answer.trim() === '') return;
    isUncertain = false;
    if (reasoning !== undefined || answer.trimStart().startsWith(tags.open.trimStart())) restart();
  }

  return {
    flush: () => flush(),
    beginAgain() {
      // If the reasoning hasn't ended, the same response may go on.
      isUncertain = tags.mode === 'inside';
      if (!isUncertain) restart();
      earlier = reasoningSoFar().length;
      push({ type: 'begun-again' });
    },
    add(whole) {
      if (isUncertain) checkTags(whole);
      if (whole.reasoning !== undefined) {
        isNamed = true;
        twin?.know(whole.reasoning.text);
      }
      const chunk = withoutTwin(withoutTagged(whole));
      if (bringsText(whole)) latest = undefined;
      // Text that was held back belongs before the finish reason. After it, the text would mean that the answer hasn't ended.
      if (chunk.answer === '' && chunk.finishReason !== undefined) flush(hasFinished && whole.answer !== '');
      // The fast path, which almost every chunk takes: no answer text, or the reasoning has its own field.
      if (chunk.answer === '' || (isNamed && tags.held === '' && !isInTags())) push({ type: 'chunk', chunk });
      else split(chunk);
      if (hasOutputCount(whole.usage)) latest = whole.usage;
      hasFinished ||= whole.finishReason !== undefined;
    },
  };
}

function toEvent(part: TagPart, open: string, base: Chunk): BodyStreamEvent {
  switch (part.kind) {
    case 'reasoning':
      return { type: 'chunk', chunk: { ...base, reasoning: { name: 'tags', text: part.text } } };
    case 'answer':
      return { type: 'chunk', chunk: { ...base, answer: part.text } };
    case 'close':
      return {
        type: 'tag-closed',
        open: part.wasReasoning ? '' : open,
        close: part.close,
        wasReasoning: part.wasReasoning,
      };
  }
}

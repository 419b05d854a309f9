/** Separates reasoning in tags from the answer of chunks (R4). */
import { bringsText, carriesAnything, EMPTY_CHUNK, hasOutputCount } from './answerChoice.ts';
import { createSameReasoning, type SameReasoning } from './sameReasoning.ts';
import { flushTags, NO_TAGS, splitTags, type TagPart } from './thinkTags.ts';
import { createTwinTags, type TwinTags } from './twinTags.ts';
import type { BodyStreamEvent, Chunk, Usage } from './types.ts';

export interface TagSplitter {
  /** Pushes the parts of a chunk. Its other fields go with the first and the last one. */
  add(chunk: Chunk): void;
  /** Pushes the text that was held back because it could have been the start of a tag. */
  flush(): void;
  /** Pushes that another response begins in the same stream. It can have its reasoning elsewhere. */
  beginAgain(): void;
}

/** @param reasoningSoFar what came in its own field, with that of the chunk that is added */
export function createTagSplitter(
  push: (event: BodyStreamEvent) => void,
  reasoningSoFar: () => string,
): TagSplitter {
  let tags = NO_TAGS;
  /** The reasoning has its own field, so tags are text of the answer, or have the same reasoning again. */
  let isNamed = false;
  let twin: TwinTags | undefined;
  /** For reasoning in tags whose field comes behind it. Undefined before the first text in tags. */
  let same: SameReasoning | undefined;
  /** The last usage that counts output, if no text has arrived behind it. */
  let latest: Usage | undefined;
  let hasFinished = false;

  function flush(goesOn = false): void {
    const rest = twin?.flush(goesOn);
    if (rest) push({ type: 'chunk', chunk: { ...EMPTY_CHUNK, answer: rest } });
    const parts = flushTags(tags);
    for (const part of parts) push(toEvent(part, tags.open, EMPTY_CHUNK));
    tags = { ...tags, held: '' };
    // Text behind a report isn't counted by it. This text arrived before it.
    if (latest !== undefined && (rest || parts.length > 0))
      push({ type: 'chunk', chunk: { ...EMPTY_CHUNK, usage: latest } });
  }

  function split(chunk: Chunk): void {
    const { parts: all, state } = splitTags(tags, chunk.answer, !isNamed || same?.mayBeSame === true);
    tags = state;
    const parts = all.flatMap(withoutSame);
    const first = { ...chunk, answer: '', toolCalls: [], finishReason: undefined, usage: undefined };
    if (carriesAnything(first) || parts.length === 0) push({ type: 'chunk', chunk: first });
    const base = { ...EMPTY_CHUNK, id: chunk.id, model: chunk.model };
    for (const part of parts) push(toEvent(part, tags.open, base));
    // Calls stay with the finish reason that they came with, which may not be their end.
    const { toolCalls, finishReason, usage } = chunk;
    // Nothing of the answer follows calls that are complete: text behind them would say that they may not be.
    if (toolCalls.length > 0 && finishReason !== undefined) flush();
    const last = { ...EMPTY_CHUNK, toolCalls, finishReason, usage };
    if (carriesAnything(last) || finishReason !== undefined) push({ type: 'chunk', chunk: last });
  }

  /** A part without the reasoning that its own field has given. */
  function withoutSame(part: TagPart): readonly TagPart[] {
    if (part.kind !== 'reasoning') return [part];
    same ??= createSameReasoning();
    const text = same.take('first', part.text);
    return text === '' ? [] : [{ ...part, text }];
  }

  /** A chunk without the reasoning that its tags have given. */
  function withoutTagged(chunk: Chunk): Chunk {
    const { reasoning } = chunk;
    if (reasoning === undefined || same === undefined) return chunk;
    const text = same.take('other', reasoning.text);
    // Also without text, its name is the one to send the reasoning back under.
    return text === reasoning.text ? chunk : { ...chunk, reasoning: { ...reasoning, text } };
  }

  /** The chunk without reasoning in tags that came in its own field as well. */
  function withoutTwin(chunk: Chunk): Chunk {
    if (!isNamed || chunk.answer === '') return chunk;
    let { answer } = chunk;
    const isBefore = tags.mode === 'start' || (tags.mode === 'inside' && same === undefined);
    if (twin === undefined && isBefore) {
      twin = createTwinTags(reasoningSoFar());
      answer = (tags.mode === 'inside' ? tags.open : '') + tags.held + answer;
      tags = { ...tags, mode: 'past', held: '' };
    }
    answer = twin?.take(answer) ?? answer;
    return answer === chunk.answer ? chunk : { ...chunk, answer };
  }

  const isInTags = () => same?.mayBeSame === true && tags.mode === 'inside';

  return {
    flush: () => flush(),
    beginAgain() {
      // Where the reasoning hasn't ended, the same response may go on.
      if (tags.mode !== 'inside') {
        flush();
        tags = NO_TAGS;
        isNamed = false;
        twin = undefined;
        same = undefined;
        hasFinished = false;
      }
      push({ type: 'begun-again' });
    },
    add(whole) {
      if (whole.reasoning !== undefined) {
        isNamed = true;
        twin?.know(whole.reasoning.text);
      }
      const chunk = withoutTwin(withoutTagged(whole));
      if (bringsText(whole)) latest = undefined;
      // What was held back belongs before the finish reason: text after one shows that it wasn't the end.
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

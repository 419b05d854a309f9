/** Joins the chunks of one read, so that the cost of processing them doesn't depend on how the service divides its text. */
import { isTextAlone } from './answerChoice.ts';
import { toJson } from './json.ts';
import type { BodyStreamEvent, Chunk } from './types.ts';

/** Joins neighboring chunks that have nothing but text of one kind. The text is unchanged. */
export function joinTextEvents(events: readonly BodyStreamEvent[]): readonly BodyStreamEvent[] {
  if (events.length < 2) return events;
  const joined: BodyStreamEvent[] = [];
  let run: TextRun | undefined;
  const end = () => {
    if (run !== undefined) joined.push({ type: 'chunk', chunk: toChunk(run) });
    run = undefined;
  };
  for (const event of events) {
    const chunk = event.type === 'chunk' && isTextAlone(event.chunk) ? event.chunk : undefined;
    if (run !== undefined && chunk !== undefined && continues(run, chunk)) {
      if (chunk.reasoning !== undefined) run.reasoning.push(chunk.reasoning.text);
      if (chunk.answer !== '') run.answer.push(chunk.answer);
    } else {
      end();
      if (chunk === undefined) joined.push(event);
      else run = startRun(chunk);
    }
  }
  end();
  return joined;
}

/** Has arrays, because a string that grows by many small pieces keeps all of them in memory. */
interface TextRun {
  readonly first: Chunk;
  readonly reasoning: string[];
  readonly answer: string[];
}

const startRun = (first: Chunk): TextRun => ({
  first,
  reasoning: first.reasoning === undefined ? [] : [first.reasoning.text],
  answer: first.answer === '' ? [] : [first.answer],
});

const toChunk = ({ first, reasoning, answer }: TextRun): Chunk => ({
  ...first,
  answer: answer.join(''),
  reasoning: first.reasoning && { name: first.reasoning.name, text: reasoning.join('') },
});

function continues({ first, answer }: TextRun, chunk: Chunk): boolean {
  // In a chunk with both, the reasoning comes before the answer.
  if (answer.length > 0 && chunk.reasoning !== undefined) return false;
  return (
    first.reasoning?.name === chunk.reasoning?.name && first.id === chunk.id && first.model === chunk.model
  );
}

/** The number of characters that a chunk adds to the data that are kept of a response. */
export function lengthOf({ answer, reasoning, reasoningDetails, toolCalls }: Chunk): number {
  const others = reasoningDetails.length + toolCalls.length;
  const inOthers = others === 0 ? 0 : (toJson([reasoningDetails, toolCalls])?.length ?? 0);
  return answer.length + (reasoning?.text.length ?? 0) + inOthers;
}

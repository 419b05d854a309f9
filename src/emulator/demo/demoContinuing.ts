/** How the demo continues an answer that was cut off. */
import type { CompletionRequest } from '../completionRequest.ts';

export interface CutAnswer {
  /** The request that the answer was for. */
  readonly request: CompletionRequest;
  /** The text that was sent, in all its parts. */
  readonly said: string;
}

const ASKS_FOR_REST = /^\s*(?:continue|go on)\b/i;

/** The answer that a request asks to continue; undefined if its last message asks for something else. */
export function findCutAnswer(request: CompletionRequest): CutAnswer | undefined {
  let { messages } = request;
  let said = '';
  while (true) {
    const [answer, asked] = messages.slice(-2);
    const continues = asked?.role === 'user' && ASKS_FOR_REST.test(asked.text);
    if (!continues || answer?.role !== 'assistant' || answer.calls.length > 0) break;
    said = answer.text + said;
    messages = messages.slice(0, -2);
  }
  return said === '' ? undefined : { request: { ...request, messages }, said };
}

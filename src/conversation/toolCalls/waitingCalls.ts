/** Tool calls that wait for the user's approval. */
import { parseJson } from '../../service/json.ts';
import type { Call } from '../turn.ts';
import type { AllowedDefinition } from './toolChanges.ts';
import type { ReadyCall, ToolDefinition } from './tools.ts';

export interface WaitingCall {
  /**
   * Identifies this request for an approval, in this window. The service can use the ID of a call again, in another
   * round, turn, or conversation, so the user's decision names the request that was shown.
   */
  readonly approval: string;
  readonly conversationId: string;
  readonly call: ReadyCall;
  readonly tool: ToolDefinition;
  /** What the user allowed earlier, if the tool has changed since then. That is why it is asked about again. */
  readonly allowed?: AllowedDefinition | undefined;
  /** Every call is asked about, so an approval can't be for later ones. */
  readonly onlyOnce?: boolean;
}

/** The request for an approval that a call of a conversation waits for: with this ID, tool, and arguments. */
export function findWaiting(
  waiting: readonly WaitingCall[],
  conversationId: string,
  { id, name, arguments: text }: Pick<Call, 'id' | 'name' | 'arguments'>,
): WaitingCall | undefined {
  const same = waiting.filter(
    (one) => one.conversationId === conversationId && one.call.id === id && one.call.name === name,
  );
  if (same.length === 0) return undefined;
  const args = JSON.stringify(text.trim() === '' ? {} : parseJson(text));
  return same.find(({ call }) => JSON.stringify(call.arguments) === args);
}

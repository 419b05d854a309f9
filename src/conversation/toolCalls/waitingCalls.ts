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
  /** The definition that the user allowed earlier, if the tool has changed since then. The change is why the user is asked again. */
  readonly allowed?: AllowedDefinition | undefined;
  /** The user is asked about every call, so an approval can't apply to later calls. */
  readonly onlyOnce?: boolean;
}

/** The approval request that a call of a conversation waits for: the one with the same id, tool, and arguments. */
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

/**
 * Shortens messages that are posted many times a second. While an answer arrives, field names, ids, and unchanged values
 * would be several times as long as its text.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Changes, HostMessage, PostedMessage } from '../../panel/hostMessages.ts';
import type { Surroundings } from '../../panel/surroundings.ts';
import type { TurnView } from '../../panel/views.ts';

/**
 * Returns a function that shortens the messages to one page, in their order: further text of the same turn, and turns and
 * surroundings of which the page has an earlier state. After a snapshot, messages are complete again.
 */
export function createShortener(): (message: HostMessage) => PostedMessage {
  let textTurn: string | undefined;
  let turn: TurnView | undefined;
  let surroundings: Surroundings | undefined;
  return (message) => {
    const { type, seq } = message;
    if (type === 'text') {
      const goesOn = message.turnId === textTurn;
      textTurn = message.turnId;
      if (!goesOn) return message;
      return message.reasoning === '' ? [seq, message.answer] : [seq, message.answer, message.reasoning];
    }
    if (type === 'turn') {
      const before = turn;
      turn = message.turn;
      return before?.id === turn.id ? { type: 'turn-changes', seq, ...toChanges(before, turn) } : message;
    }
    if (type === 'surroundings') {
      const before = surroundings;
      surroundings = message.surroundings;
      if (before === undefined) return message;
      return { type: 'surroundings-changes', seq, ...toChanges(before, surroundings) };
    }
    if (type === 'snapshot') {
      textTurn = undefined;
      turn = undefined;
      surroundings = message.panel.surroundings;
    }
    return message;
  };
}

function toChanges<Value extends object>(before: Value, now: Value): Changes<Value> {
  const fields = new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof Value>;
  const changed = [...fields].filter((field) => !isDeepStrictEqual(before[field], now[field]));
  const unset = changed.filter((field) => now[field] === undefined);
  const changes: Partial<Value> = {};
  for (const field of changed) if (now[field] !== undefined) changes[field] = now[field];
  return { changes, ...(unset.length > 0 && { unset }) };
}

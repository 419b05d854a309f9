/** Events that services send while they work, so that the connection stays open: pings and heartbeats. */
import type { DataEvent } from './bodyTypes.ts';

/** The words that services send as data while they work. */
const SIGNS_OF_LIFE = /^(?:\[?(?:ping|pong|heartbeat|keep-?alive|processing)\]?)?$/i;

/** Whether an event that isn't a chunk shows only that the service is working: no data, a word such as `ping`, or a name of its own. */
export function isSignOfLife({ data, event }: DataEvent): boolean {
  return SIGNS_OF_LIFE.test(data.trim()) || isNamedEvent(event);
}

/**
 * Whether an event that can't be read may have been a chunk. Other JSON, for example a ping, isn't damage: unknown events are
 * ignored.
 */
export const isDamaged = (event: DataEvent, json: unknown): boolean =>
  !isSignOfLife(event) && (json === undefined || CHOICES.test(event.data));

/** Choices in an unknown shape. An empty object doesn't count: gateways in Lua write an empty list like this. */
const CHOICES = /"choices": ?(?:\[|\{(?!\s*\}))/;

/** Whether an event has a name of its own, for example of a heartbeat. */
export const isNamedEvent = (event: string | undefined): boolean =>
  event !== undefined && event !== 'message' && event !== 'error';

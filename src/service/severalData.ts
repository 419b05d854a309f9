/** Data of several events in one, because a gateway has dropped the blank lines between them. */
import type { DataEvent } from './bodyTypes.ts';
import { decodeChunk } from './decodeChunk.ts';
import { decodeErrorBody } from './errorBody.ts';
import { asObject, parseJson } from './json.ts';

/** Whether the data of an event is that of several, because a gateway has dropped the blank lines between them. */
export function isSeveral(text: string): boolean {
  if (!text.includes('\n')) return false;
  const lines = text.split('\n').map((line) => (line.trim() === '[DONE]' ? DONE : asObject(parseJson(line))));
  // Behind the beginning of an event that broke off, some gateways write an error.
  return (
    lines.every((line) => line !== undefined) ||
    lines.some((line) => (decodeErrorBody(line) ?? decodeChunk(line)) !== undefined)
  );
}

const DONE = {};

/** One of several. Behind a chunk, or the beginning of an event that broke off, the name is that of the error. */
export function withData({ type, event }: DataEvent, data: string): DataEvent {
  const json = asObject(parseJson(data));
  const isNamed = json !== undefined && decodeChunk(json) === undefined;
  return { type, data, event: isNamed ? event : undefined };
}

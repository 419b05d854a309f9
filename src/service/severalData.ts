/** Splits data with several events: in lines, because a gateway has dropped the blank lines between them, or in a list. */
import type { DataEvent, WholeEvent } from './bodyTypes.ts';
import { decodeChunk } from './decodeChunk.ts';
import { decodeErrorBody } from './errorBody.ts';
import { asArray, asObject, parseJson, toJson } from './json.ts';

/** The events in the data of an event, or undefined if it is a single one. */
export function severalIn(event: DataEvent | WholeEvent, json: unknown): readonly DataEvent[] | undefined {
  if (json === undefined)
    return event.type === 'data' && isSeveral(event.data)
      ? event.data.split('\n').map((data) => withData(event, data))
      : undefined;
  const list = asArray(json)?.filter((one) => asObject(one) !== undefined);
  if (!list?.some((one) => decodeChunk(one) !== undefined)) return undefined;
  return list.map((one) => ({ type: 'data', data: toJson(one) ?? '', event: undefined }));
}

function isSeveral(text: string): boolean {
  if (!text.includes('\n')) return false;
  const lines = text.split('\n').map((line) => (line.trim() === '[DONE]' ? DONE : asObject(parseJson(line))));
  // One line can be the beginning of an event that broke off, after which some gateways write an error.
  return (
    lines.every((line) => line !== undefined) ||
    lines.some((line) => (decodeErrorBody(line) ?? decodeChunk(line)) !== undefined)
  );
}

const DONE = {};

/** One of several events. The name of the event belongs to an error, not to a chunk or to the beginning of an event that broke off. */
function withData({ type, event }: DataEvent, data: string): DataEvent {
  const json = asObject(parseJson(data));
  const isNamed = json !== undefined && decodeChunk(json) === undefined;
  return { type, data, event: isNamed ? event : undefined };
}

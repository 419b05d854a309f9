/** Remembers what clients sent, so that tests and a curious reader can look. In memory only. */
import type { IncomingMessage } from 'node:http';
import type { Ending } from './sendSteps.ts';

export interface RecordedRequest {
  readonly method: string;
  /** With the scenario's prefix, as it was asked for. */
  readonly path: string;
  /** Name of the scenario; undefined without one. */
  readonly scenario: string | undefined;
  /** Lower-case names. The key is among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body as text, empty until it has been read. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: 'running' | Ending;
  /** Status of the reply; undefined while it runs. */
  readonly status: number | undefined;
}

export interface Recorder {
  /** Returns the number under which the request is known from now on. */
  readonly begin: (request: IncomingMessage, scenario: string | undefined) => number;
  readonly body: (record: number, text: string) => void;
  readonly end: (record: number, state: Ending, status: number) => void;
  readonly requests: () => readonly RecordedRequest[];
}

const REMEMBERED_REQUESTS = 100;

export function createRecorder(): Recorder {
  let next = 0;
  let records: ReadonlyMap<number, RecordedRequest> = new Map();
  const update = (record: number, change: Partial<RecordedRequest>): void => {
    const before = records.get(record);
    if (before !== undefined) records = new Map(records).set(record, { ...before, ...change });
  };
  return {
    begin: (request, scenario) => {
      const record = next++;
      const kept = [...records].slice(-(REMEMBERED_REQUESTS - 1));
      records = new Map([...kept, [record, toRecord(request, scenario)]]);
      return record;
    },
    body: (record, body) => update(record, { body }),
    end: (record, state, status) => update(record, { state, status }),
    requests: () => [...records.values()],
  };
}

function toRecord(request: IncomingMessage, scenario: string | undefined): RecordedRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    scenario,
    headers: Object.fromEntries(headers),
    body: '',
    at: Date.now(),
    state: 'running',
    status: undefined,
  };
}

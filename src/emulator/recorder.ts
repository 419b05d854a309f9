/** Records the requests of clients in memory, for tests and for debugging. */
import type { IncomingMessage } from 'node:http';
import type { Ending } from './sendSteps.ts';

export interface RecordedRequest {
  readonly method: string;
  /** The requested path, including the prefix of the scenario. */
  readonly path: string;
  /** Name of the scenario; undefined if there is none. */
  readonly scenario: string | undefined;
  /** Lower-case names. Includes the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty until it has been read. */
  readonly body: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly state: 'running' | Ending;
  /** Status of the response; undefined while it is being sent. */
  readonly status: number | undefined;
}

export interface RequestRecorder {
  /** Returns the number that identifies the request. */
  readonly begin: (request: IncomingMessage, scenario: string | undefined) => number;
  readonly body: (record: number, text: string) => void;
  readonly end: (record: number, state: Ending, status: number) => void;
  readonly requests: () => readonly RecordedRequest[];
}

const REMEMBERED_REQUESTS = 100;

export function createRequestRecorder(): RequestRecorder {
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

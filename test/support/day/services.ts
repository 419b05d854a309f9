/** The two services of a day: the emulator, and the strict service that was written apart from it. */
import { startEmulator } from '../../../src/emulator/server.ts';
import { startForeignService } from '../../foreign/service.ts';

const KEY = 'key-for-this-test';

export interface DayService {
  readonly url: string;
  readonly key: string;
  /** The bodies of all requests so far, as they arrived. */
  bodies(): readonly string[];
  /** The faults that the service found in the requests. */
  violations(): readonly string[];
  /** Questions whose answers call tools, and the total number of calls. */
  readonly toolQuestions: readonly string[];
  readonly toolCalls: number;
  /** How the continued answer ended, and the mark in its question that causes this end. */
  readonly unfinished: { readonly outcome: 'stopped' | 'truncated'; readonly mark: string };
  close(): Promise<void>;
}

/** The emulator, which calls a tool that a question names once. */
export async function startEmulatedDay(): Promise<DayService> {
  const emulator = await startEmulator({
    port: 0,
    route: 'direct',
    key: KEY,
    tokensPerSecond: Number.POSITIVE_INFINITY,
  });
  const tools = ['list_files', 'read_file', 'search_text', 'find_references', 'git_diff'];
  return {
    url: emulator.url,
    key: KEY,
    bodies: () => emulator.requests.map(({ body }) => body),
    violations: () => emulator.requests.flatMap(({ status = 200, body }) => (status === 200 ? [] : [body])),
    toolQuestions: tools.map((name) => `What does ${name} say about the fares?`),
    toolCalls: tools.length,
    unfinished: { outcome: 'stopped', mark: '' },
    close: emulator.close,
  };
}

/** The strict service, which calls two tools in each of three rounds. */
export async function startStrictDay(): Promise<DayService> {
  const service = await startForeignService({ route: 'direct', key: KEY, pace: 0 });
  return {
    url: service.url,
    key: KEY,
    bodies: () => service.requests.map(({ text }) => text),
    violations: () => service.violations,
    toolQuestions: ['Where are the fares used? [[tool-rounds:3]]'],
    toolCalls: 6,
    // Without pauses, the answer would be complete before it can be stopped.
    unfinished: { outcome: 'truncated', mark: ' [[cut]]' },
    close: service.close,
  };
}

/** The emulator: a local service that behaves as docs/service.md says, or departs from it in one named way. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RouteKind } from '../service/types.ts';
import { createAttempts } from './attempts.ts';
import { createCompletions } from './completions.ts';
import { createRecorder, type RecordedRequest } from './recorder.ts';
import { checkCaller } from './requestRules/checkCaller.ts';
import { sendSteps } from './sendSteps.ts';
import { jsonReply, type Steps } from './steps.ts';
import { readTarget, type Target } from './target.ts';

export interface EmulatorOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly route: RouteKind;
  /** The one key that is accepted. */
  readonly key: string;
  /** Pace of the answer; Infinity is as fast as it is read. 120 when not given. */
  readonly tokensPerSecond?: number;
  /** Milliseconds before the first byte of an answer. 0 when not given. */
  readonly firstTokenDelayMs?: number;
  /** A larger body is refused with 413. 32 MiB when not given. */
  readonly maxBodyBytes?: number;
}

export interface Emulator {
  /** `http://127.0.0.1:PORT`, without the version prefix and without a slash at the end. */
  readonly url: string;
  readonly key: string;
  /** The requests so far, the oldest first; only the last hundred are kept. */
  readonly requests: readonly RecordedRequest[];
  /** Stops listening and breaks every connection. */
  readonly close: () => Promise<void>;
}

const DEFAULT_TOKENS_PER_SECOND = 120;
const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Starts an emulator on 127.0.0.1.
 *
 * @throws the error of `listen` when the port is taken or not allowed
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const recorder = createRecorder();
  const tokensPerSecond = options.tokensPerSecond ?? DEFAULT_TOKENS_PER_SECOND;
  const answer = createCompletions({
    route: options.route,
    key: options.key,
    firstTokenDelayMs: options.firstTokenDelayMs ?? 0,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    attempts: createAttempts(),
    recorder,
  });
  let count = 0;
  let url = '';

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    count += 1;
    const target = readTarget(request.method ?? '', request.url ?? '/');
    const record = recorder.begin(request, target.kind === 'unknown' ? undefined : target.scenario?.name);
    const requestId = `emulated-${count}`;
    response.setHeader('x-request-id', requestId);
    const steps = await replyTo(request, target, record, requestId);
    if (steps === undefined) return;
    const pace = { tokensPerSecond: paceOf(target) };
    recorder.end(record, await sendSteps(response, steps, pace), response.statusCode);
  };

  const paceOf = (target: Target): number =>
    (target.kind === 'unknown' ? undefined : target.scenario?.tokensPerSecond) ?? tokensPerSecond;

  const replyTo = async (
    request: IncomingMessage,
    target: Target,
    record: number,
    requestId: string,
  ): Promise<Steps | undefined> => {
    const refused = checkCaller(request.headers, options.route);
    if (refused !== undefined) return jsonReply(refused.status, refused.body);
    return answer({ request, target, record, requestId, url });
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A bug of the emulator must not look like a scenario.
      const message = `The emulator failed: ${error instanceof Error ? error.message : String(error)}`;
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(message);
    });
  });
  // A stalled request is a scenario here, not something to clean up.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : options.port}`;

  return {
    url,
    key: options.key,
    get requests() {
      return recorder.requests();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A local service that behaves as described in docs/service.md, or deviates from it as the given scenarios say. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RouteKind } from '../service/types.ts';
import { createAttemptCounts } from './attemptCounts.ts';
import { createCompletions } from './completions.ts';
import type { RequestRecorder } from './recorder.ts';
import { checkCaller } from './requestRules/checkCaller.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { sendSteps } from './sendSteps.ts';
import { jsonReply, type Steps } from './steps.ts';
import { readRequestTarget, type Target } from './target.ts';

export interface EmulatorOptions {
  /** 0 selects a free port. */
  readonly port: number;
  readonly route: RouteKind;
  /** The only key that is accepted. */
  readonly key: string;
  /** Pace of the response; Infinity sends as fast as the client reads. Default: 120. */
  readonly tokensPerSecond?: number;
  /** Milliseconds before the first byte of a response. Default: 0. */
  readonly firstTokenDelayMs?: number;
  /** Larger bodies are refused with 413. Default: 32 MiB. */
  readonly maxBodyBytes?: number;
}

export interface Service {
  /** `http://127.0.0.1:PORT`, without the version prefix and without a trailing slash. */
  readonly url: string;
  readonly key: string;
  /** Stops listening and closes all connections. */
  readonly close: () => Promise<void>;
}

const DEFAULT_TOKENS_PER_SECOND = 120;
const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Starts the service on 127.0.0.1.
 *
 * @param scenarios the demo of the extension has none
 * @param recorder keeps the requests; the demo has none, because they can have images of many megabytes
 * @throws the error of `listen` when the port is in use or not allowed
 */
export async function startService(
  options: EmulatorOptions,
  scenarios: readonly Scenario[],
  recorder?: RequestRecorder,
): Promise<Service> {
  const tokensPerSecond = options.tokensPerSecond ?? DEFAULT_TOKENS_PER_SECOND;
  const answer = createCompletions({
    route: options.route,
    key: options.key,
    firstTokenDelayMs: options.firstTokenDelayMs ?? 0,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    attempts: createAttemptCounts(),
    recorder,
    scenarios,
  });
  let count = 0;
  let url = '';

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    count += 1;
    const target = readRequestTarget(request.method ?? '', request.url ?? '/', scenarios);
    const scenario = target.kind === 'unknown' ? undefined : target.scenario?.name;
    const record = recorder?.begin(request, scenario) ?? 0;
    const requestId = `emulated-${count}`;
    response.setHeader('x-request-id', requestId);
    const steps = await replyTo(request, target, record, requestId);
    if (steps === undefined) return;
    const pace = { tokensPerSecond: paceOf(target) };
    const ending = await sendSteps(response, steps, pace);
    recorder?.end(record, ending, response.statusCode);
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
      // An error of the emulator must not look like a scenario.
      const message = `The emulator failed: ${error instanceof Error ? error.message : String(error)}`;
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(message);
    });
  });
  // Stalled requests are a scenario, so they must not time out.
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

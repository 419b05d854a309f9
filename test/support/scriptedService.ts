/** A service that streams the answers that a test sets, and records the requests. */
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface ScriptedService {
  readonly url: string;
  /** The bodies of all requests, parsed. */
  readonly requests: readonly ScriptedRequest[];
  /** Sets the next answer, whose last piece waits for `until`. */
  respondWith(answer: string, how?: Ending): void;
  /** Drops the answers that were not used by a request. */
  forget(): void;
  close(): Promise<void>;
}

interface Ending {
  readonly finishReason?: string;
  readonly until?: Promise<void>;
  /** Milliseconds before each piece. */
  readonly everyMs?: number;
  onSent?(piece: string): void;
}

export interface ScriptedRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: unknown;
}

const PIECE = 12;

export async function startScriptedService(): Promise<ScriptedService> {
  const requests: ScriptedRequest[] = [];
  const answers: ({ readonly answer: string } & Ending)[] = [];
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    if (request.method !== 'POST') {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'svc-k3', object: 'model' }] }));
      return;
    }
    requests.push(JSON.parse(body));
    const next: (typeof answers)[number] = answers.shift() ?? { answer: 'Nothing.' };
    const { answer, finishReason = 'stop', until, everyMs } = next;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (choices: unknown[], more = {}) =>
      response.write(
        `data: ${JSON.stringify({ id: 'scripted', object: 'chat.completion.chunk', model: 'svc-k3', choices, ...more })}\n\n`,
      );
    const delta = (content: object, finish: string | null = null) =>
      send([{ index: 0, delta: content, finish_reason: finish }]);
    delta({ reasoning_content: 'A moment.' });
    for (let at = 0; at < answer.length; at += PIECE) {
      if (at + PIECE >= answer.length) await until;
      if (everyMs !== undefined) await pause(everyMs);
      if (response.destroyed) return;
      delta({ content: answer.slice(at, at + PIECE) });
      next.onSent?.(answer.slice(at, at + PIECE));
    }
    delta({}, finishReason);
    const usage = { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50 };
    send([], { usage: { ...usage, completion_tokens_details: { reasoning_tokens: 3 } } });
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    requests,
    respondWith: (answer, how = {}) => answers.push({ answer, ...how }),
    forget: () => void answers.splice(0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

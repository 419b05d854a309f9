/**
 * An independent implementation of the chat-completions service. It behaves like the service in
 * docs/service.md over plain HTTP, as strictly as the text allows, and records every violation of the text by
 * a client. Q2, E6, and so on are rules there, and "field notes" is its section of that name. `markers.ts`
 * lists what a message can make it do.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { modelId } from './bodyRules.ts';
import { Completions, type Exchange } from './completions.ts';
import { type ForeignRequest, listen, requestOf, respond, shut, textOfBody } from './http.ts';
import { parsed } from './json.ts';
import { Judge } from './judge.ts';
import { markerNames } from './markers.ts';
import { badKey, type ForeignRoute, unknownPath } from './refusals.ts';

type ForeignOptions = {
  route: ForeignRoute;
  /** The only key that is accepted (Q2). */
  key: string;
  /** 0 or undefined uses any free port. */
  port?: number;
  /** Factor for the pauses between pieces and before the first: 1 is 10 to 30 ms per piece, 0 is no pause. */
  pace?: number;
  /** How many tokens of a prompt count for each of its tokens, so that short texts fill the context window. 1 by default. */
  promptFactor?: number;
  /** Reads Q5 as a rule for every message of a request with an image, not only for those with images. */
  everyContent?: boolean;
  /** Called with every violation. */
  report?: (line: string) => void;
};

type ForeignService = {
  /** The base address, without `/v1` and without a slash at its end. */
  url: string;
  requests: ForeignRequest[];
  violations: string[];
  close(): Promise<void>;
};

export type { ForeignRequest } from './http.ts';

const completions = '/v1/chat/completions';
const models = '/v1/models';

class Service {
  readonly requests: ForeignRequest[] = [];
  readonly violations: string[] = [];
  readonly main: Server;
  /** The target of a redirect, on another port. */
  readonly other: Server;
  readonly #options: ForeignOptions;
  readonly #closing = new AbortController();
  readonly #completions: Completions;

  constructor(options: ForeignOptions) {
    this.#options = options;
    this.#completions = new Completions(options.pace ?? 1, this.#closing.signal);
    this.#completions.promptFactor = options.promptFactor ?? 1;
    this.main = createServer((message, response) => this.#guarded(message, response));
    this.other = createServer((message, response) => {
      this.#followed(message, response);
    });
  }

  async start(): Promise<string> {
    this.#completions.elsewhere = (await listen(this.other, 0)) + completions;
    return listen(this.main, this.#options.port ?? 0);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([shut(this.main), shut(this.other)]);
  }

  #violate(line: string): void {
    this.violations.push(line);
    this.#options.report?.(line);
  }

  #followed(message: IncomingMessage, response: ServerResponse): void {
    this.#violate(`a redirect was followed: ${message.method} ${message.url}`);
    if (JSON.stringify(message.headers).includes(this.#options.key)) {
      this.#violate('the key was sent to the address of a redirect');
    }
    response.writeHead(404).end();
  }

  /** A connection that breaks while it is read or written was closed by the client, which is not a fault. */
  async #guarded(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = this.#noted(message, response);
    try {
      exchange.request.text = await textOfBody(message, exchange.judge);
      exchange.request.body = parsed(exchange.request.text);
      await this.#answer(exchange);
    } catch (error) {
      if (!response.destroyed && message.errored === null && !this.#closing.signal.aborted) {
        throw error;
      }
    }
  }

  #noted(message: IncomingMessage, response: ServerResponse): Exchange {
    const request = requestOf(message, this.requests.length + 1);
    this.requests.push(request);
    response.on('close', () => {
      request.unfinished = !response.writableFinished;
    });
    const judge = new Judge(this.#options.route, this.#options.everyContent === true, (line) =>
      this.#violate(`request ${request.number}: ${line}`),
    );
    return { request, response, judge };
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { request, judge } = exchange;
    const [path = '', query] = request.path.split('?');
    this.#checkPlacesOfKey(request, path, judge);
    this.#completions.checkTries(exchange);
    if (query !== undefined) {
      judge.wrong('the address has a query, and no endpoint takes one');
    }
    const known = { [completions]: 'POST', [models]: 'GET' }[path];
    if (known === undefined || known !== request.method) {
      judge.refuse(`${request.method} ${path} is not an endpoint (Q1, M1)`, unknownPath(path));
    }
    if (request.headers['authorization'] !== `Bearer ${this.#options.key}`) {
      judge.refuse('Authorization is not Bearer and the key of this route (Q2)', badKey(judge.route));
    }
    if (judge.refusal !== undefined) {
      this.#completions.refuse(exchange, judge.refusal);
    } else if (path === models) {
      this.#listModels(exchange);
    } else {
      await this.#completions.answer(exchange);
    }
  }

  /** Authentication 1: the key must be in one header of the two endpoints and nowhere else. */
  #checkPlacesOfKey(request: ForeignRequest, path: string, judge: Judge): void {
    const { key } = this.#options;
    const others = Object.entries(request.headers).filter(([name]) => name !== 'authorization');
    if (request.path.includes(key) || request.path.includes(encodeURIComponent(key))) {
      judge.wrong('the key stands in the address');
    }
    for (const [name] of others.filter(([, value]) => value.includes(key))) {
      judge.wrong(`the key stands in the header ${name}`);
    }
    if (request.text.includes(key)) {
      judge.wrong('the key stands in the body');
    }
    if (request.headers['authorization']?.includes(key) && path !== completions && path !== models) {
      judge.wrong(`the key was sent to ${path}, which is no endpoint`);
    }
  }

  /** M1: only the list of the key's models is documented. A gateway lists more of them. */
  #listModels(exchange: Exchange): void {
    if (exchange.request.text !== '') {
      exchange.judge.wrong('GET /v1/models came with a body');
    }
    const ids = exchange.judge.route === 'direct' ? [modelId] : ['thrifty-mini-2', modelId, 'painter-xl'];
    const body = { object: 'list', data: ids.map((id) => ({ id, object: 'model' })) };
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    respond(exchange.request, exchange.response, { status: 200, headers, body });
  }
}

/** Starts the service on 127.0.0.1. `requests` and `violations` grow with each request. */
export async function startForeignService(options: ForeignOptions): Promise<ForeignService> {
  const service = new Service(options);
  const url = await service.start();
  const { requests, violations } = service;
  return { url, requests, violations, close: () => service.close() };
}

async function runFromCommandLine(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      route: { type: 'string', default: 'direct' },
      key: { type: 'string', default: 'desk-key-for-local-use' },
    },
  });
  const route: ForeignRoute = values.route === 'gateway' ? 'gateway' : 'direct';
  const { url } = await startForeignService({
    route,
    key: values.key,
    port: Number(values.port),
    report: (line) => console.log(`violation: ${line}`),
  });
  console.log(`address: ${url}\nroute: ${route}\nkey: ${values.key}`);
  console.log(`markers: ${markerNames.map((name) => `[[${name}]]`).join(' ')}`);
}

if (process.argv[1]?.endsWith('foreign/service.ts')) {
  runFromCommandLine().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}

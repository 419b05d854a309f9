/** A local service with scripted responses, and the extension connected to it. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Turn } from '../../src/conversation/turn.ts';
import type { Conversations } from '../../src/editor/conversations/conversationList.ts';
import type { Edits } from '../../src/editor/inPlace/edits.ts';
import type { activate } from '../../src/extension.ts';

/** @param body the body of the request */
export type Answer = (response: ServerResponse, body: string) => void | Promise<void>;

export interface Delta {
  readonly reasoning?: string;
  readonly answer?: string;
  readonly calls?: readonly object[];
  readonly finish?: string;
}

export const USAGE = {
  prompt_tokens: 2000,
  completion_tokens: 500,
  total_tokens: 2500,
  completion_tokens_details: { reasoning_tokens: 400 },
  prompt_tokens_details: { cached_tokens: 1000 },
};

/** Streams these deltas. With `usage` null, reports no usage. */
export function streamOf(deltas: readonly Delta[], usage: typeof USAGE | null = USAGE): Answer {
  return async (response) => {
    startStream(response);
    for (const delta of deltas) writeDelta(response, delta);
    if (usage !== null) write(response, { choices: [], usage });
    response.end('data: [DONE]\n\n');
  };
}

export function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

export function writeDelta(response: ServerResponse, { reasoning, answer, calls, finish }: Delta): void {
  const delta = {
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(answer === undefined ? {} : { content: answer }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
  write(response, { choices: [{ index: 0, delta, finish_reason: finish ?? null }] });
}

function write(response: ServerResponse, chunk: object): void {
  const frame = { id: 'r-1', object: 'chat.completion.chunk', created: 1, model: 'svc-k3', ...chunk };
  response.write(`data: ${JSON.stringify(frame)}\n\n`);
}

/** What the extension returns to tests. */
type K3Api = NonNullable<ReturnType<typeof activate>>;

export interface Received {
  readonly url: string;
  readonly authorization: string;
  readonly body: string;
}

export interface Scripted extends Omit<K3Api, 'inPlace'> {
  readonly inPlace: Edits;
  /** All requests that the service received. */
  readonly requests: readonly Received[];
  readonly baseUrl: string;
  /** Adds responses for the next requests, in this order. */
  will(...answers: Answer[]): void;
  /** The same for the next requests for the list of models. Without any, they take those of the others. */
  willList(...answers: Answer[]): void;
  /** Drops the responses that no request has taken. */
  forget(): void;
  /** Drops the requests, of which a long run has too many to keep. */
  forgetRequests(): void;
  /** Asks in the open conversation, and waits until the turn has ended. */
  ask(text: string, origin?: { uri: string; startLine: number; endLine: number }): Promise<Turn>;
  close(): Promise<void>;
}

/** The service, shared by all tests. */
let service: Promise<{ readonly server: Server; readonly baseUrl: string }> | undefined;
let answers: Answer[] = [];
let lists: Answer[] = [];
let requests: Received[] = [];

async function startService() {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      requests.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', body });
      const list = request.method === 'GET' ? lists.shift() : undefined;
      void (list ?? answers.shift())?.(response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Changes a setting of the user, unless it has the value, because writing it takes longer than most tests. */
export async function setForUser(section: string, name: string, value: unknown): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  if (isDeepStrictEqual(settings.inspect(name)?.globalValue, value)) return;
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
}

/**
 * Starts the service, connects the extension to it, and opens a new conversation. The settings remain for the next test.
 *
 * @param others routes beside the active one, by their names, for the address of the service
 */
export async function startScripted(
  others: (baseUrl: string) => Readonly<Record<string, object>> = () => ({}),
): Promise<Scripted> {
  service ??= startService();
  const { server, baseUrl } = await service;
  const mine: Answer[] = [];
  answers = mine;
  const myLists: Answer[] = [];
  lists = myLists;
  const received: Received[] = [];
  requests = received;
  process.env['K3_API_KEY'] = 'key-of-a-test';
  const extension = vscode.extensions.getExtension<K3Api>('k3-chat.k3-chat');
  if (extension === undefined) throw new Error('the extension is not installed');
  const api = await extension.activate();
  const { conversations } = api;
  const inPlace = await api.inPlace.edits();
  if (inPlace === undefined) throw new Error('the extension has been stopped');
  await setForUser('k3', 'routes', { scripted: { kind: 'direct', baseUrl }, ...others(baseUrl) });
  await setForUser('k3', 'route', 'scripted');
  conversations.create();
  return {
    ...api,
    inPlace,
    requests: received,
    baseUrl,
    will: (...more) => void mine.push(...more),
    willList: (...more) => void myLists.push(...more),
    forget: () => void mine.splice(0),
    forgetRequests: () => void received.splice(0),
    async ask(text, origin) {
      const asked = await conversations.ask(conversations.current().id, { text, images: [], origin });
      if (!asked.ok) throw new Error(`refused: ${JSON.stringify(asked.refusal)}`);
      return ended(conversations, asked.turnId);
    },
    async close() {
      for (const { id } of conversations.loaded()) conversations.delete(id);
      answers = [];
      lists = [];
      server.closeAllConnections();
    },
  };
}

export async function ended(conversations: Conversations, turnId: string): Promise<Turn> {
  return until(() => {
    const turn = conversations.find(turnId)?.turn;
    return turn?.outcome === undefined ? undefined : turn;
  });
}

/**
 * Waits until a function returns a value, at once or later, and returns that. Rejects after a timeout in milliseconds, and
 * not before it has looked once more: on a busy machine the host may do nothing else meanwhile.
 */
export async function until<T>(
  get: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 60_000,
): Promise<T> {
  const giveUp = Date.now() + ms;
  for (;;) {
    const isLast = Date.now() > giveUp;
    const value = await get();
    if (value !== undefined && value !== false) return value;
    if (isLast) throw new Error(`timed out while waiting for a condition: ${get}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

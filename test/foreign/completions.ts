/** POST /v1/chat/completions: checks a prompt, refuses or answers it, and remembers the result. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ceiling, checkBody } from './bodyRules.ts';
import { type ForeignRequest, respond } from './http.ts';
import { type Fields, isFields, rawElements } from './json.ts';
import type { Judge } from './judge.ts';
import { changedBy, type Marker, markerNames, markersIn, refusalBy } from './markers.ts';
import { Tries, type Turn, Turns } from './memory.ts';
import { lastUserText } from './messageRules.ts';
import { invalidRequest, type Refusal } from './refusals.ts';
import { plainReply, type Reply, tokens, usageOf, withinBudget } from './reply.ts';
import { framed, type Identity, piecesOf, put, wholeBody } from './stream.ts';

/** The time in milliseconds for written data to leave the socket before the socket is destroyed. */
const flushing = 20;

export type Exchange = { request: ForeignRequest; response: ServerResponse; judge: Judge };
type Prompt = { body: Fields; raw: string[]; markers: Marker[] };

/** The raw messages of a request with a JSON object as its body. */
function messagesOf({ text }: ForeignRequest): string {
  return rawElements(text, 'messages').join(',');
}

/** Two requests with the same text here are the same in everything that could change the outcome. */
function sameness({ path, headers, text }: ForeignRequest): string {
  return [path, headers['authorization'], text].join('\n');
}

export class Completions {
  /** The target of a redirect. */
  elsewhere = '';
  /** How many tokens of a prompt count for each of its tokens. */
  promptFactor = 1;
  readonly #pace: number;
  readonly #closing: AbortSignal;
  readonly #turns = new Turns();
  readonly #tries = new Tries();
  readonly #mark = Math.random().toString(36).slice(2, 7).padEnd(5, '0');

  /**
   * @param pace factor for all pauses
   * @param closing aborts them
   */
  constructor(pace: number, closing: AbortSignal) {
    this.#pace = pace;
    this.#closing = closing;
  }

  /** Checks and answers one request whose path and key are valid. */
  async answer(exchange: Exchange): Promise<void> {
    const { request, judge } = exchange;
    if (!/^application\/json(; ?charset=utf-8)?$/i.test(request.headers['content-type'] ?? '')) {
      judge.wrong('Content-Type is not application/json (Q1)');
    }
    if (!isFields(request.body)) {
      judge.refuse('the body is not a JSON object (Q1)');
      this.refuse(exchange, judge.refusal ?? invalidRequest(judge.route, 'no JSON'));
      return;
    }
    const body = request.body;
    const markers = this.#markersOf(body, judge);
    request.markers = markers.map(({ name }) => name);
    const prompt = { body, raw: rawElements(request.text, 'messages'), markers };
    this.#checkPrompt(exchange, prompt);
    const refusal = judge.refusal ?? this.#refusalAsked(exchange, prompt);
    if (refusal === undefined) {
      await this.#generate(exchange, prompt);
    } else {
      this.refuse(exchange, refusal);
    }
  }

  /** E6, and requests that must not be sent again. Called for every request, before it is checked. */
  checkTries({ request, judge }: Exchange): void {
    if (isFields(request.body)) {
      this.#tries.check(messagesOf(request), sameness(request), request.at, judge);
    }
  }

  #markersOf(body: Fields, judge: Judge): Marker[] {
    const found = markersIn(lastUserText(body['messages']));
    for (const { name } of found.filter((marker) => !markerNames.includes(marker.name))) {
      judge.wrong(`there is no marker [[${name}]]`);
    }
    return found.filter((marker) => markerNames.includes(marker.name));
  }

  #checkPrompt({ judge }: Exchange, { body, raw }: Prompt): void {
    checkBody(body, judge);
    if (Array.isArray(body['messages'])) {
      this.#turns.check(body['messages'], raw, judge);
    }
    const needed = this.#promptTokens(raw);
    if (needed > ceiling) {
      judge.refuse(`exceeded model token limit: ${ceiling} (requested: ${needed})`);
    }
  }

  /** An image counts as 2,000 tokens, the rest of a request without its text as 90 (field notes). */
  #promptTokens(raw: string[]): number {
    const images = /data:image\/[^"]*/g;
    const text = raw.join(',');
    const ofImages = 2000 * (text.match(images)?.length ?? 0);
    return (90 + tokens(text.replace(images, '')) + ofImages) * this.promptFactor;
  }

  #refusalAsked({ judge }: Exchange, { body, raw, markers }: Prompt): Refusal | undefined {
    return refusalBy(markers, {
      route: judge.route,
      model: String(body['model']),
      tries: this.#tries.count(raw.join(',')),
      elsewhere: this.elsewhere,
    });
  }

  /** Sends a refusal and remembers it, so that a repeated request is checked against it. */
  refuse(exchange: Exchange, refusal: Refusal): void {
    this.#failed(exchange.request, refusal.retry, refusal.name);
    respond(exchange.request, exchange.response, refusal);
  }

  #failed(request: ForeignRequest, ending: Refusal['retry'] | { kind: 'begun' }, name: string): void {
    if (isFields(request.body)) {
      const failure = { ending, name, same: sameness(request), at: performance.now() };
      this.#tries.failed(messagesOf(request), failure);
    }
  }

  async #generate(exchange: Exchange, { body, raw, markers }: Prompt): Promise<void> {
    const { request } = exchange;
    const ref = `leaf-${this.#mark}-${request.number}`;
    const asked = changedBy(markers, plainReply(body, ref), { body, ref });
    const reply = withinBudget(asked, body['max_completion_tokens']);
    const shared = Math.min(
      (this.#turns.sharedWithEarlier(raw) / 4) * this.promptFactor,
      this.#promptTokens(raw),
    );
    const usage = usageOf(reply, this.#promptTokens(raw), Math.floor(shared));
    const identity = { id: `chatcmpl-${ref}`, created: Math.floor(Date.now() / 1000) };
    const turn: Turn = {
      request: request.number,
      ref,
      sent: raw,
      reasoningName: reply.reasoningName,
      reasoning: '',
      answer: '',
      calls: reply.calls,
      whole: false,
    };
    this.#turns.add(turn);
    await this.#pause(reply.firstPause);
    request.status = 200;
    if (body['stream'] === true) {
      const options = body['stream_options'];
      const wanted = isFields(options) && options['include_usage'] === true;
      await this.#stream(exchange, reply, turn, identity, wanted ? usage : undefined);
    } else {
      this.#sendWhole(exchange, reply, turn, wholeBody(reply, identity, usage));
    }
    this.#conclude(request, reply, raw);
  }

  #conclude(request: ForeignRequest, reply: Reply, raw: string[]): void {
    if (reply.ending === 'end' && reply.finish !== undefined) {
      this.#tries.succeeded(raw.join(','));
    } else {
      this.#failed(request, { kind: 'begun' }, 'a broken answer');
    }
  }

  #sendWhole({ response }: Exchange, reply: Reply, turn: Turn, body: Fields): void {
    if (reply.ending === 'destroy') {
      response.destroy();
      return;
    }
    Object.assign(turn, { reasoning: reply.reasoning, answer: reply.answer, whole: true });
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  }

  async #stream(
    { request, response }: Exchange,
    reply: Reply,
    turn: Turn,
    identity: Identity,
    usage: Fields | undefined,
  ): Promise<void> {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-request-id': `desk-${request.number}`,
    });
    const { single, bom } = reply.framing;
    await put(response, bom ? '\uFEFF' : '', single);
    for (const piece of piecesOf(reply, identity, usage)) {
      await this.#pause(piece.pause);
      if (response.destroyed) {
        return;
      }
      turn.reasoning += piece.reasoning ?? '';
      turn.answer += piece.answer ?? '';
      if (piece.ends) {
        turn.whole = true;
        turn.reasoning = reply.reasoning;
      }
      await put(response, framed(piece, reply.framing), single);
    }
    if (reply.ending === 'destroy') {
      await wait(flushing, undefined, { signal: this.#closing });
      response.destroy();
    } else {
      response.end();
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const paced = milliseconds * this.#pace;
    if (paced > 0) {
      await wait(paced, undefined, { signal: this.#closing });
    }
  }
}

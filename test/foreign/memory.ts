/**
 * The memory of the service: the turns it sent, to detect changed or lost ones, and the requests it refused.
 */

import { type Fields, isFields, type Json } from './json.ts';
import type { Judge } from './judge.ts';
import { reasoningNames, textOf } from './messageRules.ts';
import type { Refusal } from './refusals.ts';

/** `think`: tags inside the content. `both`: two names with the same text in one delta. */
export type ReasoningName = 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'think' | 'both';

export type ToolCall = { id: string; name: string; arguments: string };

/** One answer, as far as it was written to the socket. */
export type Turn = {
  /** Number of the request that it answers, counted from 1. */
  request: number;
  /** Part of the reasoning, the answer, and the call ids, so that a replayed message identifies its turn. */
  ref: string;
  /** Raw text of each message of that request. */
  sent: string[];
  reasoningName: ReasoningName;
  reasoning: string;
  answer: string;
  calls: ToolCall[];
  /** False until the end was written. Until then, a client may have any beginning of the turn. */
  whole: boolean;
};

const refPattern = /leaf-[a-z0-9]{5}-\d+/;

/** The reasoning of a replayed message under one name, or '' if there is none. */
function reasoningUnder(message: Fields, name: string): string {
  const value = message[name];
  if (!Array.isArray(value)) {
    return typeof value === 'string' ? value : '';
  }
  const texts = value.map((one) => (isFields(one) ? (one['text'] ?? one['summary']) : undefined));
  return texts.filter((text) => typeof text === 'string').join('');
}

/** Whether a replayed text is what was sent: all of it, or any beginning if the turn was interrupted. */
function kept(replayed: string, sent: string, whole: boolean): boolean {
  return whole ? replayed === sent : replayed !== '' && sent.startsWith(replayed);
}

/** Field notes: in a tool loop, the service answers 400; elsewhere, it only reasons worse. */
function object(message: Fields, judge: Judge, line: string): void {
  if (message['tool_calls'] === undefined) {
    judge.wrong(line);
  } else {
    judge.refuse(line);
  }
}

/** R4, field notes: reasoning is sent back unchanged, under its original name. */
function checkReasoning(message: Fields, turn: Turn, at: string, judge: Judge): void {
  if (turn.reasoning === '') {
    return;
  }
  if (turn.reasoningName === 'think') {
    if (turn.whole && !JSON.stringify(message).includes(JSON.stringify(turn.reasoning).slice(1, -1))) {
      object(
        message,
        judge,
        `${at} lost the reasoning that request ${turn.request} was given inside the content`,
      );
    }
    return;
  }
  const name = turn.reasoningName === 'both' ? 'reasoning_content' : turn.reasoningName;
  const replayed = reasoningUnder(message, name);
  const other = reasoningNames.find((one) => one !== name && reasoningUnder(message, one) !== '');
  if (replayed === '' && other !== undefined) {
    object(message, judge, `${at}.${other} carries the reasoning that came as ${name} (R4)`);
  } else if (replayed === '') {
    object(
      message,
      judge,
      `${at}.${name} is missing: the reasoning of request ${turn.request} was lost (R4)`,
    );
  } else if (!kept(replayed, turn.reasoning, turn.whole)) {
    object(message, judge, `${at}.${name} is not the reasoning that request ${turn.request} was given`);
  }
}

function checkAnswer(message: Fields, turn: Turn, at: string, judge: Judge): void {
  const text = textOf(message);
  const tagged = turn.reasoningName === 'think' && text.endsWith(turn.answer);
  if (!tagged && text !== turn.answer && !kept(text, turn.answer, turn.whole)) {
    judge.wrong(`${at}.content is not the answer that request ${turn.request} was given`);
  }
}

function replayedCalls(message: Fields): ToolCall[] {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  return calls.map((call) => {
    const made = isFields(call) && isFields(call['function']) ? call['function'] : {};
    const id = isFields(call) ? String(call['id']) : '';
    return { id, name: String(made['name']), arguments: String(made['arguments']) };
  });
}

/**
 * Field notes: calls are sent back unchanged, including ids and argument strings. Broken calls must not be
 * run.
 */
function checkCalls(message: Fields, turn: Turn, at: string, judge: Judge): void {
  const replayed = replayedCalls(message);
  if (!turn.whole && replayed.length > 0) {
    object(message, judge, `${at}.tool_calls come from a stream that never ended (field notes)`);
  } else if (turn.whole && JSON.stringify(replayed) !== JSON.stringify(turn.calls)) {
    object(
      message,
      judge,
      `${at}.tool_calls are not those that request ${turn.request} was given (field notes)`,
    );
  }
}

/** R11: the messages of an earlier request of the conversation are unchanged at the start of a later one. */
function checkPrefix(raw: string[], turn: Turn, at: number, judge: Judge): void {
  const changed = turn.sent.findIndex((message, index) => message !== raw[index]);
  if (changed !== -1) {
    judge.wrong(`messages[${changed}] is not byte-identical to that of request ${turn.request} (R11)`);
  } else if (at !== turn.sent.length) {
    judge.wrong(`messages[${at}] answers request ${turn.request} but does not follow its messages (R11)`);
  }
}

/** The turns of all conversations. The last replayed turn of a request identifies the request before it. */
export class Turns {
  readonly #byRef = new Map<string, Turn>();
  readonly #prompts: string[] = [];

  add(turn: Turn): void {
    this.#byRef.set(turn.ref, turn);
  }

  /** @param raw the raw text of each message, in the order of `messages` */
  check(messages: Json[], raw: string[], judge: Judge): void {
    let last: { turn: Turn; at: number } | undefined;
    messages.forEach((message, index) => {
      if (!isFields(message) || message['role'] !== 'assistant') {
        return;
      }
      const turn = this.#byRef.get(refPattern.exec(raw[index] ?? '')?.[0] ?? '');
      const at = `messages[${index}]`;
      if (turn === undefined) {
        judge.wrong(`${at} is an assistant turn that this service never sent`);
        return;
      }
      checkReasoning(message, turn, at, judge);
      checkAnswer(message, turn, at, judge);
      checkCalls(message, turn, at, judge);
      last = { turn, at: index };
    });
    if (last !== undefined) {
      checkPrefix(raw, last.turn, last.at, judge);
    }
  }

  /**
   * R11: the number of characters at the start of this prompt that an earlier prompt has too, compared by
   * message. Remembers the prompt.
   */
  sharedWithEarlier(raw: string[]): number {
    const prompt = raw.join(',');
    const shared = this.#prompts.map((earlier) => {
      const messages = raw.findIndex((_, index) => !earlier.startsWith(raw.slice(0, index + 1).join(',')));
      return raw.slice(0, messages === -1 ? raw.length : messages).join(',').length;
    });
    this.#prompts.push(prompt);
    return Math.max(0, ...shared);
  }
}

/** How the last try of some messages ended. `begun`: a part of the answer was written before it broke off. */
type Ending = Refusal['retry'] | { kind: 'begun' };
type Failure = { tries: number; ending: Ending; name: string; same: string; at: number };

/** Milliseconds that a client's timer may run early. */
const slack = 5;
/** E6. */
const mostTries = 3;

/** Tries of the same messages, to detect retry storms and pointless repetitions. */
export class Tries {
  readonly #failures = new Map<string, Failure>();

  /** How often these messages were consecutively told to wait. */
  count(messages: string): number {
    return this.#failures.get(messages)?.tries ?? 0;
  }

  /**
   * @param same equal for requests that are equal in everything
   * @param now when the request arrived, in milliseconds
   */
  check(messages: string, same: string, now: number, judge: Judge): void {
    const last = this.#failures.get(messages);
    if (last === undefined) {
      return;
    }
    const waited = now - last.at;
    if (last.ending.kind === 'wait' && waited < last.ending.milliseconds - slack) {
      const due = last.ending.milliseconds;
      judge.wrong(`tried again ${Math.round(waited)} ms after ${last.name}, ${due} ms were due (E6)`);
    }
    if (last.ending.kind === 'wait' && last.tries >= mostTries) {
      judge.wrong(`try ${last.tries + 1} of the same messages, at most ${mostTries} are allowed (E6)`);
    }
    if (last.ending.kind === 'never' && last.same === same) {
      judge.wrong(`sent again unchanged after ${last.name}, which must not be retried`);
    }
    if (last.ending.kind === 'begun' && last.same === same) {
      judge.wrong(`sent again unchanged after ${last.name}, although the answer had begun (field notes)`);
    }
  }

  failed(messages: string, failure: Omit<Failure, 'tries'>): void {
    const tries = failure.ending.kind === 'wait' ? this.count(messages) + 1 : 0;
    this.#failures.set(messages, { ...failure, tries });
  }

  succeeded(messages: string): void {
    this.#failures.delete(messages);
  }
}

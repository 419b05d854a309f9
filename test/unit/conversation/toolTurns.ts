/** Tools and turns with tools, for tests. */

import { createTurn } from '../../../src/conversation/fold.ts';
import type { Omission } from '../../../src/conversation/requestFacts.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import { createCallCheck } from '../../../src/conversation/toolCalls/callCheck.ts';
import type {
  ReadyCall,
  Toolbox,
  ToolDefinition,
  ToolResult,
} from '../../../src/conversation/toolCalls/tools.ts';
import type { CallState, Turn } from '../../../src/conversation/turn.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import type { ChatRequest } from '../../../src/service/types.ts';
import { NEVER, REQUEST } from '../service/wire.ts';
import { chunk, DONE, FACTS, finish, usage } from './turns.ts';

export const toolOf = (name: string): ToolDefinition => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
  source: 'k3',
});

export interface TestToolbox extends Toolbox {
  /** The calls that were run, in order. */
  readonly ran: readonly ReadyCall[];
}

/** A toolbox whose result names the call, unless a test replaces `run`. */
export function toolboxOf(names: readonly string[], run: Partial<Toolbox>['run'] = undefined): TestToolbox {
  const ran: ReadyCall[] = [];
  return {
    definitions: names.map(toolOf),
    ran,
    async run(call, signal, onState) {
      ran.push(call);
      const result: ToolResult = { text: `${call.name} of ${String(call.arguments['of'])}` };
      return run === undefined ? result : run(call, signal, onState);
    },
  };
}

/** A stream that ends in calls, each with a name, arguments, and optionally an id. */
export function calling(
  ...calls: readonly (readonly [name: string, args: string, id?: string])[]
): readonly StreamEvent[] {
  return [
    { type: 'try', tries: 1 },
    chunk({ reasoning: { name: 'reasoning_content', text: `On to ${calls.length} calls.` } }),
    chunk({
      toolCalls: calls.map(([name, args, id], index) => ({
        index,
        id: id ?? `id_${index}`,
        name,
        arguments: args,
      })),
    }),
    finish('tool_calls'),
    usage(),
    DONE,
  ];
}

export const answering = (text: string): readonly StreamEvent[] => [
  { type: 'try', tries: 1 },
  chunk({ reasoning: { name: 'reasoning_content', text: 'Now I know.' } }),
  chunk({ answer: text }),
  finish('stop'),
  usage(),
  DONE,
];

export interface Ran {
  readonly turn: Turn;
  readonly requests: readonly ChatRequest[];
  /** How often the check of calls was loaded. */
  readonly checks: number;
}

/** Runs a turn with these streams, one per request. A stream that is a function can throw. */
export async function runWith(
  streams: readonly (readonly StreamEvent[] | (() => AsyncIterable<StreamEvent>))[],
  toolbox: Toolbox | undefined,
  options: {
    readonly signal?: AbortSignal;
    readonly onTurn?: (turn: Turn) => void;
    readonly stopOf?: (callId: string) => AbortSignal;
    readonly maxCallMs?: number;
    /** By default, a clock that is one later each time. */
    readonly now?: () => number;
    readonly mayContinue?: () => Promise<boolean>;
    readonly findOmitted?: (turn: Turn) => Omission | undefined;
  } = {},
): Promise<Ran> {
  const requests: ChatRequest[] = [];
  let checks = 0;
  let clock = 0;
  const client = {
    async *stream(request: ChatRequest) {
      requests.push(request);
      const stream = streams[requests.length - 1] ?? streams.at(-1) ?? [];
      yield* typeof stream === 'function' ? stream() : stream;
    },
  };
  const deps = {
    client,
    toolbox,
    loadCheck: async () => {
      checks++;
      return createCallCheck();
    },
    now: options.now ?? (() => clock++),
    ...(options.stopOf && { stopOf: options.stopOf }),
    ...(options.maxCallMs && { maxCallMs: options.maxCallMs }),
    ...(options.mayContinue && { mayContinue: options.mayContinue }),
    ...(options.findOmitted && { findOmitted: options.findOmitted }),
  };
  let turn = createTurn('t1', 1_000_000, FACTS);
  for await (const step of runTurn(deps, turn, REQUEST, options.signal ?? NEVER)) {
    turn = step.turn;
    options.onTurn?.(turn);
  }
  return { turn, requests, checks };
}

/** Valid arguments of the tools. */
export const OF_A = '{"of":"a"}';

export const statesOf = (turn: Turn): readonly (readonly CallState[])[] =>
  turn.rounds.map(({ toolCalls }) => toolCalls.map(({ state }) => state));

/** The results of the last round. */
export const resultsOf = (turn: Turn) => turn.rounds.at(-1)?.toolCalls.map(({ result }) => result?.text);

/** The model's answer without faults: the texts, their tokens, and the settings of an answer. */
import { ceiling, modelId } from './bodyRules.ts';
import { clipped, type Fields, isFields, type Json } from './json.ts';
import type { ReasoningName, ToolCall } from './memory.ts';

export type Framing = { eol: string; space: boolean; bom: boolean; single: boolean };

export type Reply = {
  model: string;
  reasoningName: ReasoningName;
  reasoning: string;
  answer: string;
  calls: ToolCall[];
  /** If undefined, the stream has no finish reason. */
  finish: string | undefined;
  /**
   * Where the usage is: in the last chunk, nowhere, in the last chunk with zeros, in `choices[0].usage`, or
   * both.
   */
  usage: 'last' | 'none' | 'zero' | 'choice' | 'twice';
  done: boolean;
  /** What follows the last piece: a proper end, a destroyed socket, or an error object. */
  ending: 'end' | 'destroy' | 'error' | 'error event';
  /** Milliseconds before the first byte. */
  firstPause: number;
  comments: boolean;
  emptyChoices: boolean;
  nulls: boolean;
  framing: Framing;
};

/** Tokens of a text: one for every four characters. */
export function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function reasoningText(ref: string): string {
  return `## What is being asked (${ref})

The words come first. Somebody wants a result they can use today, so I separate the wish from the wording: a wish has one purpose, a wording has several readings. Two readings fit here, and the narrower one is safer.

### Ways through

1. Take the request literally and answer in one line. Quick, but it hides the assumption that the input is clean.
2. Restate the problem, list what is given, and derive the rest. Slower, and every step can be checked by hand.
3. Look for a counter-example first. If one turns up, the question changes; if none does, the second way is enough.

### Trying the second way

Given: a list of names such as Zoë, 水野 and Łukasz, in no order. Wanted: the same list, in an order that a reader expects. Comparing code units would put Łukasz behind Zoë, and no reader of Polish expects that. So a comparison has to know a language.

Step 1: fold nothing, since folding loses the difference between names.
Step 2: compare by a collator for the reader's language.
Step 3: keep equal names in the order in which they came, otherwise the list jumps about when it is sorted twice.

### Checking

- Empty list: nothing to compare, nothing returned. Fine.
- One name: returned as it is. Fine 🙂
- Two equal names: the order is kept by step 3.

Is there a counter-example? A name written in a second script has no fixed place in the first. That is a limit worth one sentence, not a reason to stop.

## Decision

I go the second way, name the limit, and show four lines of code together with a small table.`;
}

function answerText(ref: string): string {
  return `### Sorting names for a reader

Use a **collator** instead of comparing code units (note ${ref}):

\`\`\`ts
const order = new Intl.Collator('pl');
const sorted = [...names].sort(order.compare);
\`\`\`

| input | by code units | by collator |
|---|---|---|
| Zoë, Łukasz | Zoë, Łukasz | Łukasz, Zoë |
| 水野, Ada | Ada, 水野 | Ada, 水野 |

1. Equal names keep their order, since \`sort\` is stable.
2. Names in a second script have *no* fixed place; decide once and write it down. ✅
`;
}

/** A value that matches a JSON schema, with `ref` in every string that can have any value. */
export function sample(schema: Json | undefined, ref: string): Json {
  if (!isFields(schema)) {
    return ref;
  }
  const { const: fixed, enum: allowed, anyOf, type: types, properties, items, minimum } = schema;
  if (fixed !== undefined || Array.isArray(allowed)) {
    return fixed ?? (Array.isArray(allowed) ? (allowed[0] ?? null) : null);
  }
  if (Array.isArray(anyOf)) {
    return sample(anyOf[0], ref);
  }
  switch (Array.isArray(types) ? types[0] : types) {
    case 'object': {
      const entries = Object.entries(isFields(properties) ? properties : {});
      return Object.fromEntries(entries.map(([name, inner]) => [name, sample(inner, ref)]));
    }
    case 'array':
      return [sample(items, ref)];
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return ref;
  }
}

/** Q13: what the response format requests. Undefined for text. */
function structured(format: Json | undefined, ref: string): string | undefined {
  if (!isFields(format) || format['type'] === 'text') {
    return undefined;
  }
  const asked = format['json_schema'];
  const value =
    format['type'] === 'json_schema' && isFields(asked) ? sample(asked['schema'], ref) : { note: ref };
  return JSON.stringify(value);
}

/** The answer without any markers. */
export function plainReply(body: Fields, ref: string): Reply {
  return {
    model: modelId,
    reasoningName: 'reasoning_content',
    reasoning: reasoningText(ref),
    answer: structured(body['response_format'], ref) ?? answerText(ref),
    calls: [],
    finish: 'stop',
    usage: 'last',
    done: true,
    ending: 'end',
    firstPause: 0,
    comments: false,
    emptyChoices: false,
    nulls: false,
    framing: { eol: '\n', space: true, bom: false, single: false },
  };
}

/** Q7, Q8, F1, F2: reasoning uses the budget first. What doesn't fit is not sent. */
export function withinBudget(reply: Reply, asked: Json | undefined): Reply {
  const budget = Math.min(typeof asked === 'number' ? asked : 131_072, ceiling);
  const left = budget - tokens(reply.reasoning);
  if (left <= 0) {
    const reasoning = clipped(reply.reasoning, budget * 4);
    return { ...reply, reasoning, answer: '', calls: [], finish: 'length' };
  }
  if (tokens(reply.answer) > left) {
    return { ...reply, answer: clipped(reply.answer, left * 4), finish: 'length' };
  }
  return reply;
}

/** R6. `shared` and `prompt` are in tokens. The cache counts in blocks of 256 above 1,024 (R11). */
export function usageOf(reply: Reply, prompt: number, shared: number): Fields {
  const said = JSON.stringify(reply.calls.map((call) => call.arguments));
  const calls = reply.calls.length > 0 ? tokens(said) : 0;
  const reasoning = tokens(reply.reasoning);
  const completion = reasoning + tokens(reply.answer) + calls;
  const cached = prompt > 1024 ? Math.floor(shared / 256) * 256 : shared;
  const factor = reply.usage === 'zero' ? 0 : 1;
  return {
    prompt_tokens: prompt * factor,
    completion_tokens: completion * factor,
    total_tokens: (prompt + completion) * factor,
    completion_tokens_details: { reasoning_tokens: reasoning * factor },
    prompt_tokens_details: { cached_tokens: cached * factor },
  };
}

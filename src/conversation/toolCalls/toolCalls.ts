import { asObject, type JsonObject, parseJson, toJson } from '../../service/json.ts';
import type { Chunk, ToolCallDelta } from '../../service/types.ts';

/** A tool call that is still being received. `index` is the one that the service sent, which can be missing or used twice. */
export interface CallDraft {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Its deltas had several indexes: some gateways increment the index with each delta. */
  readonly hasIndexes?: true;
}

/** The arguments of a call, or undefined if they aren't a JSON object. Some models send an empty text for a tool without parameters. */
export const parseArguments = (text: string): JsonObject | undefined =>
  asObject(parseJson(text.trim() === '' ? '{}' : text));

/** Adds the calls of a chunk, except calls that are repeated as a whole, as some gateways do at the end. */
export function foldToolCalls(
  calls: readonly CallDraft[],
  { toolCalls }: Pick<Chunk, 'toolCalls'>,
): readonly CallDraft[] {
  if (toolCalls.length === 0 || areAgain(calls, toolCalls)) return calls;
  const others = toolCalls.filter(
    (delta) => !calls.some((call) => !delta.id && (call.id || isAt(call, delta)) && isAgain(call, delta)),
  );
  return others.reduce(foldToolCall, calls);
}

/**
 * Whether the deltas repeat all calls so far. If calls have no ids and indexes, the model may have made the same ones twice. They
 * are run only once, because doing something twice can do harm.
 */
function areAgain(calls: readonly CallDraft[], deltas: readonly ToolCallDelta[]): boolean {
  return (
    calls.length === deltas.length &&
    calls.every((call, at) => {
      const delta = deltas[at];
      return delta !== undefined && (!delta.id || delta.id === call.id) && isAgain(call, delta);
    })
  );
}

/** Whether a delta repeats a whole call and doesn't have another index. */
const isAgain = (call: CallDraft, delta: ToolCallDelta): boolean =>
  delta.name === call.name &&
  (call.hasIndexes === true || !isElsewhere(call, delta)) &&
  isSame(call.arguments.trim() || '{}', delta.arguments);

/**
 * Adds a delta to the calls (docs/service.md). An index can be missing or come late. A new id with an old index starts a new
 * call, and so does a different name. An empty id or name never overwrites one.
 */
export function foldToolCall(calls: readonly CallDraft[], delta: ToolCallDelta): readonly CallDraft[] {
  const at = findCall(calls, delta);
  const known = calls[at];
  if (known === undefined || isAnother(known, delta)) {
    const begun: CallDraft = {
      index: delta.index,
      id: delta.id ?? '',
      name: delta.name ?? '',
      arguments: delta.arguments,
    };
    return [...calls, begun];
  }
  const grown: CallDraft = {
    ...known,
    index: known.index ?? delta.index,
    id: known.id || (delta.id ?? ''),
    name: known.name || (delta.name ?? ''),
    arguments: joinArguments(known.arguments, delta.arguments),
    ...(isElsewhere(known, delta) && { hasIndexes: true }),
  };
  return calls.with(at, grown);
}

/** The position of the call that a delta belongs to, or -1 if it starts a new call. */
function findCall(calls: readonly CallDraft[], delta: ToolCallDelta): number {
  const { id, name, index } = delta;
  if (id) {
    const named = calls.findLastIndex((call) => call.id === id);
    // Some services give every call the same id.
    const same = calls.findLastIndex((call) => call.id === id && call.index === index);
    if (named !== -1) return same === -1 ? named : same;
    return calls.findLastIndex((call) => call.index === index && (call.id === '' || isRest(call, delta)));
  }
  if (index === undefined) return calls.length - 1;
  const same = calls.findLastIndex((call) => call.index === index);
  // A delta without id and name continues a call that has no index yet.
  return same !== -1 || name ? same : calls.findLastIndex((call) => call.index === undefined);
}

/** Whether a delta with a new id continues a call. Some servers create a new id for each delta, but no call begins without a name. */
const isRest = (call: CallDraft, { name, index, arguments: piece }: ToolCallDelta): boolean =>
  !name && index !== undefined && call.name !== '' && piece.trim() !== '' && !isComplete(call.arguments);

/**
 * Whether a delta that seems to continue a call begins another one: it names another tool, or the same tool with another index,
 * or, without an id, it comes after complete arguments. Otherwise, a tool would run with the arguments of another one.
 */
function isAnother(call: CallDraft, { index, id, name, arguments: piece }: ToolCallDelta): boolean {
  if (!name || call.name === '') return false;
  if (name !== call.name) return true;
  // Some services repeat the name in every delta of a call, and some give every call the same id.
  const isOther = call.hasIndexes !== true && isElsewhere(call, { index });
  // A call begins without arguments, or with some after those of another call are complete.
  if (piece.trim() === '') return isOther && (call.arguments === '' || isComplete(call.arguments));
  if (isPlaceholder(call, { index, arguments: piece })) return false;
  // Arguments that are repeated at the end don't begin another call.
  const isRepeated = call.hasIndexes === true && isSame(call.arguments, piece);
  return (!id || isElsewhere(call, { index })) && isComplete(call.arguments) && !isRepeated;
}

/**
 * Whether a call has only the empty object before its arguments, which these pieces begin. A call of a service without ids can
 * have no arguments, and another one, which comes whole, can have the same index.
 */
const isPlaceholder = (
  call: CallDraft,
  { index, arguments: piece }: Pick<ToolCallDelta, 'index' | 'arguments'>,
) =>
  isEmptyObject(call.arguments) &&
  piece.trimStart().startsWith('{') &&
  !isElsewhere(call, { index }) &&
  (call.id !== '' || (isAt(call, { index }) && !isComplete(piece)));

const isAt = (call: CallDraft, { index }: Pick<ToolCallDelta, 'index'>): boolean =>
  index !== undefined && index === call.index;

const isElsewhere = (call: CallDraft, { index }: Pick<ToolCallDelta, 'index'>): boolean =>
  index !== undefined && call.index !== undefined && index !== call.index;

/**
 * Joins two pieces of arguments. Some gateways send an empty object before the arguments, or all of the arguments again at the
 * end. Neither is part of the JSON.
 */
function joinArguments(known: string, piece: string): string {
  if (isEmptyObject(known) && piece.trim() !== '') return piece;
  return isSame(known, piece) ? known : known + piece;
}

/** Long arguments aren't trimmed: they are not yet one string in memory, and would become one with each piece. */
const isEmptyObject = (args: string): boolean => args.length < 100 && args.trim() === '{}';

/** The maximum factor by which JSON gets longer when it is serialized again. */
const MOST_SPACED = 10;

/** Whether both are the same complete arguments. Some gateways serialize the JSON again, with other white space or in another order. */
function isSame(known: string, piece: string): boolean {
  // Comparing long code with each of its pieces that happens to be an object would take quadratic time.
  if (known.length > MOST_SPACED * (piece.length + 100)) return false;
  if (!isComplete(piece) || !isComplete(known)) return false;
  const [one, other] = [known, piece].map((text) => toJson(parseJson(text), inOrder));
  return one !== undefined && one === other;
}

const inOrder = (_: string, value: unknown): unknown =>
  asObject(value) === undefined ? value : Object.fromEntries(Object.entries(value as object).sort());

/**
 * Whether arguments are complete. Most pieces begin in the middle of an object, and growing arguments end there, so neither is
 * parsed each time.
 */
const isComplete = (args: string): boolean =>
  /^\s*\{/.test(args) && args.trimEnd().endsWith('}') && asObject(parseJson(args)) !== undefined;

/** The maximum length of the names that services accept, in characters. */
const MAX_NAME = 64;

/**
 * The calls with whole names, in the order of their indexes. Some services stream a name in pieces, each of which begins a call.
 * If a name is not a tool, but is one together with the names of the calls without arguments directly before it, it is the rest
 * of a name.
 */
export function withWholeNames(
  calls: readonly CallDraft[],
  tools: ReadonlySet<string>,
): readonly CallDraft[] {
  const whole: CallDraft[] = [];
  for (const call of calls) {
    let { name } = call;
    let from = whole.length;
    while (!tools.has(name) && name.length < MAX_NAME) {
      const before = whole[from - 1];
      if (before === undefined || !mayBeBefore(before, call)) break;
      name = before.name + name;
      from--;
    }
    const [first] = tools.has(name) ? whole.splice(from) : [];
    whole.push(first === undefined ? call : { ...call, name, id: first.id || call.id });
  }
  return inOrderOfIndexes(whole);
}

/**
 * Sorts calls by index, because they can arrive in another order than the model made them. Missing or duplicate indexes show no
 * order.
 */
function inOrderOfIndexes(calls: readonly CallDraft[]): readonly CallDraft[] {
  const places = calls.map(({ index = Number.NaN }) => index);
  const isOrder = new Set(places).size === calls.length && !places.some(Number.isNaN);
  return isOrder ? calls.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0)) : calls;
}

/** Whether the name of a call may be a piece of the name of the next call. */
const mayBeBefore = (before: CallDraft, { index, id }: CallDraft): boolean =>
  before.name !== '' && before.arguments === '' && before.index === index && (id === '' || id === before.id);

/** Decides which tool calls of a round can run, and creates the results of those that can't. */
import { isDeeperThan, MAX_LEVELS } from '../../service/json.ts';
import type { Call } from '../turn.ts';
import { type CallDraft, parseArguments, withWholeNames } from './toolCalls.ts';
import type { ReadyCall, Toolbox, ToolDefinition } from './tools.ts';

/**
 * The maximum number of requests of one turn that may end in calls. After that, the user is asked whether the
 * model should continue.
 */
export const MAX_ROUNDS = 25;
/** The maximum length of arguments, in characters. */
const MAX_ARGUMENTS = 1_000_000;

/** What is wrong with a call's arguments according to the tool's schema. Undefined if they are valid. */
export type CallCheck = (parameters: ToolDefinition['parameters'], value: unknown) => string | undefined;

/**
 * A call, and what to run for it. `ready` is undefined if the call can't run; then it already has its result.
 */
export interface PlannedCall {
  readonly call: Call;
  readonly ready: ReadyCall | undefined;
}

/**
 * Decides what to do with the calls of a round. If the tool wasn't offered, or the arguments don't parse or don't match the
 * tool's schema, the result says so, so that every call has a result.
 *
 * @param given the calls as they were received; their names can be in pieces
 * @param round the number of the round, for the ids of calls without an id
 * @param damaged whether a part of the stream couldn't be read; it may have been part of any arguments
 */
export function planCalls(
  given: readonly CallDraft[],
  round: number,
  damaged: boolean,
  toolbox: Toolbox,
  check: CallCheck,
): readonly PlannedCall[] {
  const drafts = withWholeNames(given, new Set(toolbox.definitions.map(({ name }) => name)));
  if (damaged) return refuseCalls(drafts, round, DAMAGED, toolbox).map(notToRun);
  // Arguments without a name may belong to another call, which would run without them.
  if (drafts.some(({ name }) => name === ''))
    return refuseCalls(drafts, round, NAMELESS, toolbox).map(notToRun);
  const ids = toIds(drafts, `call_${round}`);
  return drafts.map((draft, index) => {
    const id = ids[index] ?? draft.id;
    const parsed = parseCall({ ...draft, id }, toolbox, check);
    const call: Call = {
      ...draft,
      id,
      state: parsed.ok ? 'running' : 'failed',
      result: parsed.ok ? undefined : { text: parsed.why, failed: true },
      startedAt: undefined,
      endedAt: undefined,
      ...titleIn(toolbox, draft),
    };
    return { call, ready: parsed.ok ? parsed.ready : undefined };
  });
}

/** The current title of the tool. */
function titleIn({ titles }: Pick<Toolbox, 'titles'>, { name }: CallDraft): Pick<Call, 'toolTitle'> {
  const toolTitle = titles?.get(name);
  return toolTitle === undefined ? {} : { toolTitle };
}

const notToRun = (call: Call): PlannedCall => ({ call, ready: undefined });

/**
 * The ids of the calls of a round. All are different, because the service refuses a round with the same id twice. The ids of the
 * model are kept; a call without an id, or with the id of an earlier call, gets an id that no other call has.
 *
 * @param begin the beginning of ids that are created here
 * @param earlier the ids of calls in other rounds, if the ids must differ from those, too
 */
export function toIds(
  drafts: readonly CallDraft[],
  begin: string,
  earlier: readonly string[] = [],
): readonly string[] {
  const taken = new Set([...earlier, ...drafts.map(({ id }) => id)]);
  const kept = new Set(['', ...earlier]);
  return drafts.map(({ id }, index) => {
    if (!kept.has(id)) {
      kept.add(id);
      return id;
    }
    const plain = `${begin}_${index}`;
    let made = plain;
    for (let again = 1; taken.has(made); again++) made = `${plain}_${again}`;
    taken.add(made);
    return made;
  });
}

const DAMAGED =
  'Not run: a part of the stream could not be read, and may have been part of the arguments. Call again.';
export const MIXED =
  'Not run: the service sent more than one choice, and the call may be part of another choice.';
const NAMELESS =
  'Not run: a tool call has no name, and its arguments may belong to another call. Call again.';
export const OUT_OF_ROUNDS = `Not run: the limit of ${MAX_ROUNDS} rounds of calls in one turn is reached.`;

type Parsed = { readonly ok: true; readonly ready: ReadyCall } | { readonly ok: false; readonly why: string };

function parseCall(draft: CallDraft, { definitions }: Toolbox, check: CallCheck): Parsed {
  const no = (why: string): Parsed => ({ ok: false, why: `Not run: ${why}` });
  const tool = definitions.find(({ name }) => name === draft.name);
  if (tool === undefined)
    return no(`there is no tool with the name ${JSON.stringify(draft.name.slice(0, 80))}.`);
  if (draft.arguments.length > MAX_ARGUMENTS) return no('the arguments are too long.');
  const value = parseArguments(draft.arguments);
  if (value === undefined) return no('the arguments are not a JSON object.');
  // Such arguments couldn't be written as JSON, so they couldn't be shown to the user, who has to decide about the call.
  if (isDeeperThan(value, MAX_LEVELS)) return no('the arguments are nested too deeply.');
  const wrong = check(tool.parameters, value);
  if (wrong !== undefined) return no(`the arguments do not match the schema of the tool: ${wrong}.`);
  return { ok: true, ready: { id: draft.id, name: draft.name, arguments: value } };
}

/** The calls of a round, none of which is run. The result of each call contains the reason. */
export function refuseCalls(
  drafts: readonly CallDraft[],
  round: number,
  text: string,
  toolbox: Pick<Toolbox, 'titles'>,
): readonly Call[] {
  const ids = toIds(drafts, `call_${round}`);
  return drafts.map((draft, index) => ({
    ...draft,
    id: ids[index] ?? draft.id,
    state: 'not-run',
    result: { text, failed: true },
    startedAt: undefined,
    endedAt: undefined,
    ...titleIn(toolbox, draft),
  }));
}

/** The question of a request to `@k3`: its text or the prompt file that it names, and the attached files. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import { type Question, withContext, withPreset } from '../../conversation/question.ts';
import { sentInstructions } from '../../instructions/dueInstructions.ts';
import { mayRun } from '../../requests/presets.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import type { ContextAttaching } from '../composer/contextAttaching.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Expanded, Prompts } from '../composer/prompts.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { readPreset } from '../settings/settings.ts';
import type { ToolSet } from '../tools/toolSet.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { askByCommand } from './namedCommands.ts';
import { isInstructionReference, joinContext, readReferences, withoutKnown } from './references.ts';
import type { ReplyStream } from './turnStream.ts';

const t = vscode.l10n.t;

export interface ParticipantQuestionDeps {
  readonly conversations: Pick<Conversations, 'get' | 'choices'>;
  readonly prompts: Pick<Prompts, 'expand'>;
  readonly attaching: Pick<ContextAttaching, 'read'>;
  readonly instructions: Pick<Instructions, 'due'>;
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly tools: Pick<ToolSet, 'chosen'>;
  /** The text that the user has typed in inputs of prompt files, and that was not sent. */
  readonly typed: Map<string, string>;
  /** Cancels the request. */
  readonly token: vscode.CancellationToken;
}

/** The parts of a request to `@k3` that make its question. Older editors pass no tools. */
export type Requested = Pick<vscode.ChatRequest, 'prompt' | 'references'> &
  Partial<Pick<vscode.ChatRequest, 'toolReferences'>>;

type Made =
  /** `problems` tell the user what is not sent. */
  | { readonly ok: true; readonly question: Question; readonly problems: readonly string[] }
  | { readonly ok: false; readonly why: string };

/**
 * The question of a request with its attachments, or why there is none. Reports what is not sent.
 * @param after the ID of the exchange that it follows; undefined at the start of a conversation
 */
export async function makeQuestion(
  deps: ParticipantQuestionDeps,
  reads: AllowedReads,
  conversationId: string,
  after: string | undefined,
  { prompt, references, toolReferences = [] }: Requested,
  stream: Pick<ReplyStream, 'progress'>,
): Promise<Made> {
  const others = references.filter((one) => !isInstructionReference(one));
  const asked = await makeAsked(deps, reads, conversationId, { prompt, references: others }, stream);
  const unused = asked.ok ? describeUnused(toolReferences, deps.tools, asked.question) : [];
  const made = asked.ok ? { ...asked, problems: [...asked.problems, ...unused] } : asked;
  const instructed = references.filter(isInstructionReference);
  if (!made.ok || instructed.length === 0) return made;
  const { exchanges = [] } = deps.conversations.get(conversationId) ?? {};
  const earlier = exchanges.slice(0, exchanges.findIndex(({ id }) => id === after) + 1);
  const due = await deps.instructions.due(conversationId, earlier, made.question);
  const ended = new Set(due.filter((item) => item.ended === true).map(({ uri }) => uri));
  const sent = sentInstructions(earlier).filter(({ uri }) => !ended.has(uri));
  const { context, problems } = await readReferences(withoutKnown(instructed, [...sent, ...due]), reads);
  for (const problem of problems) stream.progress(problem);
  const question = withContext(made.question, [...(made.question.context ?? []), ...context]);
  return { ok: true, question, problems: [...made.problems, ...problems] };
}

/**
 * Messages about tools that the request names with `#`, but that can't run: K3 decides which tools run, and so do the preset and the
 * prompt file.
 */
function describeUnused(
  named: readonly vscode.ChatLanguageModelToolReference[],
  tools: Pick<ToolSet, 'chosen'>,
  question: Question,
): readonly string[] {
  const chosen = new Map(
    tools.chosen().map(({ name, kind }) => ['installed' in kind ? kind.installed.editorName : '', name]),
  );
  return [...new Set(named.map(({ name }) => name))].flatMap((name) => {
    const tool = chosen.get(name);
    if (tool === undefined)
      return t('The tool {0} wasn’t offered. Run “K3: Choose Tools…” to select it.', name);
    return mayRun(tool, question)
      ? []
      : t('The tool {0} can’t run: the preset or the prompt file leaves it out.', name);
  });
}

async function makeAsked(
  { conversations, prompts, attaching, lastEditor, typed, token }: ParticipantQuestionDeps,
  reads: AllowedReads,
  conversationId: string,
  { prompt, references }: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
  stream: Pick<ReplyStream, 'progress'>,
): Promise<Made> {
  // The preset of the conversation, which the user chooses in K3.
  const chosen = readPreset(conversations.choices(conversationId).preset);
  const refusal = chosen.ok ? undefined : describeRefusal(chosen.refusal);
  const expanded = await prompts.expand(prompt, undefined, { refusal, typed, token });
  if (expanded.kind === 'missing') return { ok: false, why: expanded.why };
  if (expanded.kind === 'canceled') return { ok: false, why: t('Nothing was sent.') };
  if (expanded.kind === 'command') {
    const asked = await askByCommand(expanded, prompt, references, { lastEditor, reads });
    if (!asked.ok) return asked;
    const { context, problems } = await readReferences(asked.others, reads);
    for (const problem of problems) stream.progress(problem);
    return { ok: true, question: withContext(asked.question, context), problems };
  }
  if (!chosen.ok) return { ok: false, why: describeRefusal(chosen.refusal) };
  if (chosen.preset !== undefined) stream.progress(t('Preset: {0}', chosen.preset.name));
  const attached = await readReferences(references, reads);
  const meant = expanded.kind === 'prompt' ? [await attaching.read(conversationId, expanded.references)] : [];
  const { context, problems } = joinContext([attached, ...meant]);
  for (const problem of problems) stream.progress(problem);
  return { ok: true, question: withPreset(toQuestion(prompt, expanded, context), chosen.preset), problems };
}

/** The question of a prompt, with its context. */
function toQuestion(
  prompt: string,
  expanded: Extract<Expanded, { kind: 'plain' | 'prompt' }>,
  context: readonly ContextItem[],
): Question {
  if (expanded.kind !== 'prompt')
    return withContext({ text: prompt, images: [], origin: undefined }, context);
  const { text, ...asked } = expanded.asked;
  const plain: Question = { text, images: [], origin: undefined, ...asked };
  // Shown as the user wrote it: the chat finds the exchange again by this text.
  return withContext({ ...plain, asked: prompt }, context);
}

/** `@k3` in the chat of the editor: a K3 conversation that is also shown there. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import { escapeMarkdown } from '../../conversation/conversationMarkdown.ts';
import { toReplyEnd } from '../../conversation/otherChats/otherReply.ts';
import { findStopped, type StoppedChat } from '../../conversation/otherChats/stoppedChats.ts';
import { type ChatTurn, lastSurviving } from '../../conversation/otherChats/survivingTurns.ts';
import { type Question, withContext, withPreset } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import { sentInstructions } from '../../instructions/dueInstructions.ts';
import { refuse } from '../../requests/refusal.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import { joinSentences } from '../base/sentences.ts';
import { readPreset, readSettings } from '../base/settings.ts';
import type { ContextAttaching } from '../composer/contextAttaching.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Expanded, Prompts } from '../composer/prompts.ts';
import { askWithKeyPrompt } from '../conversations/asking.ts';
import { orDeleteAside } from '../conversations/conversationAside.ts';
import { OPEN_CONVERSATION } from '../conversations/conversationItems.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { nextStep, noticeText, warningsOf } from '../outcomes/noticeText.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { type AllowedReads, createAllowedReads } from '../workspace/allowedReads.ts';
import { askByCommand } from './namedCommands.ts';
import { PARTICIPANT } from './names.ts';
import { toReplyError } from './otherChatErrors.ts';
import { isInstructionFile, joinContext, readReferences, withoutKnown } from './references.ts';
import { type ReplyStream, streamTurn } from './turnStream.ts';

const t = vscode.l10n.t;

export interface ChatParticipantDeps {
  readonly conversations: Pick<
    Conversations,
    | 'createAside'
    | 'get'
    | 'choices'
    | 'ask'
    | 'askAfter'
    | 'find'
    | 'markSeen'
    | 'stop'
    | 'delete'
    | 'onDidChange'
  >;
  readonly prompts: Pick<Prompts, 'expand'>;
  readonly attaching: Pick<ContextAttaching, 'read'>;
  readonly instructions: Pick<Instructions, 'due'>;
  readonly lastEditor: Pick<LastEditor, 'get'>;
}

/** Where a request continues: after an exchange that the chat still has. */
interface Continuation {
  readonly conversationId: string;
  readonly exchangeId: string;
}

/**
 * Handles the requests of all chats. The result of each has the place in the conversation where later requests of the
 * same chat continue.
 */
export function createRequestHandler(deps: ChatParticipantDeps) {
  const { conversations } = deps;
  /** By conversation: resolves when the turn of a canceled request has ended. */
  const ending = new Map<string, Promise<unknown>>();
  /** The conversations of first requests that were stopped, by ID. */
  const stopped = new Map<string, StoppedChat>();
  const reads = createAllowedReads();

  return async (
    request: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
    context: vscode.ChatContext,
    stream: ReplyStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> => {
    const before = placeOf(conversations, toShownTurns(context.history), [...stopped.values()]);
    const id = before?.conversationId ?? conversations.createAside(toTitle(request.prompt)).id;
    const aside = before === undefined ? id : undefined;
    // A retry cancels the request that it replaces, whose turn may not have ended yet.
    await ending.get(id);
    const made = await orDeleteAside(
      conversations,
      aside,
      makeQuestion(deps, reads, id, before?.exchangeId, request, stream),
    );
    if (!made.ok) {
      if (before === undefined) conversations.delete(id);
      return { ...(before && { metadata: before }), errorDetails: { message: made.why } };
    }
    let preparing = false;
    const listening = token.onCancellationRequested(() => preparing && conversations.stop(id));
    const sending = askWithKeyPrompt(async (options) => {
      if (token.isCancellationRequested) return refuse({ kind: 'stopped' });
      preparing = true;
      const sent =
        before === undefined
          ? conversations.ask(id, made.question, options)
          : conversations.askAfter(id, before.exchangeId, made.question, options);
      return sent.finally(() => {
        preparing = false;
      });
    }).finally(() => listening.dispose());
    const asked = await orDeleteAside(conversations, aside, sending);
    if (!asked.ok) {
      if (before === undefined) conversations.delete(id);
      const errorDetails = { message: describeRefusal(asked.refusal) };
      return before === undefined ? { errorDetails } : { metadata: before, errorDetails };
    }
    // The user reads it in the editor's chat.
    conversations.markSeen(asked.turnId);
    const place = { conversationId: id, exchangeId: conversations.find(asked.turnId)?.exchange.id };
    let text = '';
    const streamed = streamTurn(conversations, asked.turnId, {
      progress: (step) => stream.progress(step),
      button: (button) => stream.button(button),
      markdown(added: string) {
        text += added;
        return stream.markdown(added);
      },
    });
    const stop = () => {
      ending.set(id, streamed);
      if (before === undefined)
        stopped.set(id, { conversationId: id, prompt: request.prompt, text, continued: false });
      conversations.stop(id);
    };
    const cancelling = token.onCancellationRequested(stop);
    if (token.isCancellationRequested) stop();
    const turn = await streamed.finally(() => {
      cancelling.dispose();
      ending.delete(id);
    });
    const first = stopped.get(id);
    if (before !== undefined && first !== undefined) stopped.set(id, { ...first, continued: true });
    for (const warning of turn === undefined ? [] : toWarnings(turn))
      stream.markdown(`\n\n> ${escapeMarkdown(warning)}`);
    if (turn !== undefined)
      stream.button({ command: OPEN_CONVERSATION, title: t('Open in K3'), arguments: [id] });
    return toResult(turn, place);
  };
}

type Made = { readonly ok: true; readonly question: Question } | { readonly ok: false; readonly why: string };

/** The question of a request, with what goes along, or why there is none. Says what is not sent. */
async function makeQuestion(
  deps: ChatParticipantDeps,
  reads: AllowedReads,
  conversationId: string,
  after: string | undefined,
  { prompt, references }: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
  stream: Pick<ReplyStream, 'progress'>,
): Promise<Made> {
  const others = references.filter((one) => !isInstructionFile(one));
  const made = await makeAsked(deps, reads, conversationId, { prompt, references: others }, stream);
  const instructed = references.filter(isInstructionFile);
  if (!made.ok || instructed.length === 0) return made;
  const { exchanges = [] } = deps.conversations.get(conversationId) ?? {};
  const earlier = exchanges.slice(0, exchanges.findIndex(({ id }) => id === after) + 1);
  const due = await deps.instructions.due(conversationId, earlier, made.question);
  const ended = new Set(due.filter((item) => item.ended === true).map(({ uri }) => uri));
  const sent = sentInstructions(earlier).filter(({ uri }) => !ended.has(uri));
  const { context, problems } = await readReferences(withoutKnown(instructed, [...sent, ...due]), reads);
  for (const problem of problems) stream.progress(problem);
  return { ok: true, question: withContext(made.question, [...(made.question.context ?? []), ...context]) };
}

async function makeAsked(
  { conversations, prompts, attaching, lastEditor }: ChatParticipantDeps,
  reads: AllowedReads,
  conversationId: string,
  { prompt, references }: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
  stream: Pick<ReplyStream, 'progress'>,
): Promise<Made> {
  // That of the conversation, which the user chooses in K3.
  const chosen = readPreset(conversations.choices(conversationId).preset);
  const refusal = chosen.ok ? undefined : describeRefusal(chosen.refusal);
  const expanded = await prompts.expand(prompt, undefined, { refusal });
  if (expanded.kind === 'missing') return { ok: false, why: expanded.why };
  if (expanded.kind === 'canceled') return { ok: false, why: t('Nothing was sent.') };
  if (expanded.kind === 'command') {
    const asked = await askByCommand(expanded, prompt, references, { lastEditor, reads });
    if (!asked.ok) return asked;
    const { context, problems } = await readReferences(asked.others, reads);
    for (const problem of problems) stream.progress(problem);
    return { ok: true, question: withContext(asked.question, context) };
  }
  if (!chosen.ok) return { ok: false, why: describeRefusal(chosen.refusal) };
  if (chosen.preset !== undefined) stream.progress(t('Preset: {0}', chosen.preset.name));
  const attached = await readReferences(references, reads);
  const meant = expanded.kind === 'prompt' ? [await attaching.read(conversationId, expanded.references)] : [];
  const { context, problems } = joinContext([attached, ...meant]);
  for (const problem of problems) stream.progress(problem);
  return { ok: true, question: withPreset(toQuestion(prompt, expanded, context), chosen.preset) };
}

/** The question of a prompt, with what goes along. */
function toQuestion(
  prompt: string,
  expanded: Extract<Expanded, { kind: 'plain' | 'prompt' }>,
  context: readonly ContextItem[],
): Question {
  if (expanded.kind !== 'prompt')
    return withContext({ text: prompt, images: [], origin: undefined }, context);
  const { text, ...asked } = expanded.asked;
  const plain: Question = { text, images: [], origin: undefined, ...asked };
  // It is shown as it was written, by which the chat finds it again.
  return withContext({ ...plain, asked: prompt }, context);
}

/** @param stopped the conversations of first requests that were stopped, the oldest first */
function placeOf(
  conversations: Pick<Conversations, 'get'>,
  turns: readonly ShownTurn[],
  stopped: readonly StoppedChat[],
): Continuation | undefined {
  const recorded = turns.findLast(({ conversationId }) => conversationId !== undefined);
  const first = turns[0]?.failed ? undefined : turns[0];
  // A deleted one would hide another that looks the same.
  const left = stopped.filter((one) => conversations.get(one.conversationId) !== undefined);
  const conversationId = recorded?.conversationId ?? (first && findStopped(left, first));
  const conversation = conversationId === undefined ? undefined : conversations.get(conversationId);
  const exchangeId = conversation && lastSurviving(conversation, turns);
  return conversation && exchangeId !== undefined
    ? { conversationId: conversation.id, exchangeId }
    : undefined;
}

function toResult(turn: Turn | undefined, metadata: Record<string, unknown>): vscode.ChatResult {
  if (turn === undefined || turn.outcome === 'stopped') return { metadata };
  const end = toReplyEnd(turn, new Set());
  if (end.ok) return { metadata };
  return {
    metadata,
    errorDetails: {
      message: toReplyError(turn, end.problem, readSettings().prices).message,
      ...(turn.outcome === 'filtered' ? { responseIsFiltered: true } : {}),
    },
  };
}

/** What the user must know about an answer that has no error. */
function toWarnings(turn: Turn): readonly string[] {
  if (!toReplyEnd(turn, new Set()).ok) return [];
  const { prices } = readSettings();
  return warningsOf(turn).map((notice) =>
    joinSentences([noticeText(notice, turn, prices), nextStep(notice, turn)]),
  );
}

interface ShownTurn extends ChatTurn {
  /** What the chat shows of the answer. */
  readonly text: string;
  /** The chat shows an error instead of an answer, or below it. */
  readonly failed: boolean;
}

const textOf = (response: vscode.ChatResponseTurn | undefined): string =>
  (response?.response ?? [])
    .flatMap((part) => (part instanceof vscode.ChatResponseMarkdownPart ? [part.value.value] : []))
    .join('');

/** The requests in the history of a chat that K3 answered, with their responses and what the results of these say. */
function toShownTurns(history: vscode.ChatContext['history']): readonly ShownTurn[] {
  return history.flatMap((turn, at): readonly ShownTurn[] => {
    if (!(turn instanceof vscode.ChatRequestTurn) || turn.participant !== PARTICIPANT) return [];
    const next = history[at + 1];
    const response = next instanceof vscode.ChatResponseTurn ? next : undefined;
    const { metadata, errorDetails } = response?.result ?? {};
    const recorded = (field: keyof Continuation) => {
      const value: unknown = metadata?.[field];
      return typeof value === 'string' ? value : undefined;
    };
    return [
      {
        prompt: turn.prompt,
        conversationId: recorded('conversationId'),
        exchangeId: recorded('exchangeId'),
        text: textOf(response),
        failed: errorDetails !== undefined,
      },
    ];
  });
}

/** In characters. */
const MAX_TITLE_LENGTH = 60;

function toTitle(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return line === '' ? t('From the editor’s chat') : Array.from(line).slice(0, MAX_TITLE_LENGTH).join('');
}

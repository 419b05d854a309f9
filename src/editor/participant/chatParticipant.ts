/** `@k3` in the chat of the editor: a K3 conversation that is also shown there. */
import * as vscode from 'vscode';
import { escapeMarkdown } from '../../conversation/conversationMarkdown.ts';
import { toConversationTitle } from '../../conversation/conversationTitle.ts';
import type { StoppedChat } from '../../conversation/otherChats/stoppedChats.ts';
import type { Question } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import { refuse } from '../../requests/refusal.ts';
import { untilAborted } from '../../service/abort.ts';
import { withSignal } from '../base/cancellation.ts';
import { createTypedInputs } from '../composer/typedInputs.ts';
import { askWithKeyPrompt } from '../conversations/asking.ts';
import { orDeleteAside } from '../conversations/conversationAside.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { type Continuation, continuationOf, missingIn } from './participantHistory.ts';
import { makeQuestion, type ParticipantQuestionDeps, type Requested } from './participantQuestion.ts';
import { showEnd, toResult } from './participantReply.ts';
import { type ReplyStream, streamTurn } from './turnStream.ts';

const t = vscode.l10n.t;

export interface ChatParticipantDeps extends Omit<ParticipantQuestionDeps, 'typed' | 'token'> {
  readonly conversations: Pick<
    Conversations,
    | 'createAside'
    | 'get'
    | 'isUnread'
    | 'choices'
    | 'ask'
    | 'askAfter'
    | 'find'
    | 'markSeen'
    | 'stop'
    | 'delete'
    | 'onDidChange'
  >;
  readonly reads: AllowedReads;
}

/** How many first requests that were stopped are remembered. */
const MAX_STOPPED = 100;

/**
 * Handles the requests of all chats. The result of each request names the place in its conversation where later requests of the same
 * chat continue.
 */
export function createRequestHandler(deps: ChatParticipantDeps) {
  const { conversations, reads } = deps;
  /** By conversation ID: resolves when the turn of a canceled request has ended. */
  const ending = new Map<string, Promise<unknown>>();
  /** The conversations of first requests that were stopped, by ID. */
  const stopped = new Map<string, StoppedChat>();
  const inputs = createTypedInputs();

  /** Asks in a conversation, and says what isn't sent. A new conversation is deleted if nothing was asked in it. */
  async function ask(
    id: string,
    before: Continuation | undefined,
    { request, typedIn, progress }: Asking,
    token: vscode.CancellationToken,
  ) {
    const typed = inputs.of(typedIn);
    const make = (signal: AbortSignal) => {
      const asking = askUntil(deps.attaching, reads, signal);
      const parts = { ...deps, typed, token, attaching: asking.attaching };
      return makeQuestion(parts, asking.reads, id, before?.exchangeId, request, { progress });
    };
    const aside = before === undefined ? id : undefined;
    const notSent = (message: string) => {
      if (aside !== undefined) conversations.delete(aside, false);
      return { ok: false as const, message };
    };
    const made = await orDeleteAside(conversations, aside, untilCanceled(make, token));
    if (!made.ok) return notSent(made.why);
    const sending = send(conversations, id, before, made.question, token);
    const asked = await orDeleteAside(conversations, aside, sending);
    if (!asked.ok) return notSent(describeRefusal(asked.refusal));
    inputs.forget(typedIn);
    return { ok: true as const, turnId: asked.turnId, problems: made.problems };
  }

  /** Shows the turn until it has ended. Canceling the request stops it. */
  async function show(
    turnId: string,
    id: string,
    before: Continuation | undefined,
    { request, progress }: Asking,
    stream: ReplyStream,
    token: vscode.CancellationToken,
  ): Promise<Turn | undefined> {
    let text = '';
    const streamed = streamTurn(conversations, turnId, {
      progress,
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
    for (const old of [...stopped.keys()].slice(0, -MAX_STOPPED)) stopped.delete(old);
    const begun = stopped.get(id);
    if (before !== undefined && begun !== undefined) stopped.set(id, { ...begun, continued: true });
    return turn;
  }

  return async (
    request: Requested,
    context: vscode.ChatContext,
    stream: ReplyStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> => {
    const before = continuationOf(conversations, context.history, [...stopped.values()]);
    const missing = missingIn(conversations, context.history);
    // Without the earlier messages, the question would have another meaning.
    if (missing !== undefined && conversations.isUnread(missing))
      return { errorDetails: { message: describeRefusal({ kind: 'unread' }) } };
    const gone = missing === undefined ? [] : [t('This conversation no longer exists.')];
    const id = before?.conversationId ?? conversations.createAside(toTitle(request.prompt)).id;
    // A retry cancels the request that it replaces, whose turn may not have ended yet.
    await ending.get(id);
    // The inputs are kept for the conversation. A new chat has none if its request was refused, so it is identified by its first
    // prompt.
    const first = context.history.find((one) => one instanceof vscode.ChatRequestTurn);
    const asking: Asking = {
      request,
      typedIn: before?.conversationId ?? (first ?? request).prompt,
      progress: (step) => stream.progress(escapeMarkdown(step)),
    };
    const asked = await ask(id, before, asking, token);
    if (!asked.ok) return { ...(before && { metadata: before }), errorDetails: { message: asked.message } };
    // The user reads the answer in the editor's chat.
    conversations.markSeen(asked.turnId);
    const place = { conversationId: id, exchangeId: conversations.find(asked.turnId)?.exchange.id };
    const turn = await show(asked.turnId, id, before, asking, stream, token);
    if (turn !== undefined) showEnd(turn, id, [...gone, ...asked.problems], stream);
    return toResult(turn, place);
  };
}

/** A request, and the data that is needed while it is asked. */
interface Asking {
  readonly request: Requested;
  /** The key under which text is kept that the user types in inputs of prompt files and that isn't sent. */
  readonly typedIn: string;
  /** Takes plain text, which is escaped because the editor renders it as Markdown. */
  readonly progress: (step: string) => void;
}

/** The functions that ask the user about files, until the signal aborts. */
const askUntil = (attaching: ChatParticipantDeps['attaching'], reads: AllowedReads, signal: AbortSignal) => ({
  reads: { ...reads, ask: (uris: readonly vscode.Uri[]) => reads.ask(uris, signal) },
  attaching: {
    read: (...[id, references]: Parameters<typeof attaching.read>) => attaching.read(id, references, signal),
  },
});

/**
 * Makes the question, unless the request is canceled before: an attached file can be on a drive that doesn’t answer. After that, the
 * user is no longer asked about files.
 */
const untilCanceled = (
  make: (signal: AbortSignal) => ReturnType<typeof makeQuestion>,
  token: vscode.CancellationToken,
) =>
  withSignal(token, (signal) =>
    untilAborted(make(signal), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return { ok: false as const, why: describeRefusal({ kind: 'stopped' }) };
    }),
  );

/** Asks in the conversation, after one of its exchanges or at its start. A request that is canceled in the meantime isn't sent. */
async function send(
  conversations: Pick<Conversations, 'ask' | 'askAfter' | 'stop'>,
  id: string,
  before: Continuation | undefined,
  question: Question,
  token: vscode.CancellationToken,
) {
  let preparing = false;
  const listening = token.onCancellationRequested(() => preparing && conversations.stop(id));
  return askWithKeyPrompt(async (options) => {
    if (token.isCancellationRequested) return refuse({ kind: 'stopped' });
    preparing = true;
    const sent =
      before === undefined
        ? conversations.ask(id, question, options)
        : conversations.askAfter(id, before.exchangeId, question, options);
    return sent.finally(() => {
      preparing = false;
    });
  }).finally(() => listening.dispose());
}

const toTitle = (prompt: string): string =>
  toConversationTitle({ text: prompt, images: [] }, t('From the editor’s chat'));

/** Requests of other chats of the editor, over the active route, with the checks and the account of every turn. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { createTurn } from '../../chat/fold.ts';
import { newestOf, type OtherTool, toFunctionTools, toServiceMessages } from '../../chat/otherMessages.ts';
import { estimateParts, type OtherMessage } from '../../chat/otherParts.ts';
import { type ReplyCall, toReplyEnd } from '../../chat/otherReply.ts';
import { toPrefix } from '../../chat/prefix.ts';
import { createReasoningMemory } from '../../chat/reasoningMemory.ts';
import { runTurn } from '../../chat/run.ts';
import type { Turn } from '../../chat/turn.ts';
import { OTHER_CHATS } from '../../panel/usage.ts';
import { createClient } from '../../service/client.ts';
import { type BuiltRequest, buildRequest } from '../../service/request.ts';
import type { Usage } from '../../service/types.ts';
import { describeTurn, type Log } from '../base/log.ts';
import { readSettings, type Settings } from '../base/settings.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { type Access, findAccess, type PreparationDeps } from '../conversations/preparation.ts';
import type { CapGuard } from './capGuard.ts';
import { toRefusalError, toReplyError, toUnsupportedError } from './otherChatErrors.ts';

const t = vscode.l10n.t;

export interface OtherRequest {
  readonly messages: readonly OtherMessage[];
  readonly tools: readonly OtherTool[];
}

/** Gets text as it arrives. */
export interface OtherListener {
  answer(text: string): void;
  reasoning(text: string): void;
}

export interface OtherReply {
  readonly answer: string;
  readonly calls: readonly ReplyCall[];
  readonly usage: Usage | undefined;
}

export interface OtherChats {
  /**
   * Asks svc-k3. Throws errors in words for people, a LanguageModelError where one of its kinds fits, and a
   * CancellationError when the token was cancelled.
   */
  ask(request: OtherRequest, listener: OtherListener, token: vscode.CancellationToken): Promise<OtherReply>;
}

export interface OtherChatsDeps extends Pick<PreparationDeps, 'routes' | 'keys' | 'transports'> {
  readonly conversations: Pick<
    Conversations,
    'list' | 'get' | 'isRunning' | 'holder' | 'createAside' | 'append'
  >;
  readonly capGuard: CapGuard;
  readonly log: Log;
  /** Counts what a turn cost that is not kept. */
  spend(conversationId: string, turn: Turn): void;
}

export function createOtherChats(deps: OtherChatsDeps): OtherChats {
  // The only thing that requests share: what was reasoned before answers that come back without it.
  const memory = createReasoningMemory();
  return {
    async ask(request, listener, token) {
      const settings = readSettings();
      const access = await findAccess(deps, settings);
      if (!access.ok) throw toRefusalError(access.refusal);
      const { route } = access.active;
      // A route can be renamed; one that has another address or model is another service.
      const transcript = toServiceMessages(request.messages, memory, `${route.root} ${route.model}`);
      if (!transcript.ok) throw toUnsupportedError(transcript.unsupported);
      if (transcript.forgotten > 0)
        deps.log.warn(
          `another chat: ${transcript.forgotten} messages with tool calls go back as text: their reasoning is not known here`,
        );
      const built = buildRequest({
        model: route.model,
        routeKind: route.kind,
        messages: transcript.messages,
        maxCompletionTokens: settings.maxCompletionTokens,
        effort: settings.effort,
        tools: toFunctionTools(request.tools),
      });
      if (!built.ok) throw toRefusalError({ kind: 'request', problem: built.problem });
      const tokens = request.messages.reduce((sum, { parts }) => sum + estimateParts(parts), 0);
      const refusal = await deps.capGuard.check(settings, tokens);
      if (refusal !== undefined) throw toRefusalError(refusal);
      const turn = await run(deps, settings, access, built, listener, token);
      record(deps, settings, request, turn);
      if (turn.outcome === 'stopped') throw new vscode.CancellationError();
      const end = toReplyEnd(turn, new Set(request.tools.map(({ name }) => name)));
      if (!end.ok) throw toReplyError(turn, end.problem, settings.prices);
      memory.remember(transcript.next, turn);
      return { answer: turn.answer, calls: end.calls, usage: turn.usage };
    },
  };
}

async function run(
  deps: OtherChatsDeps,
  settings: Settings,
  { active: { route }, key }: Access,
  { request, warnings }: Extract<BuiltRequest, { ok: true }>,
  listener: OtherListener,
  token: vscode.CancellationToken,
): Promise<Turn> {
  const transport = await deps.transports.for(route).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw toRefusalError({ kind: 'transport', message });
  });
  const client = createClient({ transport, route, key, limits: settings.limits });
  if (token.isCancellationRequested) throw new vscode.CancellationError();
  const controller = new AbortController();
  const cancelling = token.onCancellationRequested(() => controller.abort());
  let turn = createTurn(randomUUID(), Date.now(), {
    routeName: route.name,
    routeKind: route.kind,
    model: route.model,
    maxCompletionTokens: request.max_completion_tokens,
    clampedFrom: warnings.find((warning) => warning.kind === 'budget-clamped')?.asked,
    effort: settings.effort,
    prompt: undefined,
    prefix: toPrefix(request),
  });
  try {
    const steps = runTurn({ client, now: () => performance.now() }, turn, request, controller.signal);
    for await (const { turn: now, appended } of steps) {
      turn = now;
      if (appended === undefined) continue;
      if (appended.reasoning !== '') listener.reasoning(appended.reasoning);
      if (appended.answer !== '') listener.answer(appended.answer);
    }
  } finally {
    cancelling.dispose();
  }
  deps.log.info(`another chat: ${describeTurn(turn)}`);
  return turn;
}

/** What was paid counts, whether the request is kept or not, and however it ended. */
function record(
  { conversations, spend }: OtherChatsDeps,
  settings: Settings,
  request: OtherRequest,
  turn: Turn,
): void {
  if (!settings.keepOtherChats) {
    spend(OTHER_CHATS, turn);
    return;
  }
  const day = new Date(turn.startedAt).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  const title = t('Other chats, {0}', day);
  // One that is answering, here or in another window, is left alone.
  const found = conversations
    .list()
    .find(
      (one) =>
        one.title === title &&
        conversations.get(one.id) !== undefined &&
        !conversations.isRunning(one.id) &&
        conversations.holder(one.id) === undefined,
    );
  const { id } = found ?? conversations.createAside(title);
  const question = { text: newestOf(request.messages), images: [], origin: undefined };
  conversations.append(id, { id: randomUUID(), question, attempts: [turn], shown: 0 });
}

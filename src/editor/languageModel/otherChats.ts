/** Answers requests of other chats in the editor. */
import * as vscode from 'vscode';
import { callIdsOf } from '../../conversation/otherChats/otherParts.ts';
import { otherModelsOf, type ReplyCall, toReplyEnd } from '../../conversation/otherChats/otherReply.ts';
import { withWireNames } from '../../conversation/otherChats/otherToolNames.ts';
import { createReasoningMemory } from '../../conversation/otherChats/reasoningMemory.ts';
import { createReplyText, hadNoOpeningTag } from '../../conversation/otherChats/replyText.ts';
import { toIds } from '../../conversation/toolCalls/planCalls.ts';
import { withWholeNames } from '../../conversation/toolCalls/toolCalls.ts';
import type { Turn } from '../../conversation/turn.ts';
import { OTHER_CHATS } from '../../panel/usage.ts';
import { type OtherRequest, toOtherChatContent } from '../../requests/otherChatRequest.ts';
import type { Turns } from '../../requests/turns.ts';
import type { Prices } from '../../service/prices.ts';
import type { Usage } from '../../service/types.ts';
import { withSignal } from '../base/cancellation.ts';
import type { Log } from '../base/log.ts';
import { showWarning } from '../base/notifications.ts';
import { joinSentences } from '../base/sentences.ts';
import { nextStep, noticeText, warningsOf } from '../cards/noticeText.ts';
import { readSettings } from '../settings/settings.ts';
import { type KeptChatsConversations, keepAnswer } from './keptChats.ts';
import { toRefusalError, toReplyError } from './otherChatErrors.ts';

const t = vscode.l10n.t;

/** Receives deltas as they arrive. */
export interface OtherListener {
  answer(text: string): void;
  reasoning(text: string): void;
}

/** The complete answer and tool calls of a turn. */
export interface OtherReply {
  readonly answer: string;
  readonly calls: readonly ReplyCall[];
  readonly usage: Usage | undefined;
}

export interface OtherChats {
  /**
   * Asks svc-k3. Throws errors with localized messages: a LanguageModelError where one of its kinds fits, and a
   * CancellationError when the token was cancelled.
   */
  ask(request: OtherRequest, listener: OtherListener, token: vscode.CancellationToken): Promise<OtherReply>;
}

export interface OtherChatsDeps {
  readonly turns: Pick<Turns, 'prepare'>;
  readonly conversations: KeptChatsConversations;
  readonly log: Pick<Log, 'warn'>;
}

export function createOtherChats({ turns, conversations, log }: OtherChatsDeps): OtherChats {
  // All requests share the remembered reasoning, which other chats don't send back with their answers, and the warnings that were
  // shown.
  const memory = createReasoningMemory();
  const warn = createWarning(log);
  /** The routes and models whose last complete answer had reasoning without an opening tag. */
  const untagged = new Set<string>();
  /** The combinations of route, requested model, and answering model about which an error was thrown. */
  const substituted = new Set<string>();

  async function answer(
    asked: OtherRequest,
    listener: OtherListener,
    signal: AbortSignal,
  ): Promise<OtherReply> {
    const { request, given } = withWireNames(asked);
    const { keepOtherChats, prices } = readSettings();
    const prepared = await turns.prepare(
      {
        asker: 'other-chat',
        countedAs: keepOtherChats ? undefined : OTHER_CHATS,
        begunAs: OTHER_CHATS,
        content: (settings, route, refused) => toOtherChatContent(request, memory, settings, route, refused),
      },
      signal,
    );
    if (signal.aborted) {
      if (prepared.ok) prepared.discard();
      throw new vscode.CancellationError();
    }
    if (!prepared.ok) throw toRefusalError(prepared.refusal);
    const { next, forgotten } = prepared.content;
    if (forgotten > 0)
      log.warn(
        `another chat: ${forgotten} messages with tool calls go back as text: their reasoning is not known here`,
      );
    const { root, model } = prepared.access.active.route;
    const place = JSON.stringify([root, model]);
    const addedBy = createReplyText(untagged.has(place));
    const ended = await prepared.run({
      signal,
      onStep(step) {
        const added = addedBy(step);
        if (added.reasoning !== '') listener.reasoning(added.reasoning);
        if (added.answer !== '') listener.answer(added.answer);
        if (hadNoOpeningTag(step)) untagged.add(place);
        else if (step.turn.outcome === 'complete') untagged.delete(place);
        if (step.turn.outcome !== undefined && keepOtherChats) keepAnswer(conversations, request, step.turn);
      },
    });
    if (ended.request.callsAsText === true) memory.refuse(next.route, 'bare-calls');
    if (ended.request.withoutReasoning === true) memory.refuse(next.route, 'reasoning');
    if (ended.request.documentedReasoning === true) memory.refuse(next.route, 'name');
    if (ended.outcome === 'stopped') throw new vscode.CancellationError();
    const offered = new Set(given.keys());
    const calls = withWholeNames(ended.toolCalls, offered);
    // The IDs differ from those of earlier calls, because the other chat matches results to calls by ID.
    const ids = toIds(calls, `call_${ended.id.slice(0, 8)}`, callIdsOf(request.messages));
    const toolCalls = calls.map((call, index) => ({ ...call, id: ids[index] ?? call.id }));
    const turn = { ...ended, toolCalls };
    // An error only the first time: a gateway that answers with another model mostly does so each time, and the chat would be unusable
    // on it.
    const answeredBy = JSON.stringify([place, turn.request.routeName, ...otherModelsOf(turn)]);
    const end = toReplyEnd(turn, offered, substituted.has(answeredBy));
    if (!end.ok && end.problem.why === 'model-substituted') substituted.add(answeredBy);
    if (!end.ok) throw toReplyError(turn, end.problem, prices);
    memory.remember(next, turn);
    warn(turn, prices);
    const named = end.calls.map((call) => ({ ...call, name: given.get(call.name) ?? call.name }));
    return { answer: turn.answer, calls: named, usage: turn.usage };
  }

  return {
    ask: (request, listener, token) => withSignal(token, (signal) => answer(request, listener, signal)),
  };
}

/**
 * Returns a function that shows the warnings about an answer that the other chat can use: such a chat has no place for them, and nobody
 * looks at the conversation of the day. Because a chat can send many requests, each warning of a route is shown once in this window, as
 * long as the route has the same address and model. It is logged every time.
 */
function createWarning(log: OtherChatsDeps['log']) {
  const shown = new Set<string>();
  return (turn: Turn, prices: Prices): void => {
    const { routeName, routePlace, model } = turn.request;
    for (const notice of warningsOf(turn)) {
      log.warn(`another chat: turn ${turn.id}: ${notice.code}`);
      const key = JSON.stringify([notice.code, routeName, routePlace, model]);
      // An error tells about another model.
      if (shown.has(key) || notice.code === 'model-substituted') continue;
      shown.add(key);
      const text = joinSentences([noticeText(notice, turn, prices), nextStep(notice, turn)]);
      void showWarning(t('Another chat received an answer from route “{0}”. {1}', routeName, text));
    }
  };
}

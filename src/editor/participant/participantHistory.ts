/** Finds the place where a request to `@k3` continues, from the history of its chat. */
import * as vscode from 'vscode';
import { findStopped, type StoppedChat } from '../../conversation/otherChats/stoppedChats.ts';
import { type ChatTurn, lastSurviving, misfitOf } from '../../conversation/otherChats/survivingTurns.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { PARTICIPANT } from './participantId.ts';

/** The exchange after which a request continues: the last one that the chat still has. */
export interface Continuation {
  readonly conversationId: string;
  readonly exchangeId: string;
}

/**
 * @param stopped the conversations of first requests that were stopped, the oldest first
 * @returns undefined if the request begins a conversation
 */
export function continuationOf(
  conversations: Pick<Conversations, 'get'>,
  history: vscode.ChatContext['history'],
  stopped: readonly StoppedChat[],
): Continuation | undefined {
  const turns = toShownTurns(history);
  const recorded = turns.findLast(({ conversationId }) => conversationId !== undefined);
  const first = turns[0]?.failed ? undefined : turns[0];
  const asked = turns.filter(({ failed }) => !failed);
  // Leaves out deleted conversations: one could hide another that looks the same.
  const found = stopped.flatMap((one) => {
    const conversation = conversations.get(one.conversationId);
    const misfit = conversation && misfitOf(conversation, asked);
    return misfit === undefined ? [] : [{ ...one, misfit }];
  });
  const least = Math.min(...found.map(({ misfit }) => misfit));
  const left = found.filter(({ misfit }) => misfit === least);
  const conversationId = recorded?.conversationId ?? (first && findStopped(left, first));
  const conversation = conversationId === undefined ? undefined : conversations.get(conversationId);
  const exchangeId = conversation && lastSurviving(conversation, turns);
  return conversation && exchangeId !== undefined
    ? { conversationId: conversation.id, exchangeId }
    : undefined;
}

/** The ID of the conversation of the last answer in a chat, if it can't be found. Undefined if it can, or if the chat has no answers. */
export function missingIn(
  conversations: Pick<Conversations, 'get'>,
  history: vscode.ChatContext['history'],
): string | undefined {
  const last = toShownTurns(history).findLast(({ conversationId }) => conversationId !== undefined);
  const id = last?.conversationId;
  return id === undefined || conversations.get(id) !== undefined ? undefined : id;
}

interface ShownTurn extends ChatTurn {
  /** The text of the answer that the chat shows. */
  readonly text: string;
  /** Whether the chat shows an error instead of an answer, or below it. */
  readonly failed: boolean;
}

const textOf = (response: vscode.ChatResponseTurn | undefined): string =>
  (response?.response ?? [])
    .flatMap((part) => (part instanceof vscode.ChatResponseMarkdownPart ? [part.value.value] : []))
    .join('');

/** The requests in the history of a chat that K3 has answered, with their responses and the metadata of the results. */
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

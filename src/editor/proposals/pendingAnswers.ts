/**
 * Stores for which answers a proposal or findings are being made, for example while the user is asked about a file. If the window is
 * reloaded meanwhile, the next one makes them.
 */
import { hostname } from 'node:os';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { type PendingAnswer, pendingAnswer } from '../../review/proposals/pendingAnswer.ts';
import { tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { isSameProcess, processStartOf } from '../base/processStart.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';

export interface PendingAnswers {
  begin(turn: Pick<PendingAnswer, 'turnId' | 'conversationId'>): void;
  end(turnId: string): void;
  /** The answers for which no window is making anything, as far as other windows have stored that. */
  left(): readonly PendingAnswer[];
  /** Releases the answers of this window to the next one. */
  leave(): void;
}

/** The number of entries to keep. The latest are kept, because the conversations of earlier ones may be gone. */
const MAX = 20;

/**
 * Creates the store.
 *
 * @param key the name under which it is stored
 * @param own the ID of this process
 * @param here the name of this machine; processes of other machines can't be checked
 * @param began the start time of this process
 */
export function createPendingAnswers(
  key: 'k3.pendingProposals' | 'k3.pendingFindings',
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
  own: number = process.pid,
  here: string = hostname(),
  began: string = processStartOf(own),
): PendingAnswers {
  const read = (): readonly PendingAnswer[] => tryDecode(v.array(pendingAnswer), state.get(key)) ?? [];
  let all = read();
  function put(next: readonly PendingAnswer[]): void {
    all = next.slice(-MAX);
    inBackground(log, state.update(key, all), 'saving which answers are being read');
  }
  const isOwn = ({ process, machine }: PendingAnswer) => process === own && machine === here;
  const without = (turnId: string) => all.filter((one) => one.turnId !== turnId);
  return {
    begin: ({ turnId, conversationId }) =>
      put([...without(turnId), { turnId, conversationId, process: own, start: began, machine: here }]),
    end: (turnId) => put(without(turnId)),
    left() {
      all = read();
      return all.filter(
        ({ process = own, start = '', machine = here }) =>
          machine === here && (process === own || !isSameProcess(process, start)),
      );
    },
    leave() {
      if (all.some(isOwn))
        put(
          all.map((one) => (isOwn(one) ? { turnId: one.turnId, conversationId: one.conversationId } : one)),
        );
    },
  };
}

export interface LeftDeps {
  readonly conversations: Pick<Conversations, 'find' | 'get' | 'isUnread' | 'onDidChange'>;
  readonly pending: Pick<PendingAnswers, 'left'>;
}

/**
 * Calls a function with each answer that another window has left.
 *
 * @returns a disposable that stops waiting for conversations that can't be read yet, for example while another program has
 * locked the database
 */
export function takeLeft(
  { conversations, pending }: LeftDeps,
  take: (found: Found) => void,
): vscode.Disposable {
  /** The IDs of the conversations that can't be read yet, by the IDs of their turns. */
  const unread = new Map<string, string>();
  function find(turnId: string, conversationId: string): void {
    unread.delete(turnId);
    // Loads the conversation, so that `find` finds the turn.
    conversations.get(conversationId);
    const found = conversations.find(turnId);
    if (found === undefined && conversations.isUnread(conversationId)) unread.set(turnId, conversationId);
    // Another window that started at the same time may have taken it.
    if (found !== undefined && pending.left().some((one) => one.turnId === turnId)) take(found);
  }
  for (const { turnId, conversationId } of pending.left()) find(turnId, conversationId);
  return conversations.onDidChange((change) => {
    if (change.type === 'replaced')
      for (const [turnId, id] of [...unread]) if (id === change.conversationId) find(turnId, id);
  });
}

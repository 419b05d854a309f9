/**
 * The answers of which proposals are being made, such as while the user is asked about a file. A window that is reloaded meanwhile
 * makes them again.
 */
import { hostname } from 'node:os';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { type PendingProposal, pendingProposal } from '../../review/proposals/pendingProposal.ts';
import { tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { isSameProcess, processStartOf } from '../base/processStart.ts';

export interface PendingProposals {
  begin(turn: Pick<PendingProposal, 'turnId' | 'conversationId'>): void;
  end(turnId: string): void;
  /** Those that no window makes, as far as other windows have said so by now. */
  left(): readonly PendingProposal[];
  /** Leaves those that this window makes to the next one. */
  leave(): void;
}

const KEY = 'k3.pendingProposals';
/** The last ones are kept: the conversations of others may be gone. */
const MAX = 20;

/**
 * @param own the number of this process
 * @param here the name of this machine: that of another one can't be looked for
 * @param began when this process began
 */
export function createPendingProposals(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
  own: number = process.pid,
  here: string = hostname(),
  began: string = processStartOf(own),
): PendingProposals {
  const read = (): readonly PendingProposal[] => tryDecode(v.array(pendingProposal), state.get(KEY)) ?? [];
  let all = read();
  function put(next: readonly PendingProposal[]): void {
    all = next.slice(-MAX);
    inBackground(log, state.update(KEY, all), 'saving which proposals are being made');
  }
  const isOwn = ({ process, machine }: PendingProposal) => process === own && machine === here;
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

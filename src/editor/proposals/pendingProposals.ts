/**
 * Stores for which answers proposals are being created, for example while the user is asked about a file. If the window is reloaded
 * meanwhile, they are created again.
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
  /** The proposals that no window is creating, as far as other windows have stored that. */
  left(): readonly PendingProposal[];
  /** Releases the proposals that this window is creating to the next window. */
  leave(): void;
}

const KEY = 'k3.pendingProposals';
/** The number of entries to keep. The latest are kept, because the conversations of earlier ones may be gone. */
const MAX = 20;

/**
 * Creates the store.
 *
 * @param own the ID of this process
 * @param here the name of this machine; processes of other machines can't be checked
 * @param began the start time of this process
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

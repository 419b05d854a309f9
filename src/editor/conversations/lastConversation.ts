import * as v from 'valibot';
import type * as vscode from 'vscode';
import { tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';

const KEY = 'k3.openConversation';

/** The ID of the last open conversation of this workspace, which is opened again after a reload. */
export interface LastConversation {
  get(): string | undefined;
  set(conversationId: string): void;
}

export function createLastConversation(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): LastConversation {
  return {
    get: () => tryDecode(v.string(), state.get<unknown>(KEY)),
    set: (conversationId) =>
      inBackground(log, state.update(KEY, conversationId), 'saving which conversation is open'),
  };
}

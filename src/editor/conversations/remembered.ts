import * as v from 'valibot';
import type * as vscode from 'vscode';
import { tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';

const KEY = 'k3.openConversation';

/** The conversation that this workspace had open last, so that a reload comes back to it. */
export interface Remembered {
  get(): string | undefined;
  set(conversationId: string): void;
}

export function createRemembered(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): Remembered {
  return {
    get: () => tryDecode(v.string(), state.get<unknown>(KEY)),
    set: (conversationId) =>
      inBackground(log, state.update(KEY, conversationId), 'remembering the open conversation'),
  };
}

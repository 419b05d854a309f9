import * as v from 'valibot';
import type * as vscode from 'vscode';
import { type Decoder, tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';

const KEY = 'k3.instructionsLeftOut';
/** The most conversations that are saved. The latest ones are kept. */
const MAX_CONVERSATIONS = 200;

const ids: Decoder<readonly string[]> = v.array(v.string());

/** The conversations from which the user removed the instructions. It survives a reload. */
export interface LeftOut {
  has(conversationId: string): boolean;
  set(conversationId: string, leftOut: boolean): void;
}

export function createLeftOut(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): LeftOut {
  let all = tryDecode(ids, state.get<unknown>(KEY)) ?? [];
  return {
    has: (conversationId) => all.includes(conversationId),
    set(conversationId, leftOut) {
      const others = all.filter((id) => id !== conversationId);
      all = (leftOut ? [...others, conversationId] : others).slice(-MAX_CONVERSATIONS);
      inBackground(log, state.update(KEY, all), 'saving where instructions are left out');
    },
  };
}

import type * as vscode from 'vscode';
import type { AnswerFormat } from '../../chat/answerFormat.ts';
import { answerFormat } from '../../history/questionDecoders.ts';
import { decode, describeWrong, someObject, tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';

const KEY = 'k3.answerFormats';
/** Conversations whose choice survives a reload, the latest ones. */
const MOST = 50;

/** The form of answers that was chosen in each conversation, over a reload. */
export interface ChosenFormats {
  get(conversationId: string): AnswerFormat | undefined;
  set(conversationId: string, format: AnswerFormat | undefined): void;
}

export function createChosenFormats(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): ChosenFormats {
  const chosen = new Map<string, AnswerFormat>(
    Object.entries(tryDecode(someObject, state.get<unknown>(KEY)) ?? {}).flatMap(([id, stored]) => {
      const decoded = decode(answerFormat, stored);
      if (decoded.ok) return [[id, decoded.value]];
      log.warn(`an answer format that was chosen cannot be read: ${describeWrong(decoded.wrong)}`);
      return [];
    }),
  );
  return {
    get: (conversationId) => chosen.get(conversationId),
    set(conversationId, format) {
      chosen.delete(conversationId);
      if (format !== undefined) chosen.set(conversationId, format);
      for (const id of [...chosen.keys()].slice(0, -MOST)) chosen.delete(id);
      inBackground(log, state.update(KEY, Object.fromEntries(chosen)), 'keeping the answer formats');
    },
  };
}

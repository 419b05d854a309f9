import type * as vscode from 'vscode';
import type { AnswerFormat } from '../../conversation/answerFormats/answerFormat.ts';
import { answerFormat } from '../../history/questionDecoders.ts';
import { decode, describeWrong, someObject, tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';

const KEY = 'k3.answerFormats';
/** The most conversations whose answer format is saved. The latest ones are kept. */
const MAX_CONVERSATIONS = 50;

/** The answer format that the user chose in each conversation. It survives a reload. */
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
      log.warn(`a saved answer format can't be read: ${describeWrong(decoded.wrong)}`);
      return [];
    }),
  );
  return {
    get: (conversationId) => chosen.get(conversationId),
    set(conversationId, format) {
      chosen.delete(conversationId);
      if (format !== undefined) chosen.set(conversationId, format);
      for (const id of [...chosen.keys()].slice(0, -MAX_CONVERSATIONS)) chosen.delete(id);
      inBackground(log, state.update(KEY, Object.fromEntries(chosen)), 'saving the answer formats');
    },
  };
}

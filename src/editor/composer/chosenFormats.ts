import type * as vscode from 'vscode';
import type { AnswerFormat } from '../../chat/answerFormat.ts';
import { tryDecode } from '../../decode/decode.ts';
import { answerFormat } from '../../history/questionForm.ts';

const KEY = 'k3.answerFormats';
/** Conversations whose choice survives a reload, the latest ones. */
const MOST = 50;

/** The form of answers that was chosen in each conversation, over a reload. */
export interface ChosenFormats {
  get(conversationId: string): AnswerFormat | undefined;
  set(conversationId: string, format: AnswerFormat | undefined): void;
}

export function createChosenFormats(state: Pick<vscode.Memento, 'get' | 'update'>): ChosenFormats {
  const chosen = new Map<string, AnswerFormat>(
    Object.entries(state.get<Readonly<Record<string, unknown>>>(KEY) ?? {}).flatMap(([id, stored]) => {
      const format = tryDecode(answerFormat, stored);
      return format === undefined ? [] : [[id, format]];
    }),
  );
  return {
    get: (conversationId) => chosen.get(conversationId),
    set(conversationId, format) {
      chosen.delete(conversationId);
      if (format !== undefined) chosen.set(conversationId, format);
      for (const id of [...chosen.keys()].slice(0, -MOST)) chosen.delete(id);
      void state.update(KEY, Object.fromEntries(chosen));
    },
  };
}

import * as vscode from 'vscode';
import type { AnswerFormat } from '../../conversation/answerFormats/answerFormat.ts';
import { answerFormat } from '../../history/questionDecoders.ts';
import { decode, describeWrong, someObject, tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { isSame } from '../storage/merged.ts';

const KEY = 'k3.answerFormats';
/** The most conversations whose answer format is saved. The latest ones are kept. */
const MAX_CONVERSATIONS = 50;

/** The answer format that the user chose in each conversation. It survives a reload. */
export interface ChosenFormats {
  get(conversationId: string): AnswerFormat | undefined;
  set(conversationId: string, format: AnswerFormat | undefined): void;
}

/** Answer formats that can be read again, because another window may have changed them. */
export interface StoredFormats extends ChosenFormats {
  /** Reads the formats again. Returns the IDs of the conversations whose format has changed. */
  readAgain(): readonly string[];
}

export function createChosenFormats(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): StoredFormats {
  const read = () =>
    new Map<string, AnswerFormat>(
      Object.entries(tryDecode(someObject, state.get<unknown>(KEY)) ?? {}).flatMap(([id, stored]) => {
        const decoded = decode(answerFormat, stored);
        if (decoded.ok) return [[id, decoded.value]];
        log.warn(`a saved answer format can't be read: ${describeWrong(decoded.wrong)}`);
        return [];
      }),
    );
  let chosen = read();
  return {
    get: (conversationId) => chosen.get(conversationId),
    set(conversationId, format) {
      chosen.delete(conversationId);
      if (format !== undefined) chosen.set(conversationId, format);
      for (const id of [...chosen.keys()].slice(0, -MAX_CONVERSATIONS)) chosen.delete(id);
      inBackground(log, state.update(KEY, Object.fromEntries(chosen)), 'saving the answer formats');
    },
    readAgain() {
      const before = chosen;
      chosen = read();
      const ids = [...new Set([...before.keys(), ...chosen.keys()])];
      return ids.filter((id) => !isSame(before.get(id), chosen.get(id)));
    },
  };
}

/**
 * Reads what another window has chosen when this window gets the focus.
 *
 * @param changed called with the ID of each conversation whose format has changed
 */
export const followFormats = (
  formats: StoredFormats,
  changed: (conversationId: string) => void,
): vscode.Disposable =>
  vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) for (const id of formats.readAgain()) changed(id);
  });

/** What is written for edits and not sent, for when the window is reloaded, or an edit makes way for another one: their threads are gone then. */
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import type { Edit } from './editList.ts';

const KEY = 'k3.editDrafts';
/** The number of files that are kept, the last ones. */
const MAX_FILES = 20;

export interface KeptDrafts {
  /** What is left for a document by an earlier edit, also since before the window was reloaded. Empty if nothing is, or it was taken. */
  take(uri: vscode.Uri): string;
  /** Leaves what isn't sent of an edit for the next one in its file. */
  leave(edit: Edit): void;
  /** Keeps what isn't sent of the edits that are open. */
  keep(edits: readonly Edit[]): void;
}

export function createKeptDrafts(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): KeptDrafts {
  const left = new Map(Object.entries(tryDecode(v.record(v.string(), v.string()), state.get(KEY)) ?? {}));
  let kept = JSON.stringify([...left]);
  return {
    take(uri) {
      const text = left.get(uri.toString()) ?? '';
      left.delete(uri.toString());
      return text;
    },
    leave: (edit) => add(left, edit),
    keep(edits) {
      const now = new Map(left);
      for (const edit of edits) add(now, edit);
      const all = [...now].slice(-MAX_FILES);
      if (JSON.stringify(all) === kept) return;
      kept = JSON.stringify(all);
      inBackground(log, state.update(KEY, Object.fromEntries(all)), 'saving what is written for edits');
    },
  };
}

/** Adds what isn't sent of an edit to what is left for its file already. */
function add(texts: Map<string, string>, edit: Edit): void {
  const uri = edit.uri.toString();
  const text = joinDrafts([texts.get(uri) ?? '', unsentOf(edit)]);
  if (text !== '') texts.set(uri, text);
}

/** The words of the questions that were not sent, also those that wait for an answer, and those in the box. */
const unsentOf = ({ steps, draft }: Edit): string =>
  joinDrafts([...steps.map(({ state, words }) => (state.kind === 'sent' ? '' : words)), draft]);

/** Several texts as one, each in its own paragraph. */
export const joinDrafts = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n');

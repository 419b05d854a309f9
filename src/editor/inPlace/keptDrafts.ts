/** What is written for edits and not sent, for when the window is reloaded, or an edit makes way for another one: their threads are gone then. */
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { renamedUri } from '../../review/fileChanges.ts';
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
  /** The URIs of the documents for which something is left. */
  uris(): readonly string[];
  /** A file or folder has another name now, also in the edits that are open. */
  rename(from: string, to: string, edits: readonly Edit[]): void;
}

export function createKeptDrafts(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): KeptDrafts {
  const left = new Map(Object.entries(tryDecode(v.record(v.string(), v.string()), state.get(KEY)) ?? {}));
  let kept = JSON.stringify([...left]);
  const add = (texts: Map<string, string>, uri: string, more: string) => {
    const text = joinDrafts([texts.get(uri) ?? '', more]);
    if (text !== '') texts.set(uri, text);
  };

  function keep(edits: readonly Edit[]): void {
    const all = new Map(left);
    // One that was opened for a command hasn't taken what is left for its document.
    for (const edit of edits) add(all, edit.uri.toString(), unsentOf(edit));
    const last = [...all].slice(-MAX_FILES);
    if (JSON.stringify(last) === kept) return;
    kept = JSON.stringify(last);
    inBackground(log, state.update(KEY, Object.fromEntries(last)), 'saving what is written for edits');
  }

  return {
    take(uri) {
      const text = left.get(uri.toString()) ?? '';
      left.delete(uri.toString());
      return text;
    },
    leave: (edit) => add(left, edit.uri.toString(), unsentOf(edit)),
    keep,
    uris: () => [...left.keys()],
    rename(from, to, edits) {
      for (const [uri, text] of [...left]) {
        const now = renamedUri(uri, from, to);
        if (now === undefined) continue;
        left.delete(uri);
        add(left, now, text);
      }
      keep(edits);
    },
  };
}

/** The words of the questions that were not sent, also those that wait for an answer, and those in the box. */
const unsentOf = ({ steps, draft }: Edit): string =>
  joinDrafts([...steps.map(({ state, words }) => (state.kind === 'sent' ? '' : words)), draft]);

/** Several texts as one, each in its own paragraph. */
export const joinDrafts = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n');

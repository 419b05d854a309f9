/** What is written for edits and not sent, for when the window is reloaded, or an edit makes way for another one: their threads are gone then. */
import { randomUUID } from 'node:crypto';
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
  /** The URIs of the documents for which something is left. */
  uris(): readonly string[];
  /** What is left for documents is for those with other URIs now, also for several that exchange theirs. @param edits those that are open */
  move(now: (uri: string) => string | undefined, edits: readonly Edit[]): void;
}

export function createKeptDrafts(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): KeptDrafts {
  /** By their names. Other windows write for the same files: those of this window have a name of their own. */
  const stored = () => tryDecode(v.record(v.string(), v.string()), state.get(KEY)) ?? {};
  const left = new Map(Object.entries(stored()));
  /** What was taken of other windows and may still be stored. */
  const gone = new Map<string, string>();
  const session = randomUUID();
  const nameOf = (uri: string) => `${session} ${uri}`;
  let kept = JSON.stringify([...left]);
  const add = (texts: Map<string, string>, name: string, more: string) => {
    const text = joinDrafts([texts.get(name) ?? '', more]);
    if (text !== '') texts.set(name, text);
  };

  /** The windows that wrote the others may have sent or changed them since. */
  function readAgain(): void {
    const isOwn = (name: string) => name.startsWith(session);
    for (const name of left.keys()) if (!isOwn(name)) left.delete(name);
    for (const [name, text] of Object.entries(stored()))
      if (!isOwn(name) && gone.get(name) !== text) left.set(name, text);
  }

  function keep(edits: readonly Edit[]): void {
    const all = new Map(left);
    // One that was opened for a command hasn't taken what is left for its document.
    for (const edit of edits) add(all, nameOf(edit.uri.toString()), unsentOf(edit));
    const last = [...all].slice(-MAX_FILES);
    if (JSON.stringify(last) === kept) return;
    kept = JSON.stringify(last);
    inBackground(log, state.update(KEY, Object.fromEntries(last)), 'saving what is written for edits');
  }

  return {
    take(uri) {
      readAgain();
      const taken = [...left].filter(([name]) => uriIn(name) === uri.toString());
      for (const [name, text] of taken) {
        left.delete(name);
        gone.set(name, text);
      }
      return joinDrafts(taken.map(([, text]) => text));
    },
    leave: (edit) => add(left, nameOf(edit.uri.toString()), unsentOf(edit)),
    keep,
    uris: () => [...new Set([...left.keys()].map(uriIn))],
    move(nowOf, edits) {
      const moved = [...left].flatMap(([name, text]) => {
        const now = nowOf(uriIn(name));
        return now === undefined ? [] : [{ name, now, text }];
      });
      for (const { name } of moved) left.delete(name);
      for (const { now, text } of moved) add(left, nameOf(now), text);
      keep(edits);
    },
  };
}

/** An earlier version had no more than the URI, in which spaces are encoded. */
const uriIn = (name: string): string => name.slice(name.indexOf(' ') + 1);

/** The words of the questions that were not sent, also those that wait for an answer, and those in the box. */
const unsentOf = ({ steps, draft }: Edit): string =>
  joinDrafts([...steps.map(({ state, words }) => (state.kind === 'sent' ? '' : words)), draft]);

/** Several texts as one, each in its own paragraph. */
export const joinDrafts = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n');

/** What is written for edits and not sent, for when the window is reloaded, or an edit makes way for another one: their threads are gone then. */
import { randomUUID } from 'node:crypto';
import { hostname, uptime } from 'node:os';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { type CellMark, markedText } from '../../review/proposals/renumberedCells.ts';
import { tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { isSameProcess, processStartOf } from '../base/processStart.ts';
import type { Edit } from './editList.ts';

const KEY = 'k3.editDrafts';
/** The number of files that are kept of this window and of those that are closed, the last ones. */
const MAX_FILES = 20;

export interface KeptDrafts {
  /**
   * What is left for a document by an earlier edit, also since before the window was reloaded, or by a window that is closed. Empty if
   * nothing is, or it was taken.
   */
  take(uri: vscode.Uri): string;
  /** Leaves what isn't sent of an edit for the next one in its file. */
  leave(edit: Edit): void;
  /** Keeps what isn't sent of the edits that are open. @param closing a notebook that was just closed */
  keep(edits: readonly Edit[], closing?: vscode.NotebookDocument): void;
  /** The URIs of the documents for which something is left. */
  uris(): readonly string[];
  /** What is left for documents is for those with other URIs now, also for several that exchange theirs. @param edits those that are open */
  move(now: (uri: string) => string | undefined, edits: readonly Edit[]): void;
  /** Leaves what is left in this window, which is closing, to the others. */
  release(): void;
}

/** Finds cells: a window that was killed could not say where they are, and the next one counts them anew. */
export interface DraftCells {
  markOf(uri: string, closing?: vscode.NotebookDocument): CellMark | undefined;
  /** The URI that a cell has here. */
  uriHere(marked: { readonly uri: string; readonly cell: CellMark }): string | undefined;
}

const NO_CELLS: DraftCells = { markOf: () => undefined, uriHere: () => undefined };

/**
 * @param own the number of this process
 * @param machine where it runs: a home folder can be that of several
 * @param start when it began
 */
export function createKeptDrafts(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
  cells: DraftCells = NO_CELLS,
  own: number = process.pid,
  machine: string = hostname(),
  start: string = processStartOf(own),
): KeptDrafts {
  /** Of those in cells, as they were stored last. */
  const marks = new Map<string, CellMark>();
  /** By their names. Other windows write for the same files: those of this window have a name of their own. */
  function stored(): Readonly<Record<string, string>> {
    const all = tryDecode(v.record(v.string(), markedText), state.get(KEY)) ?? {};
    return Object.fromEntries(
      Object.entries(all).map(([name, one]) => {
        if (typeof one === 'string') return [name, one];
        marks.set(name, one.cell);
        return [name, one.text];
      }),
    );
  }
  const left = new Map(Object.entries(stored()));
  /** What was taken of other windows and may still be stored. */
  const gone = new Map<string, string>();
  const session = start === '' ? randomUUID() : `${randomUUID()}.${start}`;
  const here = machine.replace(/[^\w-]/g, '-');
  const owner = `${session}_${own}_${Date.now()}_${here}`;
  const nameOf = (uri: string) => `${owner} ${uri}`;
  const isOwn = (name: string) => name.startsWith(session);
  let kept = JSON.stringify([...left]);
  const add = (texts: Map<string, string>, name: string, more: string) => {
    const text = joinDrafts([texts.get(name) ?? '', more]);
    if (text !== '') texts.set(name, text);
  };

  /** The windows that wrote the others may have sent or changed them since. */
  function readAgain(): void {
    for (const name of left.keys()) if (!isOwn(name)) left.delete(name);
    for (const [name, text] of Object.entries(stored()))
      if (!isOwn(name) && gone.get(name) !== text) left.set(name, text);
  }

  /** Another window has it in a box. One of another machine is not known to be open. */
  function isOpen(name: string): boolean {
    const [, began = '', process, since, there] = OWNER.exec(name) ?? [];
    // Another process can have the number since the machine was started again.
    const isEarlier = Date.now() - Number(since) > uptime() * 1000;
    return there === here && Number(process) !== own && !isEarlier && isSameProcess(Number(process), began);
  }

  /** With its mark. What this window has written is at its cell, which has another place by now. */
  function toStored(name: string, text: string, closing?: vscode.NotebookDocument): unknown {
    const now = isOwn(name) ? cells.markOf(uriIn(name), closing) : undefined;
    if (now !== undefined) marks.set(name, now);
    const cell = marks.get(name);
    return cell === undefined ? text : { text, cell };
  }

  /** The URI that its document has here. That of one whose window was closed follows its cell. */
  function uriOf(name: string): string {
    const [uri, cell] = [uriIn(name), marks.get(name)];
    const isLost = cell !== undefined && !isOwn(name) && OWNER.test(name);
    return isLost ? (cells.uriHere({ uri, cell }) ?? uri) : uri;
  }

  function keep(
    edits: readonly Edit[],
    closing?: vscode.NotebookDocument,
    toName = (name: string) => name,
  ): void {
    const all = new Map(left);
    // One that was opened for a command hasn't taken what is left for its document.
    for (const edit of edits) add(all, nameOf(edit.uri.toString()), unsentOf(edit));
    const closed = [...all.keys()].filter((name) => !isOpen(name));
    for (const name of closed.slice(0, -MAX_FILES)) all.delete(name);
    const last = [...all].map(([name, text]) => [toName(name), toStored(name, text, closing)] as const);
    if (JSON.stringify(last) === kept) return;
    kept = JSON.stringify(last);
    inBackground(log, state.update(KEY, Object.fromEntries(last)), 'saving what is written for edits');
  }

  return {
    take(uri) {
      readAgain();
      const taken = [...left].filter(([name]) => uriOf(name) === uri.toString() && !isOpen(name));
      for (const [name, text] of taken) {
        left.delete(name);
        gone.set(name, text);
      }
      return joinDrafts(taken.map(([, text]) => text));
    },
    leave: (edit) => add(left, nameOf(edit.uri.toString()), unsentOf(edit)),
    keep: (edits, closing) => keep(edits, closing),
    uris: () => [...new Set([...left.keys()].map(uriIn))],
    move(nowOf, edits) {
      readAgain();
      const moved = [...left].flatMap(([name, text]) => {
        const uri = uriIn(name);
        const now = nowOf(uri);
        // A window that is open does it itself.
        if (now === undefined || isOpen(name)) return [];
        // A cell that is open here has this URI. One of a notebook that is renamed while it is closed is found later.
        const cell = cells.markOf(now) === undefined ? marks.get(name) : undefined;
        // Under the same name in all windows that do it, so that it is there once.
        return [{ name, next: name.slice(0, -uri.length) + now, text, cell }];
      });
      for (const { name } of moved) {
        left.delete(name);
        marks.delete(name);
      }
      for (const { next, text, cell } of moved) {
        add(left, next, text);
        if (cell !== undefined) marks.set(next, cell);
      }
      keep(edits);
    },
    release: () => keep([], undefined, (name) => name.replace(owner, session)),
  };
}

/** When the process that has it began, its number, when its window began, and the machine. */
const OWNER = /^[^ _.]+(?:\.(\d+))?_(\d+)_(\d+)_(\S+) /;

/** An earlier version had no more than the URI, in which spaces are encoded. */
const uriIn = (name: string): string => name.slice(name.indexOf(' ') + 1);

/** The words of the questions that were not sent, also those that wait for an answer, and those in the box. */
const unsentOf = ({ steps, draft }: Edit): string =>
  joinDrafts([...steps.map(({ state, words }) => (state.kind === 'sent' ? '' : words)), draft]);

/** Several texts as one, each in its own paragraph. */
export const joinDrafts = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n');

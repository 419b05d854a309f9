/**
 * Keeps the unsent text of edits, because their threads are gone when the window is reloaded, or when an edit is replaced by another
 * one.
 */
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
/** The number of files to keep, of this window and of closed ones. The latest are kept. */
const MAX_FILES = 20;

export interface KeptDrafts {
  /**
   * Takes the text that an earlier edit has left for a document, also before a reload or in a window that is now closed. Empty if
   * there is none, or if it was already taken.
   */
  take(uri: vscode.Uri): string;
  /** Keeps the unsent text of an edit for the next one in its file. */
  leave(edit: Edit): void;
  /** Keeps only the words of questions that were entered and not sent: the user can have stopped to change them. */
  leaveEntered(edit: Edit): void;
  /**
   * Stores the unsent text of the open edits.
   *
   * @param closing a notebook that was just closed
   */
  keep(edits: readonly Edit[], closing?: vscode.NotebookDocument): void;
  /** The URIs of the documents for which text is kept. */
  uris(): readonly string[];
  /**
   * Moves the text for documents that have new URIs. All move at once, because documents can exchange their URIs.
   *
   * @param edits the open edits
   */
  move(now: (uri: string) => string | undefined, edits: readonly Edit[]): void;
  /** Releases the kept text of this window, which is closing, to other windows. */
  release(): void;
}

/** Finds cells. A killed window couldn't store where its cells are, and the next window gives them other URIs. */
export interface DraftCells {
  markOf(uri: string, closing?: vscode.NotebookDocument): CellMark | undefined;
  /** The URI of a cell in this window. */
  uriHere(marked: { readonly uri: string; readonly cell: CellMark }): string | undefined;
}

const NO_CELLS: DraftCells = { markOf: () => undefined, uriHere: () => undefined };

/**
 * Creates the store.
 *
 * @param own the ID of this process
 * @param machine the name of this machine, because several machines can share a home folder
 * @param start the start time of this process
 */
export function createKeptDrafts(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
  cells: DraftCells = NO_CELLS,
  own: number = process.pid,
  machine: string = hostname(),
  start: string = processStartOf(own),
): KeptDrafts {
  /** The last stored marks of the cells, by the names of their texts. */
  const marks = new Map<string, CellMark>();
  /** The stored texts, by name. A name contains the window and the URI, because several windows can write for the same file. */
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
  /** Texts that were taken from other windows and may still be stored. */
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

  /** Reads the texts of other windows again, because these may have sent or changed them. */
  function readAgain(): void {
    for (const name of left.keys()) if (!isOwn(name)) left.delete(name);
    for (const [name, text] of Object.entries(stored()))
      if (!isOwn(name) && gone.get(name) !== text) left.set(name, text);
  }

  /** Whether another window has a text in a box. A window on another machine doesn't count, because it isn't known to be open. */
  function isOpen(name: string): boolean {
    const [, began = '', process, since, there] = OWNER.exec(name) ?? [];
    // After a restart of the machine, another process can have the same ID.
    const isEarlier = Date.now() - Number(since) > uptime() * 1000;
    return there === here && Number(process) !== own && !isEarlier && isSameProcess(Number(process), began);
  }

  /** The stored form of a text, with the mark of its cell. For a text of this window, the mark is the current place of the cell. */
  function toStored(name: string, text: string, closing?: vscode.NotebookDocument): unknown {
    const now = isOwn(name) ? cells.markOf(uriIn(name), closing) : undefined;
    if (now !== undefined) marks.set(name, now);
    const cell = marks.get(name);
    return cell === undefined ? text : { text, cell };
  }

  /** The URI of a text's document in this window. For a text of a closed window, the cell is looked for. */
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
    // An edit that was opened for a command hasn't taken the text that is kept for its document, so both are joined.
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
    leaveEntered: (edit) => add(left, nameOf(edit.uri.toString()), joinDrafts(notSentIn(edit))),
    keep: (edits, closing) => keep(edits, closing),
    uris: () => [...new Set([...left.keys()].map(uriIn))],
    move(nowOf, edits) {
      readAgain();
      const moved = [...left].flatMap(([name, text]) => {
        const uri = uriIn(name);
        const now = nowOf(uri);
        // An open window moves its own texts.
        if (now === undefined || isOpen(name)) return [];
        // A cell that is open here has the new URI, so it needs no mark. A cell of a notebook that was renamed while closed is found
        // later.
        const cell = cells.markOf(now) === undefined ? marks.get(name) : undefined;
        // The name is the same in all windows that move the text, so that it is stored once.
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

/** Matches the start time of the owning process, its ID, the start time of its window, and the machine. */
const OWNER = /^[^ _.]+(?:\.(\d+))?_(\d+)_(\d+)_(\S+) /;

/** The URI in a name. In earlier versions, the name is only the URI, in which spaces are encoded. */
const uriIn = (name: string): string => name.slice(name.indexOf(' ') + 1);

/** The words of questions that were refused, were stopped, or are waiting. */
const notSentIn = ({ steps }: Edit): readonly string[] =>
  steps.map(({ state, words }) => (state.kind === 'sent' ? '' : words));

/** The unsent text of an edit, with the text in the box. */
const unsentOf = (edit: Edit): string => joinDrafts([...notSentIn(edit), edit.draft]);

/** Joins texts, each in its own paragraph. */
export const joinDrafts = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n');

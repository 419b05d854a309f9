/**
 * Lists and records of a workspace with one file for each item, so that a window doesn't overwrite the items of another one. In the
 * editor's workspace state, each window has its own copy from when it was opened, and its updates replace the whole state.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { answerFormat } from '../../history/questionDecoders.ts';
import { decodeRemarks } from '../../review/comments/keptRemarks.ts';
import { decodeSent } from '../../review/comments/sentRemarks.ts';
import { decodeStoredReviews } from '../../review/findings/storedFindings.ts';
import { pendingAnswer } from '../../review/proposals/pendingAnswer.ts';
import { closedCells, markedText } from '../../review/proposals/renumberedCells.ts';
import { type Decoder, someObject, tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { createItemFiles, type ItemFiles, type StoredItem } from './itemFiles.ts';
import { isSame, merged } from './merged.ts';
import { ITEMS, type WindowPlace } from './windowPlace.ts';

type State = Pick<vscode.Memento, 'get' | 'update'>;

/**
 * `get` returns the items of all windows. `update` writes only the items that this window has changed since it last read or wrote them.
 */
export interface SharedState extends State, vscode.Disposable {}

/** The pause before another attempt when a write has failed, such as on a full disk, in milliseconds. */
const RETRY_MS = 5000;

/** The kind of value that is kept under a name. */
interface Kind {
  /** The field with the ID of each item of a list; undefined for a record. */
  readonly id?: string;
  readonly isReadable: (item: unknown) => boolean;
}

const none = () => undefined;
const KINDS: Readonly<Record<string, Kind>> = {
  'k3.findings': { id: 'turnId', isReadable: (one) => decodeStoredReviews([one], none).length > 0 },
  'k3.remarks': { id: 'id', isReadable: (one) => decodeRemarks([one], none).length > 0 },
  'k3.sentRemarks': { id: 'turnId', isReadable: (one) => decodeSent([one], none).size > 0 },
  'k3.pendingProposals': { id: 'turnId', isReadable: isOf(pendingAnswer) },
  'k3.pendingFindings': { id: 'turnId', isReadable: isOf(pendingAnswer) },
  'k3.tools': { isReadable: isOf(v.array(v.string())) },
  'k3.closedCells': { isReadable: isOf(closedCells) },
  'k3.editDrafts': { isReadable: isOf(markedText) },
  'k3.answerFormats': { isReadable: isOf(answerFormat) },
};

function isOf(decoder: Decoder<unknown>): Kind['isReadable'] {
  return (item) => tryDecode(decoder, item) !== undefined;
}

/** @param older the workspace state, in which earlier versions kept all of it */
export function createSharedState(
  { home, window }: WindowPlace,
  older: State,
  log: Pick<Log, 'warn'>,
): SharedState {
  const stores = new Map<string, KindStore>();
  let timer: NodeJS.Timeout | undefined;
  let told: string | undefined;

  function storeOf(name: string): KindStore | undefined {
    const kind = KINDS[name];
    if (home === undefined || kind === undefined) return undefined;
    const known = stores.get(name);
    if (known !== undefined) return known;
    const folder = join(home, ITEMS, name);
    const files = createItemFiles(folder, kind.isReadable, log);
    const store = createKindStore(kind, files, window);
    stores.set(name, store);
    takeOlder(name, store, join(home, ITEMS, [name, window, 'taken'].filter(Boolean).join('.')));
    return store;
  }

  /**
   * Moves the value of an earlier version to files, once: another window that writes to the workspace state brings the value back
   * there, including items that have been deleted since.
   */
  function takeOlder(name: string, store: KindStore, mark: string): void {
    const left: unknown = older.get(name);
    if (left === undefined || existsSync(mark)) return;
    const taken = () => {
      mkdirSync(dirname(mark), { recursive: true, mode: 0o700 });
      writeFileSync(mark, '', { mode: 0o600 });
      inBackground(log, older.update(name, undefined), `removing ${name} from the workspace state`);
    };
    try {
      store.add(left);
      taken();
    } catch (error) {
      log.warn(`couldn't move ${name} to files: ${String(error)}`);
      store.want(left, taken);
      timer ??= setTimeout(write, RETRY_MS);
    }
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    const failure = [...stores.values()].map((store) => store.write()).find((one) => one !== undefined);
    if (failure !== undefined) timer = setTimeout(write, RETRY_MS);
    if (failure !== undefined && failure !== told) log.warn(`couldn't save in ${home}: ${failure}`);
    told = failure;
  }

  return {
    get: <T>(name: string, otherwise?: T) => {
      const store = storeOf(name);
      return (store === undefined ? older.get(name) : store.read()) ?? otherwise;
    },
    async update(name: string, value: unknown) {
      const store = storeOf(name);
      if (store === undefined) return older.update(name, value);
      store.want(value);
      write();
    },
    dispose() {
      write();
      clearTimeout(timer);
    },
  };
}

interface KindStore {
  read(): unknown;
  /** Sets the value that is written next. `written` is called when this value, or one that has replaced it, is written. */
  want(value: unknown, written?: () => void): void;
  /** Returns undefined, or why the value couldn't be written. */
  write(): string | undefined;
  /** Adds the items that have no file. Throws when one can't be written. */
  add(value: unknown): void;
}

/** An item as this window last had it, and the content of its file at that time. */
interface Known {
  readonly at: number;
  readonly item: unknown;
  readonly file: string;
}

function createKindStore(kind: Kind, files: ItemFiles, window: string | undefined): KindStore {
  const known = new Map<string, Known>();
  let wanted: { readonly value: unknown; readonly written?: (() => void) | undefined } | undefined;
  const isHere = ({ window: owner = window }: { readonly window?: string | undefined }) => owner === window;

  function put(id: string, at: number, mine: unknown, item: unknown): void {
    files.write({ id, at, item, ...(window !== undefined && isOfUntitled(id, item) && { window }) });
    known.set(id, { at, item: mine, file: JSON.stringify(item) });
  }

  /**
   * Merges an item with the one in its file. Items of a list that two windows have added under one ID are the same item, and the one in
   * the file may have been changed since, so it wins. An item of a record is a choice, which is replaced as a whole.
   */
  function withTheirs(was: Known | undefined, item: unknown, theirs: StoredItem | undefined): unknown {
    if (theirs === undefined) return item;
    if (was !== undefined) return merged(was.item, item, theirs.item, kind.id === undefined ? 0 : undefined);
    return kind.id === undefined ? item : theirs.item;
  }

  /** Returns the first failure. The other items are written. */
  function writeAll(value: unknown): string | undefined {
    // The folder was removed with its files.
    if (!files.exists()) known.clear();
    const entries = toEntries(kind, value);
    const ids = new Set(entries.map(([id]) => id));
    let last = 0;
    let failure: string | undefined;
    for (const [id, item] of entries) {
      const was = known.get(id);
      last = was !== undefined && was.at > last ? was.at : Math.max(last + 1, Date.now());
      if (was?.at === last && isSame(was.item, item)) continue;
      try {
        const theirs = files.find(id);
        // Another window has removed the item, and this window has changed only its place in the order.
        if (theirs === undefined && was !== undefined && isSame(was.item, item)) continue;
        put(id, last, item, withTheirs(was, item, theirs));
      } catch (error) {
        failure ??= String(error);
      }
    }
    // Removed last, so that an item whose ID has changed isn't lost if the window crashes in between.
    for (const [id, { file }] of [...known].filter(([one]) => !ids.has(one))) {
      try {
        // An item that another window has changed in the meantime is kept.
        if (JSON.stringify(files.find(id)?.item) === file) files.remove(id);
        known.delete(id);
      } catch (error) {
        failure ??= String(error);
      }
    }
    return failure;
  }

  return {
    read() {
      if (wanted !== undefined) return wanted.value;
      const all = files.list().filter(isHere);
      known.clear();
      for (const { id, at, item } of all) known.set(id, { at, item, file: JSON.stringify(item) });
      if (all.length === 0) return undefined;
      return kind.id === undefined
        ? Object.fromEntries(all.map(({ id, item }) => [id, item]))
        : all.map(({ item }) => item);
    },
    want(value, written = wanted?.written) {
      wanted = { value, written };
    },
    write() {
      if (wanted === undefined) return undefined;
      try {
        const failure = writeAll(wanted.value);
        if (failure !== undefined) return failure;
        wanted.written?.();
        wanted = undefined;
        return undefined;
      } catch (error) {
        return String(error);
      }
    },
    add(value) {
      for (const [at, [id, item]] of toEntries(kind, value).entries())
        if (files.find(id) === undefined) put(id, at + 1, item, item);
    },
  };
}

/** The items of a value by their IDs. Items without an ID can't be read, and are left out. */
const toEntries = ({ id }: Kind, value: unknown): readonly (readonly [id: string, item: unknown])[] =>
  id === undefined
    ? Object.entries(tryDecode(someObject, value) ?? {})
    : (tryDecode(v.array(v.unknown()), value) ?? []).flatMap((item) => {
        const own = tryDecode(someObject, item)?.[id];
        return typeof own === 'string' ? [[own, item] as const] : [];
      });

/** Whether an item is about an untitled document. Every window has its own, with the same names. */
const isOfUntitled = (id: string, item: unknown): boolean =>
  /(?:^| )untitled:/.test(id) || JSON.stringify(item).includes('"uri":"untitled:');

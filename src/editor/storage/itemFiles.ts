/** A folder with one file for each item. Several windows write to it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { decode, describeWrong } from '../../validation/decode.ts';
import type { Log } from '../base/log.ts';
import { removeUnfinished, writeWhole } from './wholeFiles.ts';

const VERSION = 1;

/** The format of a file. It doesn't match when another version wrote the file, or when the file is damaged. */
const storedItem = v.object({
  version: v.literal(VERSION),
  id: v.string(),
  /** The place in the order. */
  at: v.number(),
  /** The ID of the window if only this one has the document of the item, which is untitled. */
  window: v.optional(v.string()),
  item: v.unknown(),
});

export type StoredItem = Omit<v.InferOutput<typeof storedItem>, 'version'>;

export interface ItemFiles {
  exists(): boolean;
  /** All items in order. Files that can't be read are logged, left out, and kept. */
  list(): readonly StoredItem[];
  /**
   * Undefined if there is no file, or it is damaged. This and the methods below throw if the file can't be read at the moment, such as
   * while another program has it open.
   */
  find(id: string): StoredItem | undefined;
  /** Keeps a damaged file under a name that ends in `.old`. */
  write(item: StoredItem): void;
  /** Does nothing if the file is damaged. */
  remove(id: string): void;
}

/** @param isReadable whether this version can read an item. A file with another item counts as damaged. */
export function createItemFiles(
  folder: string,
  isReadable: (item: unknown) => boolean,
  log: Pick<Log, 'warn'>,
): ItemFiles {
  const nameOf = (id: string) => `${createHash('sha256').update(id).digest('hex').slice(0, 32)}.json`;

  const told = new Set<string>();
  function tell(path: string, why: string): undefined {
    if (!told.has(path)) log.warn(`couldn't read ${path}: ${why}`);
    told.add(path);
  }

  function toItem(path: string, text: string): StoredItem | undefined {
    try {
      const decoded = decode(storedItem, JSON.parse(text));
      if (decoded.ok && isReadable(decoded.value.item)) return decoded.value;
      return tell(path, describeWrong(decoded.ok ? { field: 'item', expected: 'readable' } : decoded.wrong));
    } catch (error) {
      return tell(path, String(error));
    }
  }

  /** Throws if the file can't be read at the moment, such as while another program has it open. */
  function read(name: string): StoredItem | undefined {
    const path = join(folder, name);
    // Another window may have removed the file.
    return existsSync(path) ? toItem(path, readFileSync(path, 'utf8')) : undefined;
  }

  function readIfPossible(name: string): StoredItem | undefined {
    try {
      return read(name);
    } catch (error) {
      return tell(join(folder, name), String(error));
    }
  }

  function names(): readonly string[] {
    try {
      return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    } catch (error) {
      return tell(folder, String(error)) ?? [];
    }
  }

  removeUnfinished(folder);
  return {
    exists: () => existsSync(folder),
    list: () =>
      names()
        .flatMap((name) => readIfPossible(name) ?? [])
        .toSorted((one, other) => one.at - other.at),
    find: (id) => read(nameOf(id)),
    write(item) {
      const path = join(folder, nameOf(item.id));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (existsSync(path) && read(nameOf(item.id)) === undefined) renameSync(path, `${path}.old`);
      writeWhole(path, JSON.stringify({ version: VERSION, ...item }));
    },
    remove(id) {
      if (read(nameOf(id)) !== undefined) rmSync(join(folder, nameOf(id)), { force: true });
    },
  };
}

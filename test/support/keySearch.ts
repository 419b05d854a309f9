/**
 * Searches a workbench for the key of the tests: its files, the storage and content of the browser, and every message
 * from the extension host to the page and from there to the webviews. The only place where the key may be is the
 * editor's secret storage.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { BYTE_FORMS, CANARY, occurrencesOf, TEXT_FORMS } from './canary.ts';

/** Where the key was found, as sentences for the message of a failed test. */
export type Places = readonly string[];

/** Searches all files in a folder. Links are not followed. */
export async function searchFolder(folder: string): Promise<Places> {
  const places: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    // Folders can't be read as files, and files of the editor may have been removed.
    const bytes = await readFile(path).catch(() => Buffer.of());
    places.push(...occurrencesOf(bytes, CANARY).map((form) => `${path} (${form})`));
  }
  return places;
}

export interface PageSearch {
  /** Searches the storage and content of the page. Returns all places that were found since the search began. */
  end(): Promise<Places>;
}

/** The call that passes the key to the secret storage, and the editor's report of the environment in which it was started. */
const OF_THE_EDITOR = ['$setPassword', '"K3_TEST_COMMANDS":'];
/** Where the editor's secret storage is in a browser. */
const SECRETS = 'secrets.provider';

/**
 * Begins to watch the messages from the extension host: for webviews, views, problems, the status bar, and everything else
 * that is shown. Call this before the page is loaded. A search that has seen no messages is reported, too. It runs in the
 * page, because transferring all messages out of the browser takes more time than reading them there.
 */
export async function searchPage(page: Page): Promise<PageSearch> {
  const places = new Set<string>();
  const seen = new Set<Seen>();
  await page.exposeFunction('k3KeySearch', (what: Seen | 'found', where: string) => {
    if (what === 'found') places.add(where);
    else seen.add(what);
  });
  await page.addInitScript(WATCH);
  return {
    async end() {
      let chats = 0;
      for (const frame of page.frames()) {
        // The frame may have been closed meanwhile.
        const state = await frame.evaluate<FrameState>(LOOK_AROUND).catch(() => undefined);
        if (state?.isChat === true) chats++;
        for (const where of state?.kept ?? []) places.add(where);
      }
      if (!seen.has('received'))
        places.add('nowhere, but the search has seen no message from the extension host');
      if (chats > 0 && !seen.has('posted'))
        places.add('nowhere, but the search has seen no message to the chat');
      return [...places];
    },
  };
}

/** Messages of the editor's server, and messages that are posted to a webview. */
type Seen = 'received' | 'posted';

/** Runs in each frame before its scripts: searches the messages that its connections receive. */
const WATCH = `(() => {
  const forms = ${JSON.stringify(BYTE_FORMS)};
  const ofTheEditor = ${JSON.stringify(OF_THE_EDITOR)};
  const bytes = new TextDecoder('latin1');
  const told = new Set();
  const tell = (what) => {
    if (told.has(what)) return;
    told.add(what);
    globalThis.k3KeySearch(what, '');
  };
  const watch = ({ data }) => {
    const text = typeof data === 'string' ? data : bytes.decode(data);
    tell('received');
    if (text.includes('$postMessage')) tell('posted');
    const found = forms.filter(([, form]) => text.includes(form)).map(([name]) => name);
    if (found.length === 0 || ofTheEditor.some((own) => text.includes(own))) return;
    const at = Math.max(0, text.indexOf(${JSON.stringify(CANARY)}));
    const around = text.slice(Math.max(0, at - 200), at + 100);
    globalThis.k3KeySearch('found', 'a message from the extension host (' + found.join(', ') + '): ' + around);
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', watch);
    }
  };
})()`;

interface FrameState {
  readonly isChat: boolean;
  readonly kept: readonly string[];
}

/** Runs in a frame: searches the content of the frame and the storage of its origin. */
const LOOK_AROUND = `(async () => {
  const forms = ${JSON.stringify(TEXT_FORMS)};
  const has = (text) => forms.some((form) => text.includes(form));
  const kept = [];
  if (has(document.documentElement.outerHTML)) kept.push('the page ' + document.title + ' ' + location.pathname);
  for (const storage of ['localStorage', 'sessionStorage'])
    try {
      for (const [name, value] of Object.entries(globalThis[storage]))
        if (name !== ${JSON.stringify(SECRETS)} && has(name + value)) kept.push(storage + ': ' + name);
    } catch {} // Some frames have no storage.
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const databases = await indexedDB.databases().catch(() => []);
  for (const { name } of databases) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const opened = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([done(opened.getAllKeys()), done(opened.getAll())]);
      values.forEach((value, at) => {
        const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value) + JSON.stringify(value);
        if (has(text)) kept.push('IndexedDB ' + name + ', ' + store + ': ' + keys[at]);
      });
    }
    database.close();
  }
  return { isChat: document.body?.dataset.k3 === 'chat', kept };
})()`;

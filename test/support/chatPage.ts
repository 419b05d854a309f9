/** A built page alone in a browser, the chat or the usage page, driven by messages of the host. */
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'mocha';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { chromiumSwitches } from '../../scripts/lib/editorServer.mjs';
import type { HostMessage } from '../../src/panel/hostMessages.ts';
import { toPageHtml } from '../../src/panel/pageHtml.ts';
import type { PageMessage } from '../../src/panel/webviewMessages.ts';
import { leavePage, resetMedia, resize, takePage } from './browserTabs.ts';
import { eventually } from './eventually.ts';
import { describePage } from './failureReport.ts';
import { withFewerFrames } from './fewerFrames.ts';
import { type PageServer, startPageServer } from './pageServer.ts';
import { panelState, snapshotOf, surroundingsView, type Unnumbered } from './views.ts';

const ORIGIN = 'http://panel.test';
const NONCE = 'k3';

export interface ChatPage {
  readonly page: Page;
  /** Sends messages of the host, and waits until the page has drawn them. */
  send(...messages: readonly Unnumbered<HostMessage>[]): Promise<void>;
  /** A message with its number, for a test whose own script passes it to the page. */
  numbered<Message extends object>(message: Message): Message & { readonly seq: number };
  /** The messages of the page to the host since the last call. */
  posted(): Promise<readonly PageMessage['message'][]>;
  /** Leaves the page to the next test. If a test has replaced the clock of the page, it has to close the page itself. */
  close(): Promise<void>;
}

const servers = new WeakMap<Browser, PageServer>();

/** The longest time to wait for the page to draw a message, in milliseconds. A page can draw all the time. */
const DRAWN_WITHIN_MS = 3000;

/**
 * Counts the frames that the page has requested. On a busy machine, the page draws text many frames later, because its pause depends on
 * the duration of the previous drawing.
 */
const countFrames = `{
  const frame = requestAnimationFrame.bind(globalThis);
  const cancel = cancelAnimationFrame.bind(globalThis);
  const due = new Set();
  globalThis.requestAnimationFrame = (run) => {
    const id = frame((now) => {
      due.delete(id);
      run(now);
    });
    due.add(id);
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => {
    due.delete(id);
    cancel(id);
  };
  globalThis.whenDrawn = () =>
    new Promise((resolve) => {
      const giveUp = performance.now() + ${DRAWN_WITHIN_MS};
      const look = () => (due.size === 0 || performance.now() > giveUp ? resolve() : frame(look));
      frame(() => frame(look));
    });
}`;

/** Runs on a page: waits until it has drawn all received messages. It draws at the frame after a message, or after a pause. */
export const DRAWN = 'new Promise((resolve) => setTimeout(() => whenDrawn().then(resolve), 60))';

/** Opens a browser for pages of the chat. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await ensureChromium();
  const server = await startPageServer();
  const rule = `MAP ${new URL(ORIGIN).hostname} 127.0.0.1:${server.port}`;
  const browser = await chromium.launch({
    ...withFewerFrames(executablePath),
    args: [...chromiumSwitches, `--host-resolver-rules=${rule}`],
  });
  servers.set(browser, server);
  browser.once('disconnected', () => server.close());
  return browser;
}

/**
 * Waits until an expression is true on a page. Playwright's `waitForFunction` would evaluate its text on the page, which
 * the policy forbids.
 */
export const isTrue = (page: Page, expression: string): Promise<void> =>
  eventually(async () => assert.ok(await page.evaluate(expression), expression));

let shared: Browser | undefined;

/** One browser for all tests of a process. Call this outside of `describe`; the returned function is for tests and hooks. */
export function testBrowser(): () => Browser {
  before(async () => {
    shared ??= await openBrowser();
  });
  after(async () => {
    await shared?.close();
    shared = undefined;
  });
  return () => shared ?? assert.fail('The browser is opened before the first test.');
}

/** Returns a function that opens a page in that browser, like {@link openChatPage}. The page is closed after its test. */
export function chatPages() {
  const browser = testBrowser();
  const opened: ChatPage[] = [];
  afterEach(async function () {
    const hasFailed = this.currentTest?.state === 'failed';
    for (const chat of opened.splice(0)) {
      if (hasFailed) console.error(`After “${this.currentTest?.title}”:\n${await describePage(chat.page)}`);
      await chat.close();
    }
  });
  return async (...page: More<Parameters<typeof openChatPage>>): Promise<ChatPage> => {
    const chat = await openChatPage(browser(), ...page);
    opened.push(chat);
    return chat;
  };
}

/** The page of {@link sharedChatPage}. */
let sharedPage: ChatPage | undefined;

async function closeShared(): Promise<void> {
  const chat = sharedPage;
  sharedPage = undefined;
  await chat?.close();
}

/**
 * Like {@link chatPages}, but with one page for all files of a process, which first shows an empty conversation. This takes a
 * fifth of the time of loading a page. Parts that a user has opened, written, or focused are reset, but the page keeps its data: existing
 * files and symbols, seen turns, the turn whose map will get the focus, and for each turn with an answer in JSON whether it is shown as
 * text, its expanded values, the value with the tab stop, and the rows in view. So tests of these need their own ids and names. Tests of a
 * page that was just opened can't use this.
 */
export function sharedChatPage() {
  const browser = testBrowser();
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    if (sharedPage)
      console.error(`After “${this.currentTest.title}”:\n${await describePage(sharedPage.page)}`);
    await closeShared();
  });
  after(closeShared);
  return async (): Promise<ChatPage> => {
    if (sharedPage !== undefined) await clear(sharedPage);
    sharedPage ??= await openChatPage(browser());
    return sharedPage;
  };
}

/** Shows another conversation, and resets values that tests have set in the page. */
async function clear({ page, send, posted }: ChatPage): Promise<void> {
  await resize(page);
  await page.mouse.move(0, 0);
  await page.evaluate(`{
    document.activeElement.blur();
    getSelection().removeAllRanges();
    document.documentElement.removeAttribute('style');
    document.body.className = '';
    document.adoptedStyleSheets = [];
    document.querySelector('.find [aria-label="Close"]')?.click();
    dispatchEvent(new Event('dragend'));
  }`);
  await resetMedia(page);
  const conversationId = 'another';
  // After the first message, the page posts the text of its message box. The second message has an empty text, which clears the box.
  const first = snapshotOf([], { conversationId });
  const surroundings = surroundingsView({ queue: [{ id: 'q', text: 'Next' }] });
  const { words } = panelState([]);
  const silent = { ...words, 'Queued messages: {0}': '' };
  const another = {
    ...snapshotOf([], { conversationId, surroundings, words: silent }),
    read: Number.MAX_SAFE_INTEGER,
  };
  await send(first, another);
  await posted();
}

type More<Of extends readonly unknown[]> = Of extends readonly [unknown, ...infer Others] ? Others : never;

/**
 * The page has the HTML and the policy of the real one.
 *
 * @param colors the colors of a theme, as `--vscode-…` variables
 * @param first a script to run before that of the page
 * @param bundle `usage` opens the usage page, to which `send` sends nothing
 * @param language how numbers are written, and the rules of plurals
 */
export async function openChatPage(
  browser: Browser,
  ...[colors, first, bundle, language]: More<Parameters<typeof addressOf>>
): Promise<ChatPage> {
  const page = await takePage(browser);
  await page.goto(addressOf(browser, colors, first, bundle, language));
  let seq = 0;
  const numbered: ChatPage['numbered'] = (message) => {
    seq += 1;
    return { ...message, seq };
  };
  return {
    page,
    numbered,
    async send(...messages) {
      const all = messages.map((message) => numbered(message));
      await page.evaluate(
        `for (const message of ${JSON.stringify(all)}) postMessage(message, '*'); ${DRAWN}`,
      );
    },
    posted: async () =>
      (await page.evaluate<readonly PageMessage[]>('takePosted()')).map(({ message }) => message),
    close: () => leavePage(browser, page),
  };
}

/** The address of a new page, with the parameters of {@link openChatPage}. */
export function addressOf(
  browser: Browser,
  colors: Readonly<Record<string, string>> = {},
  first = '',
  bundle: 'webview' | 'usage' = 'webview',
  language = 'en',
): string {
  const before = `<script nonce="${NONCE}">
  for (const [name, color] of Object.entries(${JSON.stringify(colors)}))
    document.documentElement.style.setProperty('--vscode-' + name, color);
  ${countFrames}
  const posted = [];
  globalThis.takePosted = () => posted.splice(0);
  globalThis.acquireVsCodeApi = () => ({ postMessage: (one) => posted.push(one), getState: () => globalThis.savedState, setState: (state) => { globalThis.savedState = state; } });
  globalThis.getSaved = () => globalThis.savedState;
</script><script nonce="${NONCE}" src="first.js"></script>`;
  const html = toPageHtml({
    kind: bundle === 'webview' ? 'chat' : bundle,
    bundle,
    title: 'K3',
    language,
    textLanguage: language,
    nonce: NONCE,
    source: ORIGIN,
    asset: (file) => `/${file}`,
  }).replace('<script', () => `${before}<script`);
  return `${ORIGIN}${servers.get(browser)?.add(html, { 'first.js': first })}`;
}

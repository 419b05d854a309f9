/** The page of a panel with its message box: the real state and box, and messages that arrive later. */

import type { HostMessage } from '../../../src/panel/hostMessages.ts';
import type { PageMessage, WebviewMessage } from '../../../src/panel/webviewMessages.ts';
import { createPage, type Page } from '../../../src/webview/chat/page.ts';
import { createMessageBox, type MessageBox } from '../../../src/webview/composer/messageBox.ts';
import { createRecall, type Recall } from '../../../src/webview/composer/recall.ts';
import type { Clock } from './clock.ts';
import { openPanel, type PlayedPanel } from './panel.ts';
import type { Window } from './window.ts';

export interface BoxPage {
  readonly panel: PlayedPanel['panel'];
  /** The conversation that the user sees; undefined while the page is loading. */
  shownId(): string | undefined;
  text(): string;
  /** The text that the host stores: while an earlier message is shown, the text that the user was writing. */
  kept(): string;
  /** Replaces the text, as typing does. */
  type(text: string): void;
  /** The box loses the focus. */
  blur(): void;
  /** Enter. */
  send(): void;
  /** Ctrl+Up (1) or Ctrl+Down (-1). */
  recall(by: 1 | -1): void;
  /** Passes on some of the messages that are on their way. Returns false when there are none. */
  toHost(count: number): boolean;
  toPage(count: number): boolean;
  /** Loads the page again. Messages that were on their way to the page are lost. */
  reload(): void;
  /** The editor hides the page, which destroys it, and shows it again. */
  hide(): void;
  show(): void;
  /** The texts that are on their way. */
  underWay(): readonly string[];
}

/** The same value as in `keyPace.ts`. */
const DRAFT_PAUSE_MS = 300;

const textsIn = (message: WebviewMessage | HostMessage): readonly string[] => {
  switch (message.type) {
    case 'send':
    case 'draft':
    case 'typed':
    case 'compose':
      return [message.text];
    case 'snapshot':
      return [message.panel.draft];
    default:
      return [];
  }
};

export function openBoxPage(window: Window, clock: Clock, conversationId: string): BoxPage {
  const toHost: PageMessage[] = [];
  let toPage: HostMessage[] = [];
  let visible = true;
  let page: Page;
  let box: MessageBox;
  let recall: Recall;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const played = openPanel(window, clock, conversationId, (message) => {
    if (visible) toPage.push(message);
  });
  function endTyping(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  const post: Page['post'] = (message, id) => page.post(recall.toKeep(message), id);

  function load(): void {
    endTyping();
    page = createPage((message) => void toHost.push(message), 'en');
    toPage = [];
    recall = createRecall({
      post,
      text: () => box.text(),
      setText: (text) => box.setText(text),
      announce: () => undefined,
    });
    const { unread } = page;
    box = createMessageBox({ post, unread, isTyping: () => timer !== undefined, endTyping, recall });
    post({ type: 'ready' });
  }

  function flush(): void {
    endTyping();
    post({ type: 'draft', text: box.text() });
  }

  function receive(message: HostMessage): void {
    const before = page.panel();
    const next = page.fold(message);
    if (next === 'resync') {
      page.post({ type: 'ready' });
      return;
    }
    if (next === 'outdated') return;
    if (message.type === 'snapshot') box.show(message.panel, before?.conversationId);
    box.receive(message);
    if (message.type === 'recalled') recall.recalled(message.texts);
  }

  function pass<Message>(from: Message[], count: number, to: (message: Message) => void): boolean {
    const some = from.splice(0, count);
    for (const message of some) to(message);
    return some.length > 0;
  }

  load();
  return {
    panel: played.panel,
    shownId: () => page.panel()?.conversationId,
    text: () => (visible ? box.text() : ''),
    kept() {
      const message = recall.toKeep({ type: 'draft', text: box.text() });
      return visible && message.type === 'draft' ? message.text : '';
    },
    type(text) {
      box.setText(text);
      post({ type: 'typed', text });
      clearTimeout(timer);
      timer = clock.as(window.name, () => setTimeout(flush, DRAFT_PAUSE_MS));
    },
    blur() {
      if (timer !== undefined) flush();
    },
    send: () => box.send(),
    recall(by) {
      if (recall.step(by) && timer !== undefined) flush();
    },
    toHost: (count) => pass(toHost, count, played.say),
    toPage: (count) => visible && pass(toPage, count, receive),
    reload: load,
    hide() {
      visible = false;
      endTyping();
      page = createPage((message) => void toHost.push(message), 'en');
      toPage = [];
      clock.as(window.name, () => played.panel.setVisible(false));
    },
    show() {
      if (visible) return;
      visible = true;
      clock.as(window.name, () => played.panel.setVisible(true));
      load();
    },
    underWay: () => [...toHost.map(({ message }) => message), ...toPage].flatMap(textsIn),
  };
}

/** The page of a panel as far as its message box: its state and box as they are, and messages that take a while. */

import type { HostMessage } from '../../../src/panel/hostMessages.ts';
import type { PageMessage, WebviewMessage } from '../../../src/panel/webviewMessages.ts';
import { foldPanel, type Panel } from '../../../src/webview/chat/state.ts';
import { createMessageBox, type MessageBox } from '../../../src/webview/composer/messageBox.ts';
import type { Clock } from './clock.ts';
import { openPanel, type PlayedPanel } from './panel.ts';
import type { Window } from './window.ts';

export interface BoxPage {
  readonly panel: PlayedPanel['panel'];
  /** The conversation that the user sees; undefined while the page is loading. */
  shownId(): string | undefined;
  text(): string;
  /** Replaces the text, as typing does. */
  type(text: string): void;
  /** What the box does when it loses the focus. */
  blur(): void;
  /** Enter. */
  send(): void;
  /** Passes on some of the messages that are on their way. Returns false when there are none. */
  toHost(count: number): boolean;
  toPage(count: number): boolean;
  /** Loads the page again. What was on its way to it is lost. */
  reload(): void;
  /** The editor hides the page, which it then no longer keeps, and shows it again. */
  hide(): void;
  show(): void;
  /** The texts that are on their way. */
  underWay(): readonly string[];
}

/** As in `keyPace.ts`. */
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
  let state: Panel | undefined;
  let box: MessageBox;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const played = openPanel(window, clock, conversationId, (message) => {
    if (visible) toPage.push(message);
  });
  const post = (message: WebviewMessage, id = state?.panel.conversationId) =>
    void toHost.push({ message, conversationId: id, seen: state?.seq });

  function endTyping(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function load(): void {
    endTyping();
    state = undefined;
    toPage = [];
    box = createMessageBox({
      post,
      isTyping: () => timer !== undefined,
      endTyping,
      recall: { kept: () => undefined, aside: () => undefined, forget: () => undefined },
    });
    post({ type: 'ready' });
  }

  function flush(): void {
    endTyping();
    post({ type: 'draft', text: box.text() });
  }

  function receive(message: HostMessage): void {
    const before = state;
    const next = foldPanel(state, message);
    if (next === 'resync') {
      post({ type: 'ready' });
      return;
    }
    if (next === 'outdated') return;
    state = next;
    if (message.type === 'snapshot') box.show(next.panel, before?.panel.conversationId);
    box.receive(message);
  }

  function pass<Message>(from: Message[], count: number, to: (message: Message) => void): boolean {
    const some = from.splice(0, count);
    for (const message of some) to(message);
    return some.length > 0;
  }

  load();
  return {
    panel: played.panel,
    shownId: () => state?.panel.conversationId,
    text: () => (visible ? box.text() : ''),
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
    toHost: (count) => pass(toHost, count, played.say),
    toPage: (count) => visible && pass(toPage, count, receive),
    reload: load,
    hide() {
      visible = false;
      endTyping();
      state = undefined;
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

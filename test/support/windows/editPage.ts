/** The page of a panel with its box for an edited question: the real box, and messages that arrive at once or late. */
import assert from 'node:assert/strict';
import type { Editing } from '../../../src/conversation/unsent.ts';
import type { HostMessage } from '../../../src/panel/hostMessages.ts';
import type { WebviewMessage } from '../../../src/panel/webviewMessages.ts';
import { createPage, type Page } from '../../../src/webview/chat/page.ts';
import { createEditBox, type EditBox } from '../../../src/webview/composer/editBox.ts';
import type { Clock } from './clock.ts';
import { openPanel, type PlayedPanel } from './panel.ts';
import type { Window } from './window.ts';

export interface EditPage {
  readonly panel: PlayedPanel['panel'];
  /** The text of the box; undefined without a box. */
  current(): Editing | undefined;
  edit(exchangeId: string, text: string): void;
  escape(): void;
  /** Enter. */
  send(): void;
  /** The editor hides the page, which destroys it, and shows it again. */
  hide(): void;
  show(): void;
  open(conversationId: string): void;
  close(): void;
  /** From now on, messages of the page don't reach the host. Returns a function that delivers them. */
  delay(): () => void;
}

export function openEditPage(window: Window, clock: Clock, conversationId: string): EditPage {
  let shown: string | undefined;
  let wasDeleted = false;
  let isVisible = true;
  let page: Page;
  let box: EditBox;
  let late: unknown[] | undefined;
  const played = openPanel(window, clock, conversationId, (message) => receive(message));
  const say = (message: unknown) => (late === undefined ? played.say(message) : late.push(message));
  const post = (message: WebviewMessage, to = shown) => page.post(message, to);
  const inWindow = (run: () => void) => clock.as(window.name, run);

  function receive(message: HostMessage): void {
    if (typeof page.fold(message) === 'string') return;
    if (message.type === 'snapshot') {
      shown = message.panel.conversationId;
      const gone = box.show(message.panel, wasDeleted);
      if (gone !== undefined) addToDraft(gone.text);
      wasDeleted = message.panel.surroundings.deleted;
    }
    if (message.type !== 'edit') return;
    if (!message.isReturned || box.mayTake(message.editing)) box.edit(message.editing);
    else {
      post({ type: 'draft', text: message.editing.text });
      box.leave(message.editing.exchangeId);
    }
  }

  /** Posts it as the message box does. */
  function addToDraft(text: string): void {
    const { draft } = window.composers.of(shown ?? '');
    post({ type: 'draft', text: draft === '' ? text : `${draft}\n${text}` });
  }

  function load(): void {
    shown = undefined;
    wasDeleted = false;
    page = createPage(say, 'en');
    box = createEditBox(page);
    post({ type: 'ready' });
  }

  load();
  return {
    panel: played.panel,
    current: () => (isVisible ? box.current() : undefined),
    edit: (exchangeId, text) => box.edit({ exchangeId, text }),
    escape: () => box.edit(undefined),
    send() {
      const { exchangeId, text } = box.current() ?? assert.fail();
      box.edit(undefined);
      post({ type: 'edit', exchangeId, text });
    },
    hide() {
      isVisible = false;
      inWindow(() => played.panel.setVisible(false));
    },
    show() {
      if (isVisible) return;
      isVisible = true;
      inWindow(() => played.panel.setVisible(true));
      load();
    },
    open: (next) => inWindow(() => played.panel.show(next)),
    close: () => inWindow(() => played.panel.dispose()),
    delay() {
      const waiting: unknown[] = [];
      late = waiting;
      return () => {
        late = undefined;
        for (const message of waiting) played.say(message);
      };
    },
  };
}

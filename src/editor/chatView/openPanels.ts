/** Which panels of the chat are open, in the side bar and in tabs, and which of them is in front: commands act on that one. */
import * as vscode from 'vscode';
import { createContextKey } from '../base/contextKey.ts';
import type { Log } from '../base/log.ts';
import type { Composers } from '../composer/composers.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ChatPanel } from './chatPanel.ts';

export interface OpenPanels extends vscode.Disposable {
  add(panel: ChatPanel): void;
  /** Closes a panel. */
  remove(panel: ChatPanel): void;
  /** Sets the panel in the side bar; undefined when it is closed. It counts as in front if no visible panel had the focus last. */
  setSide(panel: ChatPanel | undefined): void;
  /** The panel in front among the visible ones with this conversation, by default any. Its page may not be loaded yet. */
  front(conversationId?: string): ChatPanel | undefined;
  /** The panel in front among those whose page is loaded and shows this conversation; by default, any. */
  showing(conversationId?: string): ChatPanel | undefined;
  /** The panel whose page has the focus. */
  focused(): ChatPanel | undefined;
  /** The focus has come to the page of a panel, or has left it. */
  focusMoved(panel: ChatPanel, here: boolean): void;
  /** Gives the message box of a panel the focus, as soon as its page is loaded. */
  focusBox(panel: ChatPanel): void;
  /**
   * Must be called when a panel was shown, hidden, or shows another conversation, and when something to stop has begun or
   * ended.
   */
  check(): void;
}

export interface OpenPanelsDeps {
  readonly conversations: Pick<Conversations, 'useFront' | 'front' | 'isRunning'>;
  readonly composers: Pick<Composers, 'all'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Sets the context keys `k3.chatFocused` and `k3.canStop`. */
export function createOpenPanels({ conversations, composers, log }: OpenPanelsDeps): OpenPanels {
  const panels = new Set<ChatPanel>();
  let side: ChatPanel | undefined;
  /** The panel whose page has the focus. */
  let focused: ChatPanel | undefined;
  /** The panel whose page had the focus last. The Command Palette takes the focus from the page. */
  let latest: ChatPanel | undefined;
  const showFocus = createContextKey('k3.chatFocused', log);
  const setCanStop = createContextKey('k3.canStop', log);

  const first = (shown: readonly ChatPanel[]) =>
    shown.find((panel) => panel === latest) ?? shown.find((panel) => panel === side) ?? shown[0];
  const front = (conversationId?: string) =>
    first(
      [...panels].filter((panel) => {
        const id = panel.visibleId();
        return id !== undefined && (conversationId === undefined || id === conversationId);
      }),
    );
  const frontId = () => front()?.visibleId();
  const frontChanged = new vscode.EventEmitter<void>();
  const shown = () => [...panels].map((panel) => panel.id());
  const fronts = conversations.useFront(frontId, frontChanged.event, shown);
  let known = frontId();

  function check(): void {
    const before = known;
    known = frontId();
    if (known !== before) frontChanged.fire();
    const { id } = conversations.front();
    // A composer that doesn't exist yet waits for nothing, and isn't created for this.
    const isWaiting = [...composers.all()].some(([of, { waiting }]) => of === id && waiting);
    setCanStop(conversations.isRunning(id) || isWaiting);
  }

  return {
    add(panel) {
      panels.add(panel);
    },
    remove(panel) {
      panels.delete(panel);
      panel.dispose();
      check();
    },
    setSide(panel) {
      side = panel;
    },
    front,
    showing: (conversationId) => first([...panels].filter((panel) => panel.isShowing(conversationId))),
    focused: () => focused,
    focusMoved(panel, here) {
      if (here) {
        focused = panel;
        latest = panel;
      } else if (focused === panel) focused = undefined;
      showFocus(focused !== undefined);
      check();
    },
    focusBox(panel) {
      latest = panel;
      for (const other of panels) if (other !== panel) other.forgetFocus();
      panel.send({ type: 'focus' });
      check();
    },
    check,
    dispose() {
      for (const panel of panels) panel.dispose();
      fronts.dispose();
      frontChanged.dispose();
    },
  };
}

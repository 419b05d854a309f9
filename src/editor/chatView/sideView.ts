/** The chat in the side bar: its view, and the panel in it while it is open. */
import * as vscode from 'vscode';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ChatPanel } from './chatPanel.ts';
import type { OpenPanels } from './openPanels.ts';

const VIEW = 'k3.chat';

export interface SideView {
  /** Undefined until the view is shown for the first time, and after it was closed. */
  panel(): ChatPanel | undefined;
  showBadge(count: number | undefined): void;
  /** Shows the view. Its page decides which element has the focus. */
  show(): Thenable<unknown>;
  /** Gives the focus to its message box. */
  focusBox(): Promise<void>;
  register(): vscode.Disposable;
}

export interface SideViewDeps {
  readonly conversations: Pick<Conversations, 'current'>;
  readonly panels: Pick<OpenPanels, 'setSide' | 'check' | 'remove' | 'focusBox'>;
  /** Makes the panel of the view. */
  readonly fill: (webview: vscode.Webview, conversationId: string, takeFocus: () => void) => ChatPanel;
  readonly log: Pick<Log, 'warn'>;
}

export function createSideView({ conversations, panels, fill, log }: SideViewDeps): SideView {
  let side: ChatPanel | undefined;
  let shown: vscode.WebviewView | undefined;
  /** Whether the page takes the focus when the view is created. */
  let focusSide = false;
  /** The badge is set on each view that is created: the view may be opened, or moved, after an answer arrived. */
  let badge: vscode.ViewBadge | undefined;
  const show = () => vscode.commands.executeCommand(`${VIEW}.focus`);

  function resolveWebviewView(view: vscode.WebviewView): void {
    const panel = fill(view.webview, conversations.current().id, () =>
      inBackground(log, show(), 'giving the focus back to the chat'),
    );
    side = panel;
    panels.setSide(panel);
    shown = view;
    view.badge = badge;
    if (focusSide) panel.send({ type: 'focus' });
    focusSide = false;
    view.onDidChangeVisibility(() => {
      panel.setVisible(view.visible);
      panels.check();
    });
    view.onDidDispose(() => {
      side = undefined;
      shown = undefined;
      panels.setSide(undefined);
      panels.remove(panel);
    });
    panels.check();
  }

  return {
    panel: () => side,
    showBadge(count) {
      badge = toBadge(count);
      if (shown !== undefined) shown.badge = badge;
    },
    show,
    async focusBox() {
      focusSide = side === undefined;
      await show();
      if (side !== undefined) panels.focusBox(side);
    },
    register: () => vscode.window.registerWebviewViewProvider(VIEW, { resolveWebviewView }),
  };
}

function toBadge(count: number | undefined): vscode.ViewBadge | undefined {
  return count === undefined
    ? undefined
    : { value: count, tooltip: vscode.l10n.t('Conversations with new answers: {0}', count) };
}

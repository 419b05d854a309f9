/** Chats in editor tabs (`k3.chatPanel`), which are restored after a reload. */
import * as vscode from 'vscode';
import { shorten } from '../../conversation/cutText.ts';
import { toTabIcon } from '../base/webviewPage.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ChatPanel } from './chatPanel.ts';
import type { OpenPanels } from './openPanels.ts';

const PANEL = 'k3.chatPanel';

export interface ChatTabsDeps {
  readonly extensionUri: vscode.Uri;
  readonly conversations: Pick<Conversations, 'current' | 'onDidChange'>;
  readonly panels: Pick<OpenPanels, 'check' | 'remove'>;
  /** Shows a conversation in a page. `takeFocus` gives the focus to its tab; `onShown` is called when the page shows a conversation. */
  readonly fill: (
    webview: vscode.Webview,
    conversationId: string,
    takeFocus: () => void,
    onShown: () => void,
  ) => ChatPanel;
}

export interface ChatTabs {
  /** Opens a conversation in a new tab. */
  open(conversationId: string): ChatPanel;
  /** The chat in the active tab. */
  active(): ChatPanel | undefined;
  /** Restores tabs after a reload. */
  register(): vscode.Disposable;
}

export function createChatTabs({ extensionUri, conversations, panels, fill }: ChatTabsDeps): ChatTabs {
  const tabs = new Map<vscode.WebviewPanel, ChatPanel>();

  function fillTab(tab: vscode.WebviewPanel, conversationId: string): ChatPanel {
    tab.iconPath = toTabIcon(extensionUri);
    const panel: ChatPanel = fill(tab.webview, conversationId, () => tab.reveal(), showTitle);
    function showTitle(): void {
      const title = toTabTitle(panel.title());
      if (title !== tab.title) tab.title = title;
    }
    showTitle();
    const titles = conversations.onDidChange(showTitle);
    tabs.set(tab, panel);
    tab.onDidChangeViewState(() => {
      panel.setVisible(tab.visible);
      panels.check();
    });
    tab.onDidDispose(() => {
      titles.dispose();
      tabs.delete(tab);
      panels.remove(panel);
    });
    return panel;
  }

  return {
    active: () => [...tabs].find(([tab]) => tab.active)?.[1],
    open(conversationId) {
      const title = vscode.l10n.t('K3 Chat');
      const tab = vscode.window.createWebviewPanel(PANEL, title, vscode.ViewColumn.Active);
      return fillTab(tab, conversationId);
    },
    register: () =>
      vscode.window.registerWebviewPanelSerializer(PANEL, {
        async deserializeWebviewPanel(tab, state: unknown) {
          fillTab(tab, conversationOf(state) ?? conversations.current().id);
        },
      }),
  };
}

/**
 * The maximum length of the title of a tab, in characters. The editor itself shows titles completely, however wide a tab
 * becomes.
 */
const MAX_TAB_TITLE = 40;

const toTabTitle = (title: string) => shorten(title, MAX_TAB_TITLE);

function conversationOf(state: unknown): string | undefined {
  const id =
    typeof state === 'object' && state !== null && 'conversationId' in state
      ? state.conversationId
      : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The chat in the side bar (`k3.chat`) and in editor tabs, and the commands that open and focus them. */
import * as vscode from 'vscode';
import { inBackground } from '../base/background.ts';
import { showInformation } from '../base/notifications.ts';
import { toPage, toWebviewOptions } from '../base/webviewPage.ts';
import type { Instructions } from '../composer/instructions.ts';
import { type ConversationTarget, targetOf } from '../conversations/conversationCommands.ts';
import { OPEN_CONVERSATION } from '../conversations/conversationItems.ts';
import type { FoundPlace } from '../conversations/conversationSearch.ts';
import { readNotify } from '../settings/settings.ts';
import { watchArrivals } from './answerNotifications.ts';
import { type ChatPanel, type ChatPanelDeps, createChatPanel } from './chatPanel.ts';
import { createChatTabs } from './chatTabs.ts';
import { createOpenPanels } from './openPanels.ts';
import { registerSideBarCommands } from './sideBarCommands.ts';
import { createSideView } from './sideView.ts';
import { registerWhyCommands } from './whyCommands.ts';

const FIND = '_k3.findInChat';

export interface ChatWebviewsDeps
  extends Omit<ChatPanelDeps, 'onShown' | 'onFocusMoved' | 'takeFocus' | 'isInFront'> {
  readonly extensionUri: vscode.Uri;
  readonly instructions: Pick<Instructions, 'check'>;
  /** Fires when the side bar should reveal a place in the open conversation. */
  readonly onDidReveal: vscode.Event<FoundPlace>;
}

/** Registers the view, the editor tabs, and the commands that open and focus them. */
export function registerChatWebviews(deps: ChatWebviewsDeps): vscode.Disposable {
  const panels = createOpenPanels(deps);
  const tabs = createChatTabs({ ...deps, panels, fill });

  const side = createSideView({ ...deps, panels, fill });
  const arrivals = watchArrivals({
    ...deps,
    isShown: (id) => panels.showing(id) !== undefined,
    isWindowFocused: () => vscode.window.state.focused,
    setting: readNotify,
    showBadge: side.showBadge,
    notify: showInformation,
    open(id) {
      inBackground(deps.log, vscode.commands.executeCommand(OPEN_CONVERSATION, id), 'showing the chat');
    },
  });

  /**
   * @param takeFocus gives the focus to the view or tab
   * @param onShown called when its page shows a conversation, which may be the same one as before
   */
  function fill(
    webview: vscode.Webview,
    conversationId: string,
    takeFocus: () => void,
    onShown: () => void = () => undefined,
  ): ChatPanel {
    webview.options = toWebviewOptions(deps.extensionUri);
    const panel: ChatPanel = createChatPanel(webview, conversationId, {
      ...deps,
      onShown(id) {
        arrivals.shown(id);
        onShown();
        deps.instructions.check();
      },
      onFocusMoved: (here) => panels.focusMoved(panel, here),
      takeFocus,
      isInFront: () => panels.front() === panel,
    });
    panels.add(panel);
    webview.html = toPage(webview, deps.extensionUri, {
      kind: 'chat',
      bundle: 'webview',
      title: 'K3 Chat',
    });
    return panel;
  }

  /** The panel in front that shows a conversation, by default any. If there is none, the side bar is opened. */
  async function inFront(conversationId?: string): Promise<ChatPanel | undefined> {
    const shown = panels.showing(conversationId);
    if (shown !== undefined) return shown;
    if (conversationId !== undefined && deps.conversations.current().id !== conversationId)
      deps.conversations.open(conversationId);
    await side.show();
    return side.panel();
  }

  /**
   * @param given the id of a conversation to focus. Without an id, or if no panel shows the conversation, the side bar gets
   *   the focus
   */
  async function focusChat(given?: unknown): Promise<void> {
    const id = typeof given === 'string' ? given : undefined;
    const panel = id === undefined ? undefined : panels.front(id);
    if (panel !== undefined && panel !== side.panel()) {
      panel.focus();
      return panels.focusBox(panel);
    }
    if (id !== undefined) deps.conversations.open(id);
    await side.focusBox();
  }

  /**
   * Starts a new conversation in the tab in front, or in the side bar.
   *
   * @param given the id of a conversation to use the side bar, or the URI of a tab if the button in its title was selected
   */
  async function newConversation(given?: unknown): Promise<void> {
    const isOfTab = given instanceof vscode.Uri;
    const panel = (isOfTab ? tabs.active() : undefined) ?? panels.front();
    if (panel === undefined || panel === side.panel() || (given !== undefined && !isOfTab)) {
      deps.conversations.create();
      return focusChat();
    }
    panel.show(deps.conversations.unused().id);
    panel.focus();
    panels.focusBox(panel);
  }

  return vscode.Disposable.from(
    registerWhyCommands({ conversations: deps.conversations, inFront }),
    side.register(),
    tabs.register(),
    deps.conversations.onDidChange((change) => {
      if (change.type === 'opened') side.panel()?.show(deps.conversations.current().id);
      panels.check();
    }),
    deps.composers.onDidChange(panels.check),
    deps.onDidReveal((place) => side.panel()?.send({ type: 'reveal', ...place })),
    vscode.commands.registerCommand('k3.focusChat', focusChat),
    vscode.commands.registerCommand('k3.openInEditor', (target: ConversationTarget) => {
      const open = targetOf(deps.conversations, target);
      // The tab counts as in front at once, so that commands don't act on the side bar while the page of the tab is
      // loading. The editor gives the focus to the tab, but not to an element of its page.
      if (open !== undefined) panels.focusBox(tabs.open(open.id));
    }),
    // The editor's own help (Alt+F1) can't be extended.
    vscode.commands.registerCommand('k3.showKeyboardHelp', () =>
      vscode.commands.executeCommand(
        'markdown.showPreview',
        vscode.Uri.joinPath(deps.extensionUri, 'docs', 'guide', 'keyboard.md'),
      ),
    ),
    // The page opens its search by itself. On macOS, the editor's menu gets the keys before the page.
    vscode.commands.registerCommand(FIND, () => panels.focused()?.send({ type: 'open-find' })),
    vscode.commands.registerCommand('k3.newConversation', newConversation),
    // Like the button of the page, so that queued messages wait as well.
    vscode.commands.registerCommand('k3.stop', (given: unknown) => {
      const id = typeof given === 'string' ? given : deps.conversations.front().id;
      return deps.intents.receive({ type: 'stop' }, id, deps.composers.of(id));
    }),
    registerSideBarCommands(deps.conversations),
    arrivals,
    panels,
  );
}

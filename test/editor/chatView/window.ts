/** A window of its own on a shared conversation database, with panels whose pages are played by the tests. */
import * as vscode from 'vscode';
import type { AnswerFormat } from '../../../src/conversation/answerFormats/answerFormat.ts';
import {
  type ChatPanel,
  type ChatPanelDeps,
  createChatPanel,
} from '../../../src/editor/chatView/chatPanel.ts';
import { createIntents, type IntentsDeps } from '../../../src/editor/chatView/intents.ts';
import { type Composers, createComposers } from '../../../src/editor/composer/composers.ts';
import {
  type Conversations,
  createConversations,
} from '../../../src/editor/conversations/conversationList.ts';
import type { ChatParticipantDeps } from '../../../src/editor/participant/chatParticipant.ts';
import { createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { createConversationStore } from '../../../src/history/conversationStore.ts';
import { openHistory } from '../../../src/history/history.ts';
import type { PostedMessage } from '../../../src/panel/hostMessages.ts';
import type { PanelState } from '../../../src/panel/panelState.ts';
import type { WebviewMessage } from '../../../src/panel/webviewMessages.ts';
import { foldPanel, type Panel } from '../../../src/webview/chat/state.ts';
import { NOT_RENAMED } from '../../support/notRenamed.ts';
import type { Scripted } from '../scripted.ts';

const nothing = (): Promise<void> => Promise.resolve();
const never: vscode.Event<never> = () => new vscode.Disposable(() => undefined);
const log = { warn: () => undefined, info: () => undefined, show: () => undefined };

export interface Page {
  /** What the page shows. */
  shown(): PanelState;
  /** The text in the message box. */
  box(): string;
  /** Types into the message box; the host is told. */
  type(text: string): void;
  /** Sends what is in the message box. */
  send(): void;
  /** By default about the conversation on the page. */
  post(message: WebviewMessage, conversationId?: string): void;
  /** The page is created again, as after it was hidden. */
  reload(): void;
  readonly panel: ChatPanel;
}

export interface TestWindow {
  readonly conversations: Conversations;
  readonly composers: Composers;
  open(conversationId: string): Page;
  close(): void;
}

function createPage(deps: ChatPanelDeps, conversationId: string): Page {
  const received = new vscode.EventEmitter<unknown>();
  let state: Panel | undefined;
  let text = '';
  const post = (message: WebviewMessage, conversationId = state?.panel.conversationId) =>
    received.fire({ message, conversationId });

  function receive(posted: PostedMessage): void {
    const next = foldPanel(state, posted);
    if (next === 'outdated') return;
    if (next === 'resync') {
      post({ type: 'ready' });
      return;
    }
    const { message } = next;
    if (message.type === 'snapshot' && message.panel.conversationId !== state?.panel.conversationId)
      text = message.panel.draft;
    if (message.type === 'draft') text = message.text;
    if (message.type === 'compose') text = text === '' ? message.text : `${text}\n${message.text}`;
    if (message.type === 'taken' && !message.isKept && text === message.text) text = '';
    state = next.state;
  }

  const webview: Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'> = {
    onDidReceiveMessage: received.event,
    async postMessage(posted: PostedMessage) {
      receive(posted);
      return true;
    },
  };
  const panel = createChatPanel(webview as vscode.Webview, conversationId, deps);
  post({ type: 'ready' });
  return {
    panel,
    shown() {
      if (state === undefined) throw new Error('the page has no snapshot');
      return state.panel;
    },
    box: () => text,
    type(next) {
      text = next;
      post({ type: 'draft', text });
    },
    send() {
      post({ type: 'send', text });
    },
    post,
    reload() {
      panel.setVisible(false);
      state = undefined;
      text = '';
      post({ type: 'ready' });
    },
  };
}

/** What intents need beside conversations, when nothing is attached and no code, tool, or proposal is involved. */
export const QUIET: Pick<
  IntentsDeps,
  | 'images'
  | 'attaching'
  | 'instructions'
  | 'prompts'
  | 'codeBlocks'
  | 'proposals'
  | 'renames'
  | 'findings'
  | 'structured'
  | 'decide'
  | 'openResult'
  | 'showToolChanges'
> &
  Pick<ChatParticipantDeps, 'attaching' | 'instructions' | 'lastEditor' | 'reads' | 'tools'> = {
  /** Nothing is allowed yet. */
  get reads() {
    return createAllowedReads();
  },
  tools: { chosen: () => [] },
  images: {
    attachBytes: nothing,
    attachAddresses: nothing,
    remove: () => undefined,
    ready: async (_, text) => ({ text, images: [], attached: [] }),
    shrink: async (images) => images,
  },
  attaching: {
    add: async () => true,
    read: async () => ({ context: [], problems: [] }),
    pick: async () => undefined,
    remove: () => undefined,
    refresh: nothing,
    collect: async () => [],
    refreshAll: async ({ question }) => question.context ?? [],
  },
  instructions: { leaveOut: () => undefined, due: async () => [] },
  prompts: { expand: async () => ({ kind: 'plain' }) },
  lastEditor: { get: () => undefined },
  codeBlocks: { perform: nothing },
  proposals: { ofTurn: () => [] },
  renames: NOT_RENAMED,
  findings: { placementsOf: () => undefined },
  structured: { perform: nothing },
  decide: () => undefined,
  openResult: async () => undefined,
  showToolChanges: async () => undefined,
};

/** Opens a window on the database in a folder. */
export function openWindow(scripted: Scripted, folder: string, place: string): TestWindow {
  const opened = openHistory({ folder, place, onSetAside: () => undefined, onWrong: () => undefined });
  if (!opened.ok) throw new Error(opened.message);
  const store = createConversationStore({
    history: opened.history,
    prices: () => ({ input: 3, cachedInput: 0.3, output: 15 }),
    onTrouble: () => undefined,
    onFailure: () => undefined,
  });
  const conversations = createConversations({
    turns: scripted.turns,
    log: log as never,
    store,
    untitled: 'New conversation',
    workspace: place,
    lastConversation: { get: () => undefined, set: () => undefined },
  });
  conversations.useTools((id) => scripted.tools.toolboxOf(id));
  const formats = new Map<string, AnswerFormat | undefined>();
  const composers = createComposers(conversations, {
    get: (id) => formats.get(id),
    set: (id, format) => void formats.set(id, format),
  });
  const probes = { lackOf: () => undefined, works: () => false, onDidChange: never };
  const structured = { perform: nothing, judged: () => undefined, onDidJudge: never };
  const intents = createIntents({
    ...QUIET,
    conversations,
    routes: { active: () => undefined },
    composers,
    structured,
    decide: scripted.tools.approvals.decide,
    probes,
    log,
  });
  const pages: Page[] = [];
  return {
    conversations,
    composers,
    open(conversationId) {
      const page = createPage(
        {
          conversations,
          composers,
          intents,
          probes,
          routes: {
            named: () => undefined,
            all: () => [],
            active: () => undefined,
            useDemo: () => undefined,
            // Settings are the same in all windows.
            onDidChange: scripted.routes.onDidChange,
            dispose: () => undefined,
          },
          turns: { tokenRatio: () => 1 },
          storage: { banner: () => undefined, history: undefined, onDidChange: never, onDidOpen: never },
          proposals: scripted.proposals,
          findings: scripted.findings,
          structured,
          tools: scripted.tools.set,
          approvals: scripted.tools.approvals,
          choices: { createSearch: () => ({ search: () => undefined, dispose: () => undefined }) },
          prompts: {
            choices: async () => [],
            text: (message: string) => message.replace('/long', 'long '.repeat(5000)),
          },
          symbols: { filterKnown: async () => [], open: async () => undefined },
          starters: { list: () => [], onDidChange: never },
          onShown: () => undefined,
          onFocusMoved: () => undefined,
          takeFocus: () => undefined,
          isInFront: () => true,
          watchEscape: () => ({ pressed: () => false, dispose: () => undefined }),
          log,
        },
        conversationId,
      );
      pages.push(page);
      return page;
    },
    close() {
      for (const { panel } of pages) panel.dispose();
      intents.dispose();
      composers.dispose();
      conversations.dispose();
    },
  };
}

/** A real chat panel of a window, with a webview that records the messages of the host. */
import assert from 'node:assert/strict';
import type { ChatPanel, ChatPanelDeps } from '../../../src/editor/chatView/chatPanel.ts';
import type { HostMessage, PostedMessage } from '../../../src/panel/hostMessages.ts';
import { foldPanel, type Panel } from '../../../src/webview/chat/state.ts';
import { ROUTE } from '../../unit/service/wire.ts';
import type { Clock } from './clock.ts';
import { createChatPanel } from './rooms.ts';
import type { Window } from './window.ts';

export interface PlayedPanel {
  readonly panel: ChatPanel;
  /** Passes on a message of the page, as the editor does. */
  say(message: unknown): void;
}

type Webview = Parameters<typeof createChatPanel>[0];

const NEVER_FIRES = () => ({ dispose: () => undefined });

/** Opens a panel in a window. It has one route, and no proposals, findings, or tools. */
export function openPanel(
  window: Window,
  clock: Clock,
  conversationId: string,
  receive: (message: HostMessage, posted: PostedMessage) => void,
  storage: Pick<ChatPanelDeps['storage'], 'history' | 'onDidOpen'> = {
    history: undefined,
    onDidOpen: NEVER_FIRES,
  },
  isInFront = () => true,
  findPrompts: ChatPanelDeps['prompts']['choices'] = async () => [],
): PlayedPanel {
  /** The state of a page that gets every message. */
  let state: Panel | undefined;
  const listeners = new Set<(message: unknown) => unknown>();
  const webview: Pick<Webview, 'onDidReceiveMessage' | 'postMessage'> = {
    onDidReceiveMessage(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    async postMessage(original: PostedMessage) {
      // As the editor does.
      const posted: PostedMessage = JSON.parse(JSON.stringify(original));
      const next = foldPanel(state, posted);
      assert.ok(next !== 'resync' && next !== 'outdated', 'each message has the next number');
      state = next.state;
      receive(next.message, posted);
      return true;
    },
  };
  const { conversations, composers, intents, warn } = window;
  const deps: ChatPanelDeps = {
    conversations,
    composers,
    intents,
    routes: {
      active: () => ({ route: ROUTE, demoKey: undefined }),
      onDidChange: NEVER_FIRES,
    } as unknown as ChatPanelDeps['routes'],
    turns: { tokenRatio: () => 1 },
    probes: { lackOf: () => undefined, works: () => false, onDidChange: NEVER_FIRES },
    storage: {
      ...storage,
      banner: () => undefined,
      onDidChange: NEVER_FIRES,
    },
    proposals: { ofTurn: () => [], onDidChange: NEVER_FIRES },
    findings: { placementsOf: () => undefined, onDidPlace: NEVER_FIRES },
    structured: { judged: () => undefined, onDidJudge: NEVER_FIRES },
    tools: { chosen: () => [], titleOf: ({ name }) => name, onDidChange: NEVER_FIRES },
    approvals: { waitingFor: () => undefined },
    choices: {
      createSearch: () => ({ search: async () => undefined, dispose: () => undefined }),
    } as unknown as ChatPanelDeps['choices'],
    prompts: { choices: findPrompts, text: (message: string) => message },
    symbols: { filterKnown: async () => [], open: async () => undefined },
    starters: { list: () => [], onDidChange: NEVER_FIRES },
    onShown: () => undefined,
    onFocusMoved: () => undefined,
    takeFocus: () => undefined,
    isInFront,
    watchEscape: window.watchEscape,
    log: { warn },
  };
  const asWindow = <Result>(run: () => Result): Result => clock.as(window.name, run);
  const panel = asWindow(() => createChatPanel(webview as Webview, conversationId, deps));
  return {
    panel,
    say(message) {
      const copy = structuredClone(message);
      asWindow(() => {
        for (const listener of [...listeners]) listener(copy);
      });
    },
  };
}

/** A window without an editor: the real database, asking, queue, and message box. Only the service is simulated. */

import assert from 'node:assert/strict';
import { toImageAttachment } from '../../../src/conversation/images/imagePlan.ts';
import type { ChatPanelDeps } from '../../../src/editor/chatView/chatPanel.ts';
import type { Intents, IntentsDeps } from '../../../src/editor/chatView/intents.ts';
import type { Composers } from '../../../src/editor/composer/composers.ts';
import type { Conversations } from '../../../src/editor/conversations/conversationList.ts';
import { createConversationStore } from '../../../src/history/conversationStore.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import type { TurnSettings } from '../../../src/requests/turnSettings.ts';
import { createTurns } from '../../../src/requests/turns.ts';
import { createDeferred } from '../../../src/service/deferred.ts';
import type { Transport } from '../../../src/service/transport.ts';
import { PRICES } from '../../unit/history/support.ts';
import { ROUTE } from '../../unit/service/wire.ts';
import { NOT_RENAMED } from '../notRenamed.ts';
import type { Clock } from './clock.ts';
import { createComposers, createConversations, createIntents } from './rooms.ts';

const FOREVER_MS = 1e12;
export const SETTINGS: TurnSettings = {
  systemPrompt: '',
  maxCompletionTokens: undefined,
  effort: undefined,
  promptCacheKey: false,
  prices: PRICES,
  limits: {
    connecting: FOREVER_MS,
    'first-byte': FOREVER_MS,
    reasoning: FOREVER_MS,
    answering: FOREVER_MS,
  },
  dailyCap: undefined,
  problems: [],
};

export interface Window {
  /** Unique, also among the windows that were closed. */
  readonly name: string;
  readonly conversations: Conversations;
  readonly composers: Composers;
  readonly intents: Intents;
  readonly watchEscape: ChatPanelDeps['watchEscape'];
  /** The warnings that a user would find in the log. */
  readonly log: readonly string[];
  warn(line: string): void;
  /** Each request waits for `letGo` before it is sent, as if a dialog were open. */
  hold(): void;
  letGo(): void;
  /** From now on, requests are refused because the key or the route is missing. */
  lack(what: 'nothing' | 'key' | 'route'): void;
  /** Kills the window at a call of the database: 0 for the next one. */
  killAt(calls: number): void;
  readonly isDead: () => boolean;
  kill(): void;
  close(): void;
}

export interface WindowDeps {
  readonly name: string;
  readonly folder: string;
  readonly clock: Clock;
  readonly transport: Transport;
  /** Whether the disk is full. */
  isFull(): boolean;
  /** Whether another program has locked the database since this window began. */
  isLocked(): boolean;
  /** The conversation that was open, as the workspace remembers it. */
  readonly lastOpen: { get(): string | undefined; set(id: string): void };
  /** Called when the window dies at a call of the database. */
  onDeath(): void;
}

export function openWindow(deps: WindowDeps): Window {
  return deps.clock.as(deps.name, () => open(deps));
}

function open({ name, folder, clock, transport, isFull, isLocked, lastOpen, onDeath }: WindowDeps): Window {
  const opened = openHistory({
    folder,
    place: name,
    now: clock.now,
    onSetAside: () => assert.fail('the database was set aside'),
    onWrong: assert.fail,
  });
  assert.ok(opened.ok);
  const log: string[] = [];
  let left = Number.POSITIVE_INFINITY;
  const isDead = () => left < 0 && left !== CLOSED;
  const history = guarded(opened.history, {
    before(call) {
      if (left < 0) throw new Error('the window is gone');
      if (--left < 0) {
        opened.history.close();
        clock.drop(name);
        onDeath();
        throw new Error('the window was killed');
      }
      if (isFull() && !READS.has(call))
        throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    },
    isLocked,
  });
  const warn = (line: string) => void (isDead() || isFull() || isLocked() || log.push(line));
  const store = createConversationStore({
    history,
    prices: () => PRICES,
    onTrouble: (trouble, error) => trouble && error !== undefined && warn(`${trouble}: ${String(error)}`),
    onFailure: (what, error) => warn(`${what}: ${String(error)}`),
  });
  let gate = createDeferred<void>();
  gate.resolve();
  let held = false;
  let lacking: 'nothing' | 'key' | 'route' = 'nothing';
  const turns = createTurns({
    settings: () => SETTINGS,
    routes: {
      named: () => undefined,
      active: () => (lacking === 'route' ? undefined : { route: ROUTE, demoKey: undefined }),
    },
    keys: {
      async find() {
        await gate.promise;
        if (lacking === 'key') return { found: false, why: 'none' };
        return { found: true, key: 'sk-test', source: 'stored' };
      },
    },
    // A process that was killed sends nothing.
    transports: {
      for: async () => (request) => (left < 0 ? new Promise(() => undefined) : transport(request)),
    },
    spentToday: () => 0,
    confirm: async () => true,
    putSpend: store.putSpend,
    log: { info: () => undefined, warn },
  });
  const conversations = createConversations({
    turns,
    log: { info: () => undefined, warn },
    store,
    untitled: 'New conversation',
    workspace: undefined,
    lastConversation: lastOpen,
  });
  const composers = createComposers(conversations, { get: () => undefined, set: () => undefined });
  conversations.useBegun(composers.isBegun);
  const intents = createIntents(toIntentsDeps(conversations, composers, warn));
  return {
    name,
    conversations,
    composers,
    intents,
    watchEscape: () => ({ pressed: () => false, dispose: () => undefined }),
    log,
    warn,
    hold() {
      if (!held) gate = createDeferred<void>();
      held = true;
    },
    letGo() {
      held = false;
      gate.resolve();
    },
    lack(what) {
      lacking = what;
    },
    killAt(calls) {
      left = calls;
    },
    isDead,
    kill() {
      if (left === CLOSED) return;
      if (!isDead()) opened.history.close();
      left = -1;
      clock.drop(name);
    },
    close() {
      // In the order of the extension, which disposes of the last object first.
      clock.as(name, () => {
        intents.dispose();
        composers.dispose();
        conversations.dispose();
      });
      left = CLOSED;
      clock.drop(name);
    },
  };
}

export function toIntentsDeps(
  conversations: Conversations,
  composers: Composers,
  warn: (line: string) => void,
): IntentsDeps {
  return {
    conversations,
    composers,
    log: { warn },
    routes: { active: () => undefined },
    probes: { lackOf: () => undefined, works: () => false },
    decide: () => undefined,
    openResult: async () => undefined,
    showToolChanges: async () => undefined,
    proposals: { ofTurn: () => [] },
    renames: NOT_RENAMED,
    findings: { placementsOf: () => undefined },
    structured: { perform: async () => undefined },
    codeBlocks: { perform: async () => undefined } as unknown as IntentsDeps['codeBlocks'],
    instructions: { leaveOut: () => undefined },
    prompts: { expand: async () => ({ kind: 'plain' }) },
    attaching: {
      add: async () => true,
      pick: async () => undefined,
      remove: () => undefined,
      refresh: async () => undefined,
      collect: async () => [],
      refreshAll: async ({ question }) => question.context ?? [],
      read: async () => ({ context: [], problems: [] }),
    },
    images: {
      attachBytes: async () => undefined,
      attachAddresses: async () => undefined,
      remove: () => undefined,
      shrink: async (images) => images,
      async ready(conversationId, text) {
        const { attachments } = composers.of(conversationId);
        return { text, images: attachments.map(toImageAttachment), attached: attachments };
      },
    },
  };
}

/** Used in place of the number of remaining calls. */
const CLOSED = Number.NEGATIVE_INFINITY;

const READS: ReadonlySet<string> = new Set<keyof History>([
  'list',
  'load',
  'isKnown',
  'revision',
  'removed',
  'draft',
  'queue',
  'holder',
  'holders',
  'costSince',
  'estimatedSince',
  'unsent',
  'version',
  'close',
]);

interface Guard {
  before(call: string): void;
  isLocked(): boolean;
}

/** The database of a process that can be killed at any call, with the errors of a full disk or a lock. */
function guarded(history: History, { before, isLocked }: Guard): History {
  const entries = Object.entries(history).map(([name, call]) => [
    name,
    (...args: unknown[]) => {
      before(name);
      if (isLocked() && name === 'version') return '0/closed';
      if (isLocked() && name !== 'close')
        throw Object.assign(new Error('database is not open'), { errcode: 5 });
      return (call as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return { ...(Object.fromEntries(entries) as unknown as History), isOpen: () => !isLocked() };
}

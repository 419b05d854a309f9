/** Approvals of installed tools, and the calls that are waiting for approval. */

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import {
  type AllowedDefinition,
  type ApprovedTool,
  allowedBefore,
} from '../../conversation/toolCalls/toolChanges.ts';
import { hashOfTool, SERVER_SOURCE } from '../../conversation/toolCalls/toolNames.ts';
import type { ToolDefinition } from '../../conversation/toolCalls/tools.ts';
import { findWaiting, type WaitingCall } from '../../conversation/toolCalls/waitingCalls.ts';
import type { ToolDecision } from '../../panel/views.ts';
import { untilAborted } from '../../service/abort.ts';
import { asArray } from '../../service/json.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { configuredServers } from './configuredServers.ts';

export interface ToolApprovals extends vscode.Disposable {
  /** Whether the call may run. Waits for the user if the tool isn't approved. False when the signal is aborted. */
  ask(
    asking: Omit<WaitingCall, 'approval' | 'allowed' | 'onlyOnce'>,
    signal: AbortSignal,
    onWaiting?: () => void,
  ): Promise<boolean>;
  /**
   * Decides a waiting call: exactly the one that was shown, not another one with its ID. Returns false if it no longer
   * waits.
   *
   * @param approval the identity of the request, see `WaitingCall`
   */
  decide(approval: string, decision: ToolDecision): boolean;
  waiting(): readonly WaitingCall[];
  /** The waiting request for a call of a conversation. Undefined if the call doesn't wait, or waits in another window. */
  waitingFor(conversationId: string, call: Parameters<typeof findWaiting>[2]): WaitingCall | undefined;
  /** Fires when the waiting calls change. */
  readonly onDidChange: vscode.Event<void>;
  /** The allow list. */
  always(): readonly ApprovedTool[];
  /** The number of approvals in conversations of this window. */
  inConversations(): number;
  /**
   * Removes tools from the allow list by their hashes, and revokes all approvals in conversations, including those of other
   * windows.
   */
  revoke(hashes: readonly string[]): Promise<void>;
}

export interface ToolApprovalsDeps {
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  /** Whether each call needs approval, regardless of earlier approvals. */
  readonly alwaysAsk: () => boolean;
  /**
   * Identifies the workspace. A workspace can configure MCP servers under any name, so approvals of their tools apply only
   * in it.
   */
  readonly workspace: () => string | Promise<string>;
  readonly log: Pick<Log, 'warn'>;
}

const KEY = 'k3.approvedTools';
/** The key of a value that changes each time the approvals in conversations are revoked. */
const REVOKED = 'k3.revokedApprovals';
/** The IDs of the last approvals on the allow list that were revoked: the window that gave one restores it for some seconds. */
const REVOKED_TOOLS = 'k3.revokedTools';
const MAX_REVOKED = 100;

interface ListedTool extends ApprovedTool {
  /** Missing in approvals of an earlier version, which have their hash instead. */
  readonly id?: string;
}

const idOf = ({ id, hash }: ListedTool): string => id ?? hash;

interface ConversationApproval extends ApprovedTool, Pick<WaitingCall, 'conversationId'> {
  readonly revoked: unknown;
}

interface Pending extends WaitingCall {
  readonly hash: string;
  readonly settle: (allowed: boolean) => void;
}

export function createToolApprovals({ state, alwaysAsk, workspace, log }: ToolApprovalsDeps): ToolApprovals {
  const changed = new vscode.EventEmitter<void>();
  /** Approvals in conversations, see `keyOf`, with the value of `REVOKED` when they were given. */
  const inConversation = new Map<string, ConversationApproval>();
  let pending: readonly Pending[] = [];

  const isValid = ({ revoked }: ConversationApproval) => revoked === state.get<unknown>(REVOKED);
  const revokedTools = () => asArray(state.get<unknown>(REVOKED_TOOLS)) ?? [];
  const always = (): readonly ListedTool[] => {
    const revoked = revokedTools();
    return parseApproved(state.get<unknown>(KEY)).filter((one) => !revoked.includes(idOf(one)));
  };
  const scopeOf = (tool: ToolDefinition) => (isOfServer(tool) ? workspace() : '');
  const keyOf = (conversationId: string, hash: string) => `${conversationId} ${hash}`;

  function isApproved(conversationId: string, hash: string): boolean {
    if (alwaysAsk()) return false;
    const own = inConversation.get(keyOf(conversationId, hash));
    return (own !== undefined && isValid(own)) || always().some((one) => one.hash === hash);
  }

  function findAllowed(conversationId: string, tool: ToolDefinition, scope: string) {
    const own = [...inConversation.values()].filter((one) => one.conversationId === conversationId);
    return allowedBefore([...always(), ...own], tool, scope);
  }

  function settle(which: (one: Pending) => boolean, allowed: boolean): void {
    const settled = pending.filter(which);
    if (settled.length === 0) return;
    pending = pending.filter((one) => !which(one));
    for (const one of settled) one.settle(allowed);
    changed.fire();
  }

  function remember({ conversationId, hash, tool }: Pending, decision: ToolDecision): void {
    if (alwaysAsk() || (decision !== 'conversation' && decision !== 'always')) return;
    const { name, source, description, parameters } = tool;
    const approved = { hash, name, source, definition: { description, parameters } };
    if (decision === 'conversation')
      inConversation.set(keyOf(conversationId, hash), {
        ...approved,
        conversationId,
        revoked: state.get<unknown>(REVOKED),
      });
    else {
      const listed: ListedTool = { ...approved, id: randomUUID() };
      // Another window can have listed it while this one asked.
      const others = always().filter((one) => one.hash !== hash);
      inBackground(log, state.update(KEY, [...others, listed]), 'saving the allow list of tools');
    }
    // The approval also applies to other waiting calls of the tool.
    settle((one) => isApproved(one.conversationId, one.hash), true);
  }

  const self: ToolApprovals = {
    onDidChange: changed.event,
    waiting: () => pending,
    waitingFor: (conversationId, call) => findWaiting(pending, conversationId, call),
    always,
    inConversations: () => [...inConversation.values()].filter(isValid).length,
    async revoke(hashes) {
      inConversation.clear();
      const all = always();
      const left = all.filter(({ hash }) => !hashes.includes(hash));
      const gone = all.filter((one) => !left.includes(one)).map(idOf);
      const revoked = [...revokedTools(), ...gone].slice(-MAX_REVOKED);
      // The state writes one after another, and the window can be closed meanwhile. Then another one could restore these tools.
      await Promise.all([
        state.update(REVOKED_TOOLS, revoked),
        state.update(REVOKED, randomUUID()),
        state.update(KEY, left),
      ]);
    },
    async ask(asking, signal, onWaiting) {
      const { conversationId, call, tool } = asking;
      const found = scopeOf(tool);
      const scope = typeof found === 'string' ? found : await untilStopped(found, signal);
      if (signal.aborted || scope === undefined) return false;
      const hash = hashOfTool(tool, scope);
      if (isApproved(conversationId, hash)) return true;
      const isSame = (one: Pending) => one.conversationId === conversationId && one.call.id === call.id;
      // If two calls had the same ID, the call that runs might not be the one that was shown.
      if (pending.some(isSame)) return false;
      const isAllowed = await new Promise<boolean>((resolve) => {
        const allowed = findAllowed(conversationId, tool, scope);
        const about = { allowed, onlyOnce: alwaysAsk(), approval: randomUUID(), hash };
        const waiting = { ...asking, ...about, settle: resolve };
        pending = [...pending, waiting];
        signal.addEventListener('abort', () => settle((one) => one === waiting, false), { once: true });
        onWaiting?.();
        changed.fire();
      });
      // A workspace folder that was added meanwhile can have its own server with this name.
      const isOther = isAllowed && (await untilStopped(scopeOf(tool), signal)) !== scope;
      return isOther ? self.ask(asking, signal, onWaiting) : isAllowed;
    },
    decide(approval, decision) {
      const found = pending.find((one) => one.approval === approval);
      if (found === undefined) return false;
      settle((one) => one === found, decision !== 'refuse');
      remember(found, decision);
      return true;
    },
    dispose() {
      settle(() => true, false);
      changed.dispose();
    },
  };
  return self;
}

/**
 * A text that identifies the workspace, including its servers. Windows on all machines share the approvals, and folders on
 * two machines can have the same path, for example in containers. A workspace file can also configure servers, and name any
 * folders.
 */
export async function workspaceIdentity(machine: string = hostname()): Promise<string> {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const uris = [workspaceFile ?? [], workspaceFolders.map(({ uri }) => uri)].flat().map(String);
  const places = vscode.env.remoteName === undefined ? uris : [machine, ...uris];
  return [...places, ...(await configuredServers())].join('\n');
}

/** Resolves with undefined when the signal aborts: the workspace can be on a drive that doesn't respond. */
const untilStopped = (scope: string | Promise<string>, signal: AbortSignal): Promise<string | undefined> =>
  untilAborted(Promise.resolve(scope), signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });

const isOfServer = ({ source }: ToolDefinition): boolean => source.startsWith(SERVER_SOURCE);

function parseApproved(value: unknown): readonly ListedTool[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): readonly ListedTool[] => {
    if (typeof one !== 'object' || one === null) return [];
    if (!('hash' in one) || !('name' in one) || !('source' in one)) return [];
    const { hash, name, source } = one;
    const known = typeof hash === 'string' && typeof name === 'string' && typeof source === 'string';
    const definition = 'definition' in one ? parseDefinition(one.definition) : undefined;
    const id = 'id' in one && typeof one.id === 'string' ? one.id : undefined;
    return known
      ? [{ hash, name, source, ...(definition && { definition }), ...(id !== undefined && { id }) }]
      : [];
  });
}

function parseDefinition(value: unknown): AllowedDefinition | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('description' in value) || !('parameters' in value)) return undefined;
  const { description, parameters } = value;
  if (typeof description !== 'string' || typeof parameters !== 'object' || parameters === null)
    return undefined;
  return { description, parameters: { ...parameters } };
}

/** What the reader said about tools of others, and the calls that wait for it. */
import * as vscode from 'vscode';
import { hashOfTool, SERVER_SOURCE } from '../../chat/toolNames.ts';
import type { ReadyCall, ToolDefinition } from '../../chat/tools.ts';
import type { ToolDecision } from '../../panel/views.ts';

export interface WaitingCall {
  readonly conversationId: string;
  readonly call: ReadyCall;
  readonly tool: ToolDefinition;
}

/** A tool that is always allowed, as it was when that was said. */
export interface ApprovedTool {
  /** Of everything that the tool is: when it changes, the approval is for nothing. */
  readonly hash: string;
  readonly name: string;
  readonly source: string;
}

export interface ToolApprovals extends vscode.Disposable {
  /** Whether the call may run; asks when nothing was said about exactly this tool. False when the signal is aborted. */
  ask(waiting: WaitingCall, signal: AbortSignal, onWaiting?: () => void): Promise<boolean>;
  /** Decides about a call that waits. False when there is none. */
  decide(conversationId: string, callId: string, decision: ToolDecision): boolean;
  waiting(): readonly WaitingCall[];
  /** The calls that wait are others now. */
  readonly onDidChange: vscode.Event<void>;
  always(): readonly ApprovedTool[];
  /** How many tools are allowed in conversations of this window. */
  inConversations(): number;
  /** Takes back what is always allowed of these tools, and everything that was allowed in conversations. */
  revoke(hashes: readonly string[]): Promise<void>;
}

export interface ToolApprovalsDeps {
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  /** Every call is asked about, whatever was said before. */
  readonly alwaysAsk: () => boolean;
  /** What this workspace is. Servers of tools are configured in it, under any name: what is allowed is allowed here. */
  readonly workspace: () => string;
}

const KEY = 'k3.approvedTools';

interface Pending extends WaitingCall {
  readonly hash: string;
  readonly settle: (allowed: boolean) => void;
}

export function createToolApprovals({ state, alwaysAsk, workspace }: ToolApprovalsDeps): ToolApprovals {
  const changed = new vscode.EventEmitter<void>();
  /** Conversation and hash. */
  const inConversation = new Set<string>();
  let pending: readonly Pending[] = [];

  const always = () => parseApproved(state.get<unknown>(KEY));
  const keyOf = (conversationId: string, hash: string) => `${conversationId} ${hash}`;

  function isApproved(conversationId: string, hash: string): boolean {
    if (alwaysAsk()) return false;
    return inConversation.has(keyOf(conversationId, hash)) || always().some((one) => one.hash === hash);
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
    if (decision === 'conversation') inConversation.add(keyOf(conversationId, hash));
    else void state.update(KEY, [...always(), { hash, name: tool.name, source: tool.source }]);
    // What was said covers the calls beside this one as well.
    settle((one) => isApproved(one.conversationId, one.hash), true);
  }

  return {
    onDidChange: changed.event,
    waiting: () => pending,
    always,
    inConversations: () => inConversation.size,
    async revoke(hashes) {
      inConversation.clear();
      await state.update(
        KEY,
        always().filter(({ hash }) => !hashes.includes(hash)),
      );
    },
    async ask(waiting, signal, onWaiting) {
      const hash = hashOfTool(waiting.tool, isOfServer(waiting.tool) ? workspace() : '');
      const { conversationId, call } = waiting;
      if (signal.aborted) return false;
      if (isApproved(conversationId, hash)) return true;
      const isThis = (one: Pending) => one.conversationId === conversationId && one.call.id === call.id;
      // Two calls by one id could be taken for each other, and what was shown would not be what runs.
      if (pending.some(isThis)) return false;
      return new Promise((resolve) => {
        pending = [...pending, { ...waiting, hash, settle: resolve }];
        signal.addEventListener('abort', () => settle(isThis, false), { once: true });
        onWaiting?.();
        changed.fire();
      });
    },
    decide(conversationId, callId, decision) {
      const found = pending.find((one) => one.conversationId === conversationId && one.call.id === callId);
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
}

const isOfServer = ({ source }: ToolDefinition): boolean => source.startsWith(SERVER_SOURCE);

function parseApproved(value: unknown): readonly ApprovedTool[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): readonly ApprovedTool[] => {
    if (typeof one !== 'object' || one === null) return [];
    if (!('hash' in one) || !('name' in one) || !('source' in one)) return [];
    const { hash, name, source } = one;
    const known = typeof hash === 'string' && typeof name === 'string' && typeof source === 'string';
    return known ? [{ hash, name, source }] : [];
  });
}

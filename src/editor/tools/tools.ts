/** Registers the tools: built-in and installed ones, approvals, and the tool picker. */
import * as vscode from 'vscode';
import type { Toolbox } from '../../conversation/toolCalls/tools.ts';
import type { RequestRoute } from '../../requests/conversationRequest.ts';
import type { Base } from '../base/base.ts';
import type { DroppedImages } from '../connection/droppedImages.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ImageScaler } from '../images/imageScaler.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import { readSettings } from '../settings/settings.ts';
import type { SharedState } from '../storage/sharedState.ts';
import type { Storage } from '../storage/storage.ts';
import { createBuiltInTools } from './builtInTools.ts';
import { createInstalledTools } from './installedTools.ts';
import { createToolApprovals, type ToolApprovals, workspaceIdentity } from './toolApprovals.ts';
import { createToolbox } from './toolbox.ts';
import { registerToolChanges } from './toolChanges.ts';
import { registerToolDecisions } from './toolDecisions.ts';
import { registerToolPicker } from './toolPicker.ts';
import { registerToolResults, type ToolResults } from './toolResults.ts';
import { createToolSet, type ToolSet } from './toolSet.ts';

export interface ToolsDeps {
  readonly base: Pick<Base, 'log'>;
  readonly storage: Pick<Storage, 'globalState'>;
  readonly conversations: Pick<Conversations, 'get' | 'find' | 'useTools' | 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'add' | 'get' | 'ofFile' | 'ofTurn' | 'change'>;
  readonly scaler: Pick<ImageScaler, 'examine'>;
  readonly probes: Pick<RouteProbes, 'lackOf'>;
  readonly droppedImages: Pick<DroppedImages, 'leavesOut'>;
  readonly shared: SharedState;
}

export interface Tools extends vscode.Disposable {
  /** Opens the result of a call as a read-only document. */
  readonly openResult: ToolResults['open'];
  /** Shows how the tool of a waiting call has changed since the user allowed it. */
  showChanges(approval: string): Promise<void>;
  readonly set: ToolSet;
  readonly approvals: ToolApprovals;
  /** The toolbox for a turn of a conversation, without definitions when no tool is selected. */
  toolboxOf(conversationId: string, route?: RequestRoute): Toolbox;
}

export function registerTools(deps: ToolsDeps): Tools {
  const { base, storage, conversations, proposals, scaler, probes, droppedImages, shared } = deps;
  const { log } = base;
  const builtIn = createBuiltInTools({ conversations, proposals, log });
  const installed = createInstalledTools({
    taken: new Set(builtIn.map(({ definition }) => definition.name)),
    scaler,
  });
  const set = createToolSet({
    builtIn,
    installed,
    state: shared,
    enabled: () => readSettings().toolsEnabled,
    log,
  });
  const approvals = createToolApprovals({
    log,
    state: storage.globalState,
    alwaysAsk: () => readSettings().toolsAlwaysAsk,
    workspace: () => workspaceIdentity(),
  });
  const changes = registerToolChanges();
  const results = registerToolResults(conversations);
  const registered = vscode.Disposable.from(
    registerToolPicker(set, probes),
    registerToolDecisions({
      approvals,
      changes,
      titleOf: (id) => conversations.get(id)?.title,
      log,
    }),
    changes,
    results,
    set,
    approvals,
  );
  const toolboxOf = createToolbox({ tools: set, installed, approvals, probes, droppedImages });
  conversations.useTools(toolboxOf);
  return {
    set,
    approvals,
    toolboxOf,
    openResult: results.open,
    showChanges: (approval) => changes.show(approvals.waiting().find((one) => one.approval === approval)),
    dispose: () => registered.dispose(),
  };
}

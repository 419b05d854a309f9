/** The composition root: registers the rooms in the order of their dependencies. No logic. */

import * as vscode from 'vscode';
import { registerBase } from './editor/base/base.ts';
import { registerChatView } from './editor/chatView/chatView.ts';
import { registerCode } from './editor/code/code.ts';
import { registerComposer } from './editor/composer/composer.ts';
import { registerConnection } from './editor/connection/connection.ts';
import { registerConversations } from './editor/conversations/conversations.ts';
import { previewsOf } from './editor/conversations/questionPreviews.ts';
import { registerDiagnostics } from './editor/diagnostics/diagnostics.ts';
import { registerFindings } from './editor/findings/findings.ts';
import { createImages } from './editor/images/images.ts';
import { registerInPlace } from './editor/inPlace/inPlace.ts';
import { registerLanguageModel } from './editor/languageModel/languageModel.ts';
import { registerParticipant } from './editor/participant/participant.ts';
import { registerProblems } from './editor/problems/problems.ts';
import { registerProposals } from './editor/proposals/proposals.ts';
import { registerReasoning } from './editor/reasoning/reasoning.ts';
import { registerSettings } from './editor/settings/settings.ts';
import { createSharedState } from './editor/storage/sharedState.ts';
import { createStorage } from './editor/storage/storage.ts';
import { toWindowPlace } from './editor/storage/windowPlace.ts';
import { registerStructured } from './editor/structured/structured.ts';
import { registerTerminal } from './editor/terminal/terminal.ts';
import { registerTools } from './editor/tools/tools.ts';
import { registerUsage } from './editor/usage/usage.ts';
import { createAllowedReads } from './editor/workspace/allowedReads.ts';

/** Registers all rooms. Returns the API for tests that run inside the editor; undefined in a normal window. */
export function activate(context: vscode.ExtensionContext) {
  const settings = registerSettings();
  const base = registerBase();
  const storage = createStorage({ base, context });
  const place = toWindowPlace(context, base.log);
  const shared = createSharedState(place, context.workspaceState, base.log);
  const connection = registerConnection({ base, storage, context });
  const list = registerConversations({ base, storage, turns: connection.turns, context });
  const { conversations } = list;
  const scaler = createImages({ base, context });
  const terminals = registerTerminal({ base, conversations });
  // Shared by all rooms, so that none of them asks again about a file that the user has allowed in this window.
  const reads = createAllowedReads();
  const composer = registerComposer({ base, conversations, scaler, terminals, ...connection, shared, reads });
  const structured = registerStructured({ base, conversations, ...connection, ...composer, reads });
  const code = registerCode({ base, conversations, reads });
  const review = registerProposals({ base, storage, conversations, context, place, shared });
  const { proposals, renames } = review;
  const inPlace = registerInPlace({ base, conversations, ...connection, ...composer, ...review, shared });
  const findings = registerFindings({
    base,
    storage,
    conversations,
    ...connection,
    ...composer,
    ...review,
    shared,
    reads,
  });
  const tools = registerTools({ base, storage, conversations, proposals, scaler, ...connection, shared });
  const deps = { base, storage, ...connection, ...list, ...composer, ...review, structured, context };
  const chatView = registerChatView({ ...deps, findings, tools });
  const otherChats = [registerLanguageModel(deps), registerParticipant({ ...deps, tools, reads })];
  const { composers } = composer;
  const { routes } = connection;
  const reasoning = registerReasoning({ ...base, conversations, composers, routes, structured });
  const problems = registerProblems({ ...deps, perform: chatView.perform });
  const usage = registerUsage(deps);
  const asking = [code, terminals, inPlace, review, findings];
  const previews = () => previewsOf(asking);
  const diagnostics = registerDiagnostics({ ...deps, previews, toolbox: tools.toolboxOf });
  const lower = [settings, base, storage, shared, connection, list, terminals, composer, structured];
  const middle = [code, review, inPlace, findings, tools];
  const upper = [chatView, ...otherChats, reasoning, problems, usage, diagnostics];
  // Disposed first: a running turn is ended, recorded, and logged while all rooms still exist.
  const ending = new vscode.Disposable(() => connection.turns.interrupt());
  // Disposed in reverse order: a room may save pending changes through the rooms that it depends on.
  context.subscriptions.push(...[...lower, ...middle, ...upper, ending].toReversed());
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  const { turns, keys, probes } = connection;
  return {
    conversations,
    proposals,
    renames,
    inPlace,
    findings,
    tools,
    turns,
    keys,
    routes,
    probes,
    context,
  };
}

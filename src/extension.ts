/** The composition root: registers the rooms in the order of their dependencies. No logic. */

import * as vscode from 'vscode';
import { registerBase } from './editor/base/base.ts';
import { registerChatView } from './editor/chatView/chatView.ts';
import { registerCode } from './editor/code/code.ts';
import { registerComposer } from './editor/composer/composer.ts';
import { registerConnection } from './editor/connection/connection.ts';
import { registerConversations } from './editor/conversations/conversations.ts';
import { registerDiagnostics } from './editor/diagnostics/diagnostics.ts';
import { registerFindings } from './editor/findings/findings.ts';
import { createImages } from './editor/images/images.ts';
import { registerLanguageModel } from './editor/languageModel/languageModel.ts';
import { registerProposals } from './editor/proposals/proposals.ts';
import { registerReasoning } from './editor/reasoning/reasoning.ts';
import { createStorage } from './editor/storage/storage.ts';
import { registerStructured } from './editor/structured/structured.ts';
import { registerTools } from './editor/tools/tools.ts';

/** Registers all rooms. Returns the API for tests that run inside the editor; undefined in a normal window. */
export function activate(context: vscode.ExtensionContext) {
  const base = registerBase();
  const storage = createStorage({ base, context });
  const connection = registerConnection({ base, storage, context });
  const { turns } = connection;
  const list = registerConversations({ base, storage, turns, context });
  const { conversations } = list;
  const scaler = createImages({ base, context });
  const composer = registerComposer({ base, conversations, scaler, context });
  const structured = registerStructured({ base, conversations, composers: composer.composers });
  const code = registerCode({ base, conversations });
  const review = registerProposals({ base, conversations, context });
  const { proposals, proposeEdits } = review;
  const findings = registerFindings({ base, conversations, proposeEdits, context });
  const tools = registerTools({ conversations, proposals, scaler, context });
  const below = {
    base,
    storage,
    ...connection,
    ...list,
    ...composer,
    ...review,
    structured,
    findings,
    context,
  };
  const chatView = registerChatView({ ...below, tools });
  const languageModel = registerLanguageModel(below);
  const reasoning = registerReasoning({ conversations });
  const diagnostics = registerDiagnostics({ ...below, toolbox: tools.toolboxOf, perform: chatView.perform });
  const lower = [base, storage, connection, list, composer, structured, code, review, findings];
  const upper = [tools, chatView, languageModel, reasoning, diagnostics];
  // Disposed in reverse order: a room may save pending changes through the rooms that it depends on.
  context.subscriptions.push(...[...lower, ...upper].toReversed());
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return { conversations, proposals, findings, tools, turns };
}

export type K3Api = NonNullable<ReturnType<typeof activate>>;

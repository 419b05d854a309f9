/** The composition root: builds the objects, registers them, returns. No logic. */

import * as vscode from 'vscode';
import { registerBase } from './editor/base/base.ts';
import { registerChatView } from './editor/chatView/chatView.ts';
import { registerContextKeys } from './editor/chatView/contextKeys.ts';
import { createIntents } from './editor/chatView/intents.ts';
import { registerCode } from './editor/code/code.ts';
import { registerComposer } from './editor/composer/composer.ts';
import { registerConnection } from './editor/connection/connection.ts';
import { registerConversationCommands } from './editor/conversations/conversationCommands.ts';
import { registerConversationDocument } from './editor/conversations/conversationDocument.ts';
import { registerConversationFiles } from './editor/conversations/conversationFiles.ts';
import { registerConversationSearch } from './editor/conversations/conversationSearch.ts';
import { type Conversations, createConversations } from './editor/conversations/conversations.ts';
import { registerConversationsTree } from './editor/conversations/conversationsTree.ts';
import { createRemembered } from './editor/conversations/remembered.ts';
import { registerDiagnostics } from './editor/diagnostics/diagnostics.ts';
import { registerFindingActions } from './editor/findings/findingActions.ts';
import { createFindings, type Findings } from './editor/findings/findings.ts';
import { registerFindingThreads } from './editor/findings/findingThreads.ts';
import { registerReviewCommands } from './editor/findings/reviewCommands.ts';
import { createImageScaler } from './editor/images/imageScaler.ts';
import { registerLanguageModel } from './editor/languageModel/languageModel.ts';
import type { Proposals } from './editor/proposals/proposals.ts';
import { registerProposing } from './editor/proposals/proposing.ts';
import { registerReasoning } from './editor/reasoning/reasoning.ts';
import { createStorage } from './editor/storage/storage.ts';
import { registerStructured } from './editor/structured/structured.ts';
import { registerTools, type Tools } from './editor/tools/tools.ts';
import type { Turns } from './turns/turns.ts';

/** What tests inside the editor reach for. */
export interface K3Api {
  readonly conversations: Conversations;
  readonly proposals: Proposals;
  readonly findings: Findings;
  readonly tools: Tools;
  readonly turns: Turns;
}

export function activate(context: vscode.ExtensionContext): K3Api | undefined {
  const base = registerBase();
  const { log } = base;
  const storage = createStorage({ globalStorage: context.globalStorageUri, log });
  const { history } = storage;
  const connection = registerConnection({ base, storage, context });
  const { routes, keys, turns } = connection;
  const workspace = vscode.workspace.name;
  const conversations = createConversations({
    turns,
    log,
    shelf: storage.shelf,
    untitled: vscode.l10n.t('New conversation'),
    workspace,
    remembered: createRemembered(context.workspaceState),
  });
  const scaler = createImageScaler({
    worker: vscode.Uri.joinPath(context.extensionUri, 'dist/imageWorker.cjs').fsPath,
  });
  const composer = registerComposer({ base, conversations, scaler, context });
  const { composers } = composer;
  const structured = registerStructured({ base, conversations, composers });
  const code = registerCode({ conversations });
  const proposing = registerProposing({ conversations, context, lastEditor: base.lastEditor, log });
  const { proposals } = proposing;
  const findings = createFindings({ conversations, state: context.workspaceState, log });
  const findingThreads = registerFindingThreads({ findings });
  const tools = registerTools({ conversations, proposals, scaler, context });
  const intents = createIntents({
    conversations,
    ...composer,
    codeBlocks: proposing.codeBlocks,
    structured,
    decide: (...decision) => void tools.approvals.decide(...decision),
    log,
  });
  const chatView = registerChatView({
    conversations,
    routes,
    intents,
    composers,
    choices: composer.choices,
    storage,
    proposals,
    findings,
    structured,
    tools: tools.set,
    log,
    extensionUri: context.extensionUri,
  });
  const languageModel = registerLanguageModel({ conversations, routes, keys, turns, log });
  const reasoning = registerReasoning({ conversations });
  const diagnostics = registerDiagnostics({
    base,
    conversations,
    routes,
    keys,
    composers,
    structured,
    history,
    toolbox: tools.toolboxOf,
    perform: intents.perform,
    context,
  });
  const rooms = [
    base,
    storage,
    connection,
    conversations,
    vscode.Disposable.from(
      registerConversationDocument({ conversations }),
      registerConversationsTree({ conversations, workspace }),
      registerConversationCommands({ conversations }),
      registerConversationFiles({ conversations }),
      registerConversationSearch({ conversations, history, reveal: chatView.reveal }),
    ),
    composer,
    structured,
    code,
    proposing,
    findings,
    findingThreads,
    registerReviewCommands({ conversations }),
    registerFindingActions({
      conversations,
      findings,
      threads: findingThreads,
      proposeEdits: proposing.proposeEdits,
    }),
    tools,
    intents,
    registerContextKeys({ conversations, proposals, log }),
    chatView,
    languageModel,
    reasoning,
    diagnostics,
  ];
  // From the top floor down: what a room holds back goes through the rooms below it to the disk.
  context.subscriptions.push(...rooms.toReversed());
  const api = { conversations, proposals, findings, tools, turns };
  // Every extension can read what is returned here, and approvals are not for others.
  return context.extensionMode === vscode.ExtensionMode.Test ? api : undefined;
}

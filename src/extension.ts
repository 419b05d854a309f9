/** The composition root: builds the objects, registers them, returns. No logic. */

import * as vscode from 'vscode';
import { createLastEditor } from './editor/base/lastEditor.ts';
import { registerReports } from './editor/base/reports.ts';
import { readSettings } from './editor/base/settings.ts';
import { registerChatView } from './editor/chatView/chatView.ts';
import { registerContextKeys } from './editor/chatView/contextKeys.ts';
import { createIntents } from './editor/chatView/intents.ts';
import { registerCommitMessage } from './editor/code/commitMessage.ts';
import { registerAttachCommands } from './editor/composer/attachCommands.ts';
import { createChosenFormats } from './editor/composer/chosenFormats.ts';
import { createComposers } from './editor/composer/composers.ts';
import { createContextAttaching } from './editor/composer/contextAttaching.ts';
import { createContextChoices } from './editor/composer/contextChoices.ts';
import { registerImageCommands } from './editor/composer/imageCommands.ts';
import { createImageIntake } from './editor/composer/imageIntake.ts';
import { registerConnection } from './editor/connection/connection.ts';
import { registerDemo } from './editor/connection/demo.ts';
import { createKeys } from './editor/connection/keys.ts';
import { registerRouteCommands } from './editor/connection/routeCommands.ts';
import { createRoutes } from './editor/connection/routes.ts';
import { createTransports } from './editor/connection/transports.ts';
import { confirmSpending } from './editor/conversations/asking.ts';
import { registerConversationCommands } from './editor/conversations/conversationCommands.ts';
import { registerConversationDocument } from './editor/conversations/conversationDocument.ts';
import { registerConversationFiles } from './editor/conversations/conversationFiles.ts';
import { registerConversationSearch } from './editor/conversations/conversationSearch.ts';
import { type Conversations, createConversations } from './editor/conversations/conversations.ts';
import { registerConversationsTree } from './editor/conversations/conversationsTree.ts';
import { createRemembered } from './editor/conversations/remembered.ts';
import { createStorage } from './editor/conversations/storage.ts';
import { registerDiagnosticsReport } from './editor/diagnostics/diagnosticsReport.ts';
import { registerNextRequest } from './editor/diagnostics/nextRequest.ts';
import { registerProblems } from './editor/diagnostics/problems.ts';
import { registerQuickFixes } from './editor/diagnostics/quickFixes.ts';
import { registerStatusBar } from './editor/diagnostics/statusBar.ts';
import { registerUsagePage } from './editor/diagnostics/usagePage.ts';
import { registerFindingActions } from './editor/findings/findingActions.ts';
import { createFindings, type Findings } from './editor/findings/findings.ts';
import { registerFindingThreads } from './editor/findings/findingThreads.ts';
import { registerReviewCommands } from './editor/findings/reviewCommands.ts';
import { createImageScaler } from './editor/images/imageScaler.ts';
import { registerLanguageModel } from './editor/languageModel/languageModel.ts';
import type { Proposals } from './editor/proposals/proposals.ts';
import { registerProposing } from './editor/proposals/proposing.ts';
import { registerReasoningDocuments } from './editor/reasoning/reasoningDocuments.ts';
import { registerReasoningTree } from './editor/reasoning/reasoningTree.ts';
import { registerAnswerFormats } from './editor/structured/answerFormats.ts';
import { createStructuredAnswers } from './editor/structured/structuredAnswers.ts';
import { registerTools, type Tools } from './editor/tools/tools.ts';
import { createTurns, type Turns } from './turns/turns.ts';

/** What tests inside the editor reach for. */
export interface K3Api {
  readonly conversations: Conversations;
  readonly proposals: Proposals;
  readonly findings: Findings;
  readonly tools: Tools;
  readonly turns: Turns;
}

export function activate(context: vscode.ExtensionContext): K3Api {
  const log = vscode.window.createOutputChannel('K3', { log: true });
  const routes = createRoutes();
  const keys = createKeys(context.secrets, context.globalState, process.env);
  const transports = createTransports();
  const storage = createStorage({ globalStorage: context.globalStorageUri, log });
  const workspace = vscode.workspace.name;
  const turns = createTurns({
    settings: readSettings,
    routes,
    keys,
    transports,
    spentToday: () => storage.shelf.costSince(new Date().setHours(0, 0, 0, 0)),
    confirm: confirmSpending,
    putSpend: storage.shelf.putSpend,
    log,
  });
  // The tools need the conversations, and a turn needs the tools; by the time one runs both are there.
  const toolbox = (conversationId: string) => tools.toolboxOf(conversationId);
  const conversations = createConversations({
    turns,
    toolbox,
    log,
    shelf: storage.shelf,
    untitled: vscode.l10n.t('New conversation'),
    workspace,
    remembered: createRemembered(context.workspaceState),
  });
  const composers = createComposers(conversations, createChosenFormats(context.workspaceState));
  const structured = createStructuredAnswers({ conversations, log });
  const lastEditor = createLastEditor();
  const proposing = registerProposing({ conversations, context, lastEditor, log });
  const { proposals, codeBlocks } = proposing;
  const scaler = createImageScaler({
    worker: vscode.Uri.joinPath(context.extensionUri, 'dist/imageWorker.cjs').fsPath,
  });
  const images = createImageIntake({ composers, scaler });
  const tools = registerTools({ conversations, proposals, scaler, context });
  const attaching = createContextAttaching({ composers, lastEditor, images });
  const choices = createContextChoices(lastEditor);
  const intents = createIntents({
    conversations,
    composers,
    attaching,
    codeBlocks,
    images,
    structured,
    decide: (...decision) => void tools.approvals.decide(...decision),
  });
  const reports = registerReports();
  const problems = registerProblems({ conversations, structured });
  const findings = createFindings({ conversations, state: context.workspaceState });
  const findingThreads = registerFindingThreads({ findings });
  const { extensionUri } = context;
  const chatView = registerChatView({
    conversations,
    routes,
    intents,
    composers,
    choices,
    storage,
    proposals,
    findings,
    structured,
    tools: tools.set,
    extensionUri,
  });
  const version = String(context.extension.packageJSON.version);
  context.subscriptions.push(
    log,
    routes,
    transports,
    reports,
    intents,
    images,
    vscode.commands.registerCommand('k3.showLog', () => log.show()),
    chatView,
    lastEditor,
    attaching,
    registerAttachCommands({ attaching, conversations, lastEditor }),
    structured,
    registerAnswerFormats({ conversations, composers }),
    registerContextKeys({ conversations, proposals }),
    registerRouteCommands({ routes, keys }),
    registerConnection({ turns, reports }),
    registerDemo({ routes }),
    registerDiagnosticsReport({ conversations, routes, keys, version }),
    registerReasoningTree({ conversations }),
    registerReasoningDocuments({ conversations }),
    registerConversationDocument({ conversations }),
    registerConversationsTree({ conversations, workspace }),
    registerConversationCommands({ conversations }),
    registerConversationFiles({ conversations }),
    registerConversationSearch({ conversations, history: storage.history, reveal: chatView.reveal }),
    registerImageCommands({ conversations, images }),
    registerNextRequest({ conversations, composers, routes, reports, toolbox }),
    registerStatusBar({ conversations, routes, structured }),
    registerUsagePage({ conversations, history: storage.history, extensionUri }),
    problems,
    registerQuickFixes({ conversations, problems, perform: intents.perform }),
    proposing,
    tools,
    registerReviewCommands({ conversations }),
    registerFindingActions({
      conversations,
      findings,
      threads: findingThreads,
      proposeEdits: proposing.proposeEdits,
    }),
    registerCommitMessage({ conversations }),
    registerLanguageModel({ conversations, routes, keys, turns, log }),
    findingThreads,
    findings,
    // Last, because what the others hold back goes through them to the disk.
    composers,
    conversations,
    storage,
  );
  return { conversations, proposals, findings, tools, turns };
}

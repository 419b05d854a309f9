/** The composition root: builds the objects, registers them, returns. No logic. */

import * as vscode from 'vscode';
import { registerAnswerFormats } from './editor/answerFormats.ts';
import { askPastCap } from './editor/asking.ts';
import { registerAttachCommands } from './editor/attachCommands.ts';
import { registerChatView } from './editor/chatView.ts';
import { createChosenFormats } from './editor/chosenFormats.ts';
import { registerCommitMessage } from './editor/commitMessage.ts';
import { createComposers } from './editor/composers.ts';
import { registerConnection } from './editor/connection.ts';
import { createContextAttaching } from './editor/contextAttaching.ts';
import { createContextChoices } from './editor/contextChoices.ts';
import { registerContextKeys } from './editor/contextKeys.ts';
import { registerConversationCommands } from './editor/conversationCommands.ts';
import { registerConversationDocument } from './editor/conversationDocument.ts';
import { registerConversationFiles } from './editor/conversationFiles.ts';
import { registerConversationSearch } from './editor/conversationSearch.ts';
import { type Conversations, createConversations } from './editor/conversations.ts';
import { registerConversationsTree } from './editor/conversationsTree.ts';
import { registerDemo } from './editor/demo.ts';
import { registerDiagnosticsReport } from './editor/diagnosticsReport.ts';
import { registerFindingActions } from './editor/findingActions.ts';
import { createFindings, type Findings } from './editor/findings.ts';
import { registerFindingThreads } from './editor/findingThreads.ts';
import { registerImageCommands } from './editor/imageCommands.ts';
import { createImageIntake } from './editor/imageIntake.ts';
import { createImageScaler } from './editor/imageScaler.ts';
import { createIntents } from './editor/intents.ts';
import { createKeys } from './editor/keys.ts';
import { createLastEditor } from './editor/lastEditor.ts';
import { registerNextRequest } from './editor/nextRequest.ts';
import { registerOffers } from './editor/offers.ts';
import { registerProblems } from './editor/problems.ts';
import type { Proposals } from './editor/proposals.ts';
import { registerProposing } from './editor/proposing.ts';
import { registerQuickFixes } from './editor/quickFixes.ts';
import { registerReasoningDocuments } from './editor/reasoningDocuments.ts';
import { registerReasoningTree } from './editor/reasoningTree.ts';
import { createRemembered } from './editor/remembered.ts';
import { registerReports } from './editor/reports.ts';
import { registerReviewCommands } from './editor/reviewCommands.ts';
import { registerRouteCommands } from './editor/routeCommands.ts';
import { createRoutes } from './editor/routes.ts';
import { registerStatusBar } from './editor/statusBar.ts';
import { createStorage } from './editor/storage.ts';
import { createStructuredAnswers } from './editor/structuredAnswers.ts';
import { registerTools, type Tools } from './editor/tools.ts';
import { createTransports } from './editor/transports.ts';
import { registerUsagePage } from './editor/usagePage.ts';

/** What tests inside the editor reach for. */
export interface K3Api {
  readonly conversations: Conversations;
  readonly proposals: Proposals;
  readonly findings: Findings;
  readonly tools: Tools;
}

export function activate(context: vscode.ExtensionContext): K3Api {
  const log = vscode.window.createOutputChannel('K3', { log: true });
  const routes = createRoutes();
  const keys = createKeys(context.secrets, context.globalState, process.env);
  const transports = createTransports();
  const storage = createStorage({ globalStorage: context.globalStorageUri, log });
  const workspace = vscode.workspace.name;
  const spentToday = () => storage.shelf.costSince(new Date().setHours(0, 0, 0, 0));
  // The tools need the conversations, and a turn needs the tools; by the time one runs both are there.
  const toolbox = (conversationId: string) => tools.toolboxOf(conversationId);
  const conversations = createConversations({
    routes,
    keys,
    transports,
    toolbox,
    log,
    shelf: storage.shelf,
    spentToday,
    askPastCap,
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
    worker: vscode.Uri.joinPath(context.extensionUri, 'dist/imageWorker.js').fsPath,
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
    registerConnection({ routes, keys, transports, reports, log }),
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
    registerOffers({ conversations, routes, keys, transports, storage, spentToday, log }),
    findingThreads,
    findings,
    // Last, because what the others hold back goes through them to the disk.
    composers,
    conversations,
    storage,
  );
  return { conversations, proposals, findings, tools };
}

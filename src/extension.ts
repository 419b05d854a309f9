/** The composition root: builds the objects, registers them, returns. No logic. */
import * as vscode from 'vscode';
import { registerChatView } from './editor/chatView.ts';
import { registerConnection } from './editor/connection.ts';
import { registerContextKeys } from './editor/contextKeys.ts';
import { registerConversationDocument } from './editor/conversationDocument.ts';
import { type Conversations, createConversations } from './editor/conversations.ts';
import { registerConversationsTree } from './editor/conversationsTree.ts';
import { registerDemo } from './editor/demo.ts';
import { registerDiagnosticsReport } from './editor/diagnosticsReport.ts';
import { createIntents } from './editor/intents.ts';
import { createKeys } from './editor/keys.ts';
import { registerProblems } from './editor/problems.ts';
import { registerQuickFixes } from './editor/quickFixes.ts';
import { registerReasoningDocuments } from './editor/reasoningDocuments.ts';
import { registerReasoningTree } from './editor/reasoningTree.ts';
import { registerReports } from './editor/reports.ts';
import { registerRouteCommands } from './editor/routeCommands.ts';
import { createRoutes } from './editor/routes.ts';
import { registerStatusBar } from './editor/statusBar.ts';
import { createTransports } from './editor/transports.ts';

/** What tests inside the editor reach for. */
export interface K3Api {
  readonly conversations: Conversations;
}

export function activate(context: vscode.ExtensionContext): K3Api {
  const log = vscode.window.createOutputChannel('K3', { log: true });
  const routes = createRoutes();
  const keys = createKeys(context.secrets, context.globalState, process.env);
  const transports = createTransports();
  const conversations = createConversations({
    routes,
    keys,
    transports,
    log,
    untitled: vscode.l10n.t('New conversation'),
  });
  const intents = createIntents({ conversations });
  const reports = registerReports();
  const problems = registerProblems({ conversations });
  const { extensionUri } = context;
  const version = String(context.extension.packageJSON.version);
  context.subscriptions.push(
    log,
    routes,
    transports,
    conversations,
    reports,
    vscode.commands.registerCommand('k3.showLog', () => log.show()),
    registerChatView({ conversations, routes, intents, extensionUri }),
    registerContextKeys({ conversations }),
    registerRouteCommands({ routes, keys }),
    registerConnection({ routes, keys, transports, reports, log }),
    registerDemo({ routes }),
    registerDiagnosticsReport({ conversations, routes, keys, version }),
    registerReasoningTree({ conversations }),
    registerReasoningDocuments({ conversations }),
    registerConversationDocument({ conversations }),
    registerConversationsTree({ conversations }),
    registerStatusBar({ conversations, routes }),
    problems,
    registerQuickFixes({ conversations, problems, perform: intents.perform }),
  );
  return { conversations };
}

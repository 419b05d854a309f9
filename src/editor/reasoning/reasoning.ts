/** The Reasoning view, and the documents with the reasoning of turns. */
import * as vscode from 'vscode';
import type { Log } from '../base/log.ts';
import type { Walkthrough } from '../base/walkthrough.ts';
import type { Composers } from '../composer/composers.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { registerReasoningCommands } from './reasoningCommands.ts';
import { registerReasoningDocuments } from './reasoningDocuments.ts';
import type { ReasoningTreeDeps } from './reasoningTree.ts';
import { registerReasoningView } from './reasoningView.ts';
import { registerStepCommands } from './stepCommands.ts';

export interface ReasoningDeps {
  readonly conversations: Conversations;
  readonly composers: Pick<Composers, 'compose'>;
  readonly routes: ReasoningTreeDeps['routes'];
  readonly structured: ReasoningTreeDeps['structured'];
  readonly walkthrough: Pick<Walkthrough, 'done'>;
  readonly log: Pick<Log, 'warn'>;
}

export function registerReasoning(deps: ReasoningDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerReasoningView(deps),
    registerReasoningDocuments(deps),
    registerReasoningCommands(deps),
    registerStepCommands(deps),
  );
}

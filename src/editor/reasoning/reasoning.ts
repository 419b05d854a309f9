/** The Reasoning view, and the documents with the reasoning of turns. */
import * as vscode from 'vscode';
import type { Composers } from '../composer/composers.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { registerReasoningDocuments } from './reasoningDocuments.ts';
import { registerReasoningTree } from './reasoningTree.ts';
import { registerStepCommands } from './stepCommands.ts';

export function registerReasoning(deps: {
  readonly conversations: Conversations;
  readonly composers: Pick<Composers, 'compose'>;
}): vscode.Disposable {
  return vscode.Disposable.from(
    registerReasoningTree(deps),
    registerReasoningDocuments(deps),
    registerStepCommands(deps),
  );
}

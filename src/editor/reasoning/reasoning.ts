/** The Reasoning view, and the documents with the reasoning of turns. */
import * as vscode from 'vscode';
import type { Walkthrough } from '../base/walkthrough.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { registerReasoningDocuments } from './reasoningDocuments.ts';
import { registerReasoningTree } from './reasoningTree.ts';

export interface ReasoningDeps {
  readonly conversations: Conversations;
  readonly walkthrough: Pick<Walkthrough, 'done'>;
}

export function registerReasoning(deps: ReasoningDeps): vscode.Disposable {
  return vscode.Disposable.from(registerReasoningTree(deps), registerReasoningDocuments(deps));
}

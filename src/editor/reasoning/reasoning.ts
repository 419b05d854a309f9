/** The Reasoning view, and the documents with the reasoning of turns. */
import * as vscode from 'vscode';
import type { Conversations } from '../conversations/conversationList.ts';
import { registerReasoningDocuments } from './reasoningDocuments.ts';
import { registerReasoningTree } from './reasoningTree.ts';

export function registerReasoning(deps: { readonly conversations: Conversations }): vscode.Disposable {
  return vscode.Disposable.from(registerReasoningTree(deps), registerReasoningDocuments(deps));
}

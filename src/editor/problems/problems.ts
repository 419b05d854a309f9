/** The problems of turns in the Problems view, and their quick fixes. */
import * as vscode from 'vscode';
import type { Conversations } from '../conversations/conversationList.ts';
import { type QuickFixesDeps, registerQuickFixes } from './quickFixes.ts';
import { createTurnProblems, type TurnProblemsDeps } from './turnProblems.ts';

export interface ProblemsDeps {
  readonly conversations: Conversations;
  readonly structured: TurnProblemsDeps['structured'];
  readonly routes: TurnProblemsDeps['routes'];
  readonly perform: QuickFixesDeps['perform'];
}

export function registerProblems(deps: ProblemsDeps): vscode.Disposable {
  const { conversations, perform } = deps;
  const problems = createTurnProblems(deps);
  return vscode.Disposable.from(problems, registerQuickFixes({ conversations, problems, perform }));
}

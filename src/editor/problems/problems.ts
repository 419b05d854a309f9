/** The problems of turns in the Problems view, and their quick fixes. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Storage } from '../storage/storage.ts';
import { createDismissedProblems } from './dismissedProblems.ts';
import { type QuickFixesDeps, registerQuickFixes } from './quickFixes.ts';
import { createTurnProblems, type TurnProblemsDeps } from './turnProblems.ts';

export interface ProblemsDeps {
  readonly base: Pick<Base, 'log'>;
  readonly storage: Pick<Storage, 'globalState'>;
  readonly conversations: Conversations;
  readonly structured: TurnProblemsDeps['structured'];
  readonly routes: TurnProblemsDeps['routes'];
  readonly perform: QuickFixesDeps['perform'];
  readonly reveal: QuickFixesDeps['reveal'];
}

export function registerProblems(deps: ProblemsDeps): vscode.Disposable {
  const { base, storage } = deps;
  const dismissed = createDismissedProblems(storage.globalState, base.log);
  const problems = createTurnProblems({ ...deps, dismissed });
  return vscode.Disposable.from(problems, registerQuickFixes({ ...deps, problems }));
}

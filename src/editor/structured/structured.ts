/** Structured answers: choosing the answer format, and checking and saving answers. */
import * as vscode from 'vscode';
import { atFirstUse } from '../base/atFirstUse.ts';
import type { Base } from '../base/base.ts';
import { registerLater } from '../base/laterCommands.ts';
import type { Composers } from '../composer/composers.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { createStructuredAnswers, type StructuredAnswers } from './structuredAnswers.ts';

export interface StructuredDeps {
  readonly base: Pick<Base, 'log'>;
  readonly conversations: Conversations;
  readonly composers: Composers;
  readonly routes: Pick<Routes, 'active'>;
  readonly probes: Pick<RouteProbes, 'lackOf'>;
  readonly reads: Pick<AllowedReads, 'ask' | 'allows'>;
}

export function registerStructured({
  base,
  conversations,
  composers,
  routes,
  probes,
  reads,
}: StructuredDeps): StructuredAnswers {
  const structured = createStructuredAnswers({ conversations, routes, log: base.log });
  const formats = atFirstUse(async () => {
    const { createAnswerFormats } = await import('./answerFormats.ts');
    const pick = createAnswerFormats({ conversations, composers, probes, reads });
    return { commands: { 'k3.pickAnswerFormat': pick } };
  }, base.log);
  const registered = vscode.Disposable.from(
    registerLater(['k3.pickAnswerFormat'], formats),
    formats,
    structured,
  );
  return { ...structured, dispose: () => registered.dispose() };
}

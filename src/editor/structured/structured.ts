/** Structured answers: choosing the answer format, and checking and saving answers. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { Composers } from '../composer/composers.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { registerAnswerFormats } from './answerFormats.ts';
import { createStructuredAnswers, type StructuredAnswers } from './structuredAnswers.ts';

export interface StructuredDeps {
  readonly base: Pick<Base, 'log'>;
  readonly conversations: Conversations;
  readonly composers: Composers;
  readonly routes: Pick<Routes, 'active'>;
  readonly probes: Pick<RouteProbes, 'lackOf'>;
}

export function registerStructured({
  base,
  conversations,
  composers,
  routes,
  probes,
}: StructuredDeps): StructuredAnswers {
  const structured = createStructuredAnswers({ conversations, routes, log: base.log });
  const registered = vscode.Disposable.from(
    registerAnswerFormats({ conversations, composers, probes }),
    structured,
  );
  return { ...structured, dispose: () => registered.dispose() };
}

/** Registers what K3 provides to other chats and extensions: a model, a tool, and a chat participant. */
import * as vscode from 'vscode';
import type { Turns } from '../../requests/turns.ts';
import type { Base } from '../base/base.ts';
import type { Keys } from '../connection/keys.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { registerAskTool } from './askTool.ts';
import { type ChatParticipantDeps, registerChatParticipant } from './chatParticipant.ts';
import { registerModelProvider } from './modelProvider.ts';
import { createOtherChats } from './otherChats.ts';

export interface LanguageModelDeps extends Pick<ChatParticipantDeps, 'prompts' | 'attaching'> {
  readonly base: Pick<Base, 'log' | 'lastEditor'>;
  readonly conversations: Conversations;
  readonly routes: Routes;
  readonly keys: Keys;
  readonly turns: Turns;
  readonly probes: RouteProbes;
}

export function registerLanguageModel(deps: LanguageModelDeps): vscode.Disposable {
  const { conversations, routes, keys, turns, probes } = deps;
  const { log, lastEditor } = deps.base;
  const otherChats = createOtherChats({ conversations, turns, log });
  return vscode.Disposable.from(
    registerModelProvider({ routes, keys, turns, probes, otherChats, log }),
    registerAskTool({ otherChats, routes, turns }),
    registerChatParticipant({ ...deps, lastEditor }),
  );
}

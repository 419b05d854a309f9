/** Registers the model and the tool that K3 provides to other chats and extensions. */
import * as vscode from 'vscode';
import type { Turns } from '../../requests/turns.ts';
import { atFirstUse, type FirstUse } from '../base/atFirstUse.ts';
import type { Base } from '../base/base.ts';
import type { Keys } from '../connection/keys.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { AskInput } from './askTool.ts';
import { registerModelProvider } from './modelProvider.ts';
import { ASK_TOOL } from './names.ts';
import type { OtherChats, OtherReply } from './otherChats.ts';

export interface LanguageModelDeps {
  readonly base: Pick<Base, 'log'>;
  readonly conversations: Conversations;
  readonly routes: Routes;
  readonly keys: Keys;
  readonly turns: Turns;
  readonly probes: RouteProbes;
}

export function registerLanguageModel(deps: LanguageModelDeps): vscode.Disposable {
  const { conversations, routes, keys, turns, probes } = deps;
  const { log } = deps.base;
  const parts = atFirstUse(async () => {
    const { createAskTool, createOtherChats } = await import('./languageModelParts.ts');
    const otherChats = createOtherChats({ conversations, turns, log });
    return { otherChats, askTool: createAskTool({ otherChats, routes, turns }) };
  }, log);
  return vscode.Disposable.from(
    parts,
    registerModelProvider({
      routes,
      keys,
      turns,
      probes,
      log,
      ask: (...request) => answered(parts, request),
    }),
    vscode.lm.registerTool<AskInput>(ASK_TOOL, {
      prepareInvocation: (...call) => parts.run(({ askTool }) => askTool.prepareInvocation(...call)),
      invoke: (...call) => parts.run(({ askTool }) => askTool.invoke(...call)),
    }),
  );
}

async function answered(
  parts: FirstUse<{ readonly otherChats: OtherChats }>,
  request: Parameters<OtherChats['ask']>,
): Promise<OtherReply> {
  const reply = await parts.run(({ otherChats }) => otherChats.ask(...request));
  // The extension was stopped while the code was loading.
  if (reply === undefined) throw new vscode.CancellationError();
  return reply;
}

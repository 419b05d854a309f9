/** Registers what K3 provides to other chats and extensions: a model, a tool, and a chat participant. */
import * as vscode from 'vscode';
import type { Turns } from '../../requests/turns.ts';
import { atFirstUse, type FirstUse } from '../base/atFirstUse.ts';
import type { Base } from '../base/base.ts';
import type { Keys } from '../connection/keys.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Tools } from '../tools/tools.ts';
import type { AskInput } from './askTool.ts';
import type { ChatParticipantDeps } from './chatParticipant.ts';
import { registerModelProvider } from './modelProvider.ts';
import { ASK_TOOL, PARTICIPANT } from './names.ts';
import type { OtherChats, OtherReply } from './otherChats.ts';

export interface LanguageModelDeps
  extends Pick<ChatParticipantDeps, 'prompts' | 'attaching' | 'instructions'> {
  readonly base: Pick<Base, 'log' | 'lastEditor'>;
  readonly conversations: Conversations;
  readonly routes: Routes;
  readonly keys: Keys;
  readonly turns: Turns;
  readonly probes: RouteProbes;
  readonly tools: Pick<Tools, 'set'>;
}

export function registerLanguageModel(deps: LanguageModelDeps): vscode.Disposable {
  const { conversations, routes, keys, turns, probes } = deps;
  const { log, lastEditor } = deps.base;
  const parts = atFirstUse(async () => {
    const { createAskTool, createOtherChats, createRequestHandler } = await import('./languageModelParts.ts');
    const otherChats = createOtherChats({ conversations, turns, log });
    const askTool = createAskTool({ otherChats, routes, turns });
    return {
      otherChats,
      askTool,
      handle: createRequestHandler({ ...deps, lastEditor, tools: deps.tools.set }),
    };
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
    registerParticipant((...request) => parts.run(({ handle }) => handle(...request))),
  );
}

async function answered(
  parts: FirstUse<{ readonly otherChats: OtherChats }>,
  request: Parameters<OtherChats['ask']>,
): Promise<OtherReply> {
  const reply = await parts.run(({ otherChats }) => otherChats.ask(...request));
  // The extension has been stopped while this was loading.
  if (reply === undefined) throw new vscode.CancellationError();
  return reply;
}

/** Registers the participant if the editor has a chat. */
function registerParticipant(handle: vscode.ChatRequestHandler): vscode.Disposable {
  if (typeof vscode.chat?.createChatParticipant !== 'function') return new vscode.Disposable(() => undefined);
  const participant = vscode.chat.createChatParticipant(PARTICIPANT, handle);
  participant.iconPath = new vscode.ThemeIcon('comment-discussion');
  return participant;
}

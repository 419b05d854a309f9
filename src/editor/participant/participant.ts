/** Registers the chat participant `@k3`, if the editor has a chat. Its handler is loaded with the first request. */
import * as vscode from 'vscode';
import { atFirstUse } from '../base/atFirstUse.ts';
import type { Base } from '../base/base.ts';
import type { Tools } from '../tools/tools.ts';
import type { ChatParticipantDeps } from './chatParticipant.ts';
import { PARTICIPANT } from './participantId.ts';

export interface ParticipantDeps extends Omit<ChatParticipantDeps, 'lastEditor' | 'tools'> {
  readonly base: Pick<Base, 'log' | 'lastEditor'>;
  readonly tools: Pick<Tools, 'set'>;
}

export function registerParticipant(deps: ParticipantDeps): vscode.Disposable {
  if (typeof vscode.chat?.createChatParticipant !== 'function') return new vscode.Disposable(() => undefined);
  const { log, lastEditor } = deps.base;
  const handler = atFirstUse(async () => {
    const { createRequestHandler } = await import('./chatParticipant.ts');
    return createRequestHandler({ ...deps, lastEditor, tools: deps.tools.set });
  }, log);
  const participant = vscode.chat.createChatParticipant(PARTICIPANT, (...request) =>
    handler.run((handle) => handle(...request)),
  );
  participant.iconPath = new vscode.ThemeIcon('comment-discussion');
  return vscode.Disposable.from(handler, participant);
}

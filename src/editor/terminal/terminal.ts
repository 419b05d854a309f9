/** The terminal: the output of its last command, for questions about it. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { WithPreviews } from '../conversations/questionPreviews.ts';
import { registerExplainTerminal, toTerminalPreview } from './explainTerminal.ts';
import { createLastCommands } from './lastCommands.ts';
import { createTerminalOutputs, type TerminalOutputs } from './terminalOutputs.ts';

export interface TerminalDeps {
  readonly base: Pick<Base, 'log'>;
  readonly conversations: Conversations;
}

export interface TerminalRoom extends TerminalOutputs, vscode.Disposable, WithPreviews {}

export function registerTerminal({ base, conversations }: TerminalDeps): TerminalRoom {
  const commands = createLastCommands(vscode.window, (error) =>
    base.log.warn(`couldn't read the output of a terminal: ${String(error)}`),
  );
  const outputs = createTerminalOutputs(commands);
  const registered = vscode.Disposable.from(registerExplainTerminal({ conversations, outputs }), commands);
  const previews = [toTerminalPreview({ conversations, outputs })];
  return { ...outputs, previews: async () => previews, dispose: () => registered.dispose() };
}

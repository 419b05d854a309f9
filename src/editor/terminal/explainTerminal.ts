/** Explain Terminal Output (`k3.explainTerminal`): asks about the output of the last command. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import { TERMINAL_PROMPT } from '../../conversation/context/terminalOutput.ts';
import type { Question } from '../../conversation/question.ts';
import { toAsked } from '../../conversation/shownQuestion.ts';
import { showInformation } from '../base/notifications.ts';
import { showIfRefused } from '../conversations/asking.ts';
import { askInChat } from '../conversations/chatAsking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { nextConversation, type Preview } from '../conversations/questionPreviews.ts';
import type { TerminalOutputs } from './terminalOutputs.ts';

export interface ExplainTerminalDeps {
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>;
  readonly outputs: Pick<TerminalOutputs, 'read'>;
}

export function registerExplainTerminal({ conversations, outputs }: ExplainTerminalDeps): vscode.Disposable {
  return vscode.commands.registerCommand('k3.explainTerminal', async () => {
    const read = await outputs.read();
    if (!read.ok) return void showInformation(read.why);
    const question = toQuestion(read.item);
    const { asked } = await askInChat(conversations, question);
    await showIfRefused(asked);
  });
}

/**
 * The question that the command would ask about the active terminal. The user isn't asked, because the output is only shown, not sent.
 */
export const toTerminalPreview = ({
  conversations,
  outputs,
}: {
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'isRunning' | 'holder'>;
  readonly outputs: Pick<TerminalOutputs, 'look'>;
}): Preview => ({
  title: vscode.l10n.t('Explain Terminal Output'),
  async make() {
    const output = outputs.look();
    if (!output.ok) return void showInformation(output.why);
    return { conversation: nextConversation(conversations), question: toQuestion(output.item) };
  },
});

const toQuestion = (output: ContextItem): Question => ({
  text: TERMINAL_PROMPT,
  asked: toAsked(vscode.l10n.t('Explain Terminal Output'), ''),
  images: [],
  context: [output],
  origin: undefined,
});

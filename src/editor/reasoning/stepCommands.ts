/** Commands about steps of the reasoning: searching them, and asking about one. */
import * as vscode from 'vscode';
import { toStepText } from '../../conversation/reasoning/steps.ts';
import { toPlainLines } from '../../text/plainLine.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import { toStepTarget } from '../chatView/stepTarget.ts';
import type { Composers } from '../composer/composers.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { searchReasoning } from './reasoningSearch.ts';

const t = vscode.l10n.t;

export interface StepCommandsDeps {
  readonly conversations: Pick<Conversations, 'front' | 'find'>;
  readonly composers: Pick<Composers, 'compose'>;
  readonly log: Pick<Log, 'warn'>;
}

/** The maximum length of the quotation of a step, in UTF-16 code units. The rest is in the conversation anyway. */
const LONGEST_QUOTATION = 1000;

export function registerStepCommands({ conversations, composers, log }: StepCommandsDeps): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.searchReasoning', () => searchReasoning(conversations.front(), log)),
    vscode.commands.registerCommand('k3.askAboutStep', async (argument: unknown) => {
      const target = toStepTarget(argument);
      const found = target && conversations.find(target.turnId);
      if (target === undefined || found === undefined)
        return void showInformation(
          target === undefined
            ? t('Select a step in the Reasoning view first.')
            : t('This turn no longer exists.'),
        );
      const text = toStepText(found.turn, target.step, LONGEST_QUOTATION);
      composers.compose(found.conversation.id, toQuotation(text));
      await vscode.commands.executeCommand('k3.focusChat', found.conversation.id);
    }),
  );
}

/** A step as a quotation, with a sentence before it and room for the question. The message box and the question are plain text. */
export function toQuotation(text: string): string {
  const quoted = toPlainLines(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd());
  return `${t('About this step of your reasoning:')}\n\n${quoted.join('\n')}\n\n`;
}

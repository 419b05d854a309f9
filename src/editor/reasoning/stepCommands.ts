/** Commands about steps of the reasoning: searching them, and asking about one. */
import * as vscode from 'vscode';
import { firstLineOf } from '../../chat/asked.ts';
import { toStepFacts, toStepText } from '../../chat/steps.ts';
import { type Conversation, shownTurn } from '../../chat/turn.ts';
import { showInformation } from '../base/notifications.ts';
import { readSettings } from '../base/settings.ts';
import type { Composers } from '../composer/composers.ts';
import type { Conversations } from '../conversations/conversationList.ts';

const t = vscode.l10n.t;

/** A node of the Reasoning view, or what the context menu of the chat is about. Steps count from 0. */
type Target =
  | { readonly turnId: string; readonly index: number }
  | { readonly turnId: string; readonly step: number }
  | undefined;

export interface StepCommandsDeps {
  readonly conversations: Pick<Conversations, 'front' | 'find'>;
  readonly composers: Pick<Composers, 'compose'>;
}

/** The longest quotation of a step, in characters. The rest of it is in the conversation anyway. */
const LONGEST_QUOTATION = 1000;
/** The longest text of a step that is searched and shown in the list, in characters. */
const LONGEST_DETAIL = 2000;

export function registerStepCommands({ conversations, composers }: StepCommandsDeps): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.searchReasoning', async () => {
      const items = toStepItems(conversations.front());
      if (items.length === 0) {
        void showInformation(t('There is no reasoning yet.'));
        return;
      }
      const picked = await vscode.window.showQuickPick(items, {
        title: t('Search Reasoning'),
        placeHolder: t('Enter words from the reasoning'),
        matchOnDescription: true,
        matchOnDetail: true,
      });
      if (picked === undefined) return;
      await showStep(picked);
    }),
    vscode.commands.registerCommand('k3.askAboutStep', async (target: Target) => {
      const found = target && conversations.find(target.turnId);
      if (target === undefined || found === undefined) {
        void showInformation(t('Select a step in the Reasoning view first.'));
        return;
      }
      const text = toStepText(found.turn, 'index' in target ? target.index : target.step, LONGEST_QUOTATION);
      composers.compose(found.conversation.id, toQuotation(text));
      await vscode.commands.executeCommand('k3.focusChat', found.conversation.id);
    }),
  );
}

interface StepItem extends vscode.QuickPickItem {
  readonly turnId: string;
  readonly index: number;
}

/** The steps of all turns that are shown, the latest turn first. */
export function toStepItems({ exchanges }: Conversation): readonly StepItem[] {
  return exchanges.toReversed().flatMap((exchange) => {
    const turn = shownTurn(exchange);
    if (turn === undefined) return [];
    const question = firstLineOf(exchange.question) || t('Image');
    return toStepFacts(turn).map(({ step }, index) => ({
      label: escapeIcons(step.title),
      description: t('Step {0} of “{1}”', index + 1, escapeIcons(question)),
      detail: escapeIcons(toStepText(turn, index, LONGEST_DETAIL).replace(/\s+/g, ' ')),
      turnId: turn.id,
      index,
    }));
  });
}

/** The quick pick would show $(name) as an icon. */
const escapeIcons = (text: string) => text.replaceAll('$(', '\\$(');

/** Shows a step in the chat, or in the Reasoning view if the chat shows no reasoning. */
async function showStep({ turnId, index }: StepItem): Promise<void> {
  const show = readSettings().reasoningInChat === 'hidden';
  await vscode.commands.executeCommand('_k3.selectStep', { turnId, index, show });
  if (!show) await vscode.commands.executeCommand('_k3.showStep', { turnId, index });
}

/** A step as a quotation, with a lead and room for the question. */
export function toQuotation(text: string): string {
  const quoted = text.split('\n').map((line) => `> ${line}`.trimEnd());
  return `${t('About this step of your reasoning:')}\n\n${quoted.join('\n')}\n\n`;
}

/** Searches the reasoning of a conversation (`k3.searchReasoning`): a quick pick that shows results as you type. */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import { createStepSearch, type FoundStep } from '../../conversation/reasoning/stepSearch.ts';
import { toPlainLine } from '../../text/plainLine.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import { chosenOf, keepOrder, plainItem } from '../base/quickPicks.ts';
import { createThrottle } from '../base/throttle.ts';
import { readSettings } from '../settings/settings.ts';

const t = vscode.l10n.t;

/** How many steps are listed at most. If there are more, the title says so. */
const MOST_STEPS = 300;
/** The minimum time between two searches while the user types, in milliseconds. */
const PAUSE_MS = 80;

interface StepItem extends vscode.QuickPickItem {
  readonly turnId: string;
  readonly index: number;
}

export function searchReasoning(conversation: Conversation, log: Pick<Log, 'warn'>): void {
  const steps = createStepSearch(conversation);
  if (steps.count === 0) {
    void showInformation(t('There is no reasoning yet.'));
    return;
  }
  const pick = vscode.window.createQuickPick<StepItem>();
  pick.placeholder = t('Enter words from the reasoning');
  keepOrder(pick);
  let listed: readonly StepItem[] = [];
  const show = () => {
    const found = steps.find(pick.value);
    listed = found.slice(0, MOST_STEPS).map(toStepItem);
    pick.items = listed;
    pick.title =
      found.length > MOST_STEPS
        ? t('Search Reasoning: the first {0} of {1} steps', MOST_STEPS, found.length)
        : t('Search Reasoning');
  };
  show();
  const search = createThrottle(PAUSE_MS, show);
  pick.onDidChangeValue(() => search.call());
  pick.onDidAccept(() => {
    search.flush();
    const chosen = chosenOf(pick, listed);
    if (chosen === undefined) return;
    const words = toPlainLine(pick.value);
    pick.hide();
    inBackground(log, showStep(chosen, words), 'showing the step');
  });
  pick.onDidHide(() => {
    search.dispose();
    pick.dispose();
  });
  pick.show();
}

export function toStepItem({ turnId, index, title, question, excerpt }: FoundStep): StepItem {
  const { before, match, after } = excerpt;
  const asked = question ?? t('Continue');
  return {
    turnId,
    index,
    ...plainItem({
      label: title,
      description: t('Step {0} of “{1}”', index + 1, asked || t('Image')),
      detail: match === '' ? before + after : `${before}«${match}»${after}`,
    }),
    // Otherwise the quick pick would filter by its own rules, and without the full text.
    alwaysShow: true,
  };
}

/** Shows a step in the chat with the words marked, or in the Reasoning view if the chat shows no reasoning. */
async function showStep({ turnId, index }: StepItem, words: string): Promise<void> {
  const show = readSettings().reasoningInChat === 'hidden';
  await vscode.commands.executeCommand('_k3.selectStep', { turnId, index, show });
  if (!show)
    await vscode.commands.executeCommand('_k3.showStep', { turnId, index, ...(words !== '' && { words }) });
}

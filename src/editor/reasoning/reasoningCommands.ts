/** The commands that open, copy, and compare the reasoning of turns. */
import * as vscode from 'vscode';
import { shownTurn } from '../../conversation/conversation.ts';
import { toFenced, toFileTitle } from '../../conversation/conversationMarkdown.ts';
import { toStepText } from '../../conversation/reasoning/steps.ts';
import { allReasoning } from '../../conversation/rounds.ts';
import { showInformation } from '../base/notifications.ts';
import { fieldOf } from '../base/ownField.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import type { Walkthrough } from '../base/walkthrough.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { turnIdIn } from '../conversations/turnTarget.ts';
import { reasoningText } from '../wording/accountWords.ts';
import { questionLine } from '../wording/questionLine.ts';
import { attemptOf, attemptTitle, REASONING_SCHEME, reasoningUri } from './reasoningDocuments.ts';

const t = vscode.l10n.t;

export interface ReasoningCommandsDeps {
  readonly conversations: Pick<Conversations, 'front' | 'find'>;
  readonly walkthrough: Pick<Walkthrough, 'done'>;
}

/** Registers the commands `k3.openReasoning`, `k3.copyReasoning`, and `k3.compareReasoning`. */
export function registerReasoningCommands({
  conversations,
  walkthrough,
}: ReasoningCommandsDeps): vscode.Disposable {
  const { commands } = vscode;
  return vscode.Disposable.from(
    commands.registerCommand('k3.openReasoning', async (target: unknown) => {
      const found = toFound(conversations, target);
      if (found === undefined || isWithout(found)) return showNoReasoning();
      const step = stepIn(target);
      await open(found, step);
      walkthrough.done('reasoning');
    }),
    commands.registerCommand('k3.copyReasoning', async (target: unknown) => {
      const found = toFound(conversations, target);
      if (found === undefined || allReasoning(found.turn) === '') return showNoReasoning();
      const step = stepIn(target);
      const reasoning = allReasoning(found.turn);
      await vscode.env.clipboard.writeText(
        step === undefined ? reasoning : toStepText(found.turn, step, Number.POSITIVE_INFINITY),
      );
      vscode.window.setStatusBarMessage(t('Reasoning copied'), 3000);
      walkthrough.done('reasoning');
    }),
    commands.registerCommand('k3.compareReasoning', async (target: unknown, with_: unknown) => {
      const found = toFound(conversations, target);
      if (found === undefined || allReasoning(found.turn) === '') return showNoReasoning();
      const other = typeof with_ === 'string' ? conversations.find(with_) : await pickOther(found);
      if (other !== undefined) await compare(found, other);
    }),
  );
}

/** The index of the step, from 0, if a command is about a step in the Reasoning view. */
function stepIn(target: unknown): number | undefined {
  const index = fieldOf(target, 'index');
  return typeof index === 'number' ? index : undefined;
}

/** The turn that a command refers to; by default the last one of the chat in front. */
function toFound(conversations: ReasoningCommandsDeps['conversations'], target: unknown): Found | undefined {
  const given = turnIdIn(target);
  if (given !== undefined) return conversations.find(given);
  const turns = conversations.front().exchanges.map(shownTurn);
  const last = turns.findLast((turn) => turn !== undefined && allReasoning(turn) !== '') ?? turns.at(-1);
  return last && conversations.find(last.id);
}

/** Whether there is no reasoning to open. A running turn may still get some, and its document is updated. */
function isWithout({ turn }: Found): boolean {
  return turn.outcome !== undefined && allReasoning(turn) === '';
}

function showNoReasoning(): void {
  void showInformation(t('There is no reasoning yet.'));
}

async function open(found: Found, step: number | undefined): Promise<void> {
  const uri = reasoningUri(found);
  const document = await vscode.workspace.openTextDocument(uri);
  const { finished, current } = found.turn.outline;
  const line = (finished[step ?? -1] ?? (step === finished.length ? current : undefined))?.line;
  const at = (line ?? 0) + toFenced('').linesAbove;
  const selection = document.validateRange(new vscode.Range(at, 0, at, Number.MAX_SAFE_INTEGER));
  // All reasoning opens in the same column beside the code, instead of in a new column each time.
  const beside = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.scheme === REASONING_SCHEME,
  );
  await vscode.window.showTextDocument(document, {
    preview: true,
    viewColumn: beside?.viewColumn ?? columnForNew(),
    ...(step === undefined ? {} : { selection }),
  });
}

/** The column beside the code, or the active one when no editor is open. */
function columnForNew(): vscode.ViewColumn {
  const empty = vscode.window.tabGroups.activeTabGroup.tabs.length === 0;
  return empty ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}

interface Choice extends vscode.QuickPickItem {
  readonly found: Found;
}

/** Lets the user pick another turn with reasoning. Other attempts for the same question come first. */
async function pickOther(found: Found): Promise<Found | undefined> {
  const { conversation } = found;
  const choices = conversation.exchanges.flatMap((exchange) =>
    exchange.attempts
      .filter((turn) => turn.id !== found.turn.id && allReasoning(turn) !== '')
      .map((turn) => toChoice({ conversation, exchange, turn })),
  );
  if (choices.length === 0) {
    void showInformation(
      t(
        'There is no other reasoning in this conversation to compare with. To create one, regenerate the answer.',
      ),
    );
    return undefined;
  }
  const same = choices.filter((choice) => choice.found.exchange.id === found.exchange.id);
  const others = choices.filter((choice) => !same.includes(choice));
  const picked = await vscode.window.showQuickPick([...same, ...others], {
    title: t('Select reasoning to compare with'),
    matchOnDescription: true,
  });
  return picked?.found;
}

function toChoice(found: Found): Choice {
  const { exchange, turn } = found;
  const line = questionLine(exchange, turn);
  const named =
    exchange.attempts.length > 1 ? t('{0} (attempt {1})', line, attemptOf(exchange, turn.id)) : line;
  return {
    found,
    label: withoutIcons(named),
    description: withoutIcons(reasoningText(found.turn) ?? ''),
    detail: new Date(found.turn.startedAt).toLocaleTimeString(vscode.env.language),
  };
}

/** Opens a diff with the older turn on the left. */
async function compare(one: Found, other: Found): Promise<void> {
  const [left, right] = one.turn.startedAt <= other.turn.startedAt ? [one, other] : [other, one];
  const names = [left, right].map(({ exchange, turn }) =>
    left.exchange.id === right.exchange.id
      ? t('attempt {0}', attemptOf(exchange, turn.id))
      : toFileTitle(attemptTitle(exchange, turn), t('untitled')),
  );
  const title = t('Reasoning: {0} ↔ {1}', names[0] ?? '', names[1] ?? '');
  await vscode.commands.executeCommand('vscode.diff', reasoningUri(left), reasoningUri(right), title, {
    preview: true,
  });
}

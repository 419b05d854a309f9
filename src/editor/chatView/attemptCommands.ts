/** Asks a question again on another route, or with another effort or preset, and compares two attempts side by side. */
import * as vscode from 'vscode';
import { shownTurn } from '../../conversation/conversation.ts';
import { shorten } from '../../conversation/cutText.ts';
import type { AttemptOptions } from '../../requests/conversationRequest.ts';
import type { Commands } from '../base/laterCommands.ts';
import { showInformation } from '../base/notifications.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { runsElsewhere } from '../conversations/freeConversation.ts';
import { turnIdIn } from '../conversations/turnTarget.ts';
import { readSettings } from '../settings/settings.ts';
import { toAccountLine } from '../wording/accountWords.ts';
import { questionLine } from '../wording/questionLine.ts';
import { toTurnState } from '../wording/turnState.ts';
import { type AttemptChoicesDeps, pickOptions } from './attemptChoices.ts';
import { attemptLabel, attemptName, attemptUri, toRenderedUri } from './attemptDocuments.ts';

const t = vscode.l10n.t;

export interface AttemptCommandsDeps extends AttemptChoicesDeps {
  readonly conversations: Pick<
    Conversations,
    'front' | 'get' | 'find' | 'isRunning' | 'holder' | 'toolboxOf' | 'onDidChange'
  >;
  /** Asks the question of a turn again, as another attempt. */
  again(turnId: string, options: AttemptOptions): Promise<void>;
}

/** The commands take the id of a turn, or the context of a message in the chat. By default, they are about the last question. */
export function createAttemptCommands(
  deps: AttemptCommandsDeps,
): Commands<'k3.askElsewhere' | 'k3.compareAttempts' | 'k3.renderAttempts'> {
  const { conversations, again } = deps;
  return {
    'k3.askElsewhere': async (target) => {
      const found = toFound(conversations, target, 1);
      if (found === undefined) return void showInformation(t('There is no answer yet.'));
      const options = await pickOptions(found, deps);
      if (options !== undefined) await again(found.turn.id, options);
    },
    'k3.compareAttempts': async (target) => {
      const found = toFound(conversations, target, 2);
      const other = found && (await pickOther(found, conversations));
      if (toFound(conversations, target, 1) === undefined) void showInformation(t('There is no answer yet.'));
      else if (found === undefined)
        void showInformation(
          t(
            'There is only one attempt. Regenerate the answer, or run “K3: Ask Again With…”, to get another one.',
          ),
        );
      else if (other !== undefined) await compare(found, other);
    },
    'k3.renderAttempts': renderAttempts,
  };
}

/**
 * The given turn or, by default, the shown turn of the last question. Undefined if there is none with at least `attempts`
 * attempts.
 */
function toFound(
  conversations: AttemptCommandsDeps['conversations'],
  target: unknown,
  attempts: number,
): Found | undefined {
  const id = turnIdIn(target);
  if (id !== undefined) {
    const known = conversations.find(id);
    return known !== undefined && known.exchange.attempts.length >= attempts ? known : undefined;
  }
  const exchange = conversations.front().exchanges.findLast((one) => one.attempts.length >= attempts);
  const turn = exchange && shownTurn(exchange);
  return turn && conversations.find(turn.id);
}

async function pickOther(
  found: Found,
  conversations: AttemptCommandsDeps['conversations'],
): Promise<Found | undefined> {
  const { prices } = readSettings();
  const others = found.exchange.attempts
    .filter(({ id }) => id !== found.turn.id)
    .map((turn) => ({ ...found, turn }));
  const [only] = others;
  if (others.length < 2) return only;
  const items = others.map((other) => ({
    label: attemptLabel(other),
    description: toAccountLine(other.turn, prices),
    detail: toTurnState(other.turn, runsElsewhere(conversations, found.conversation.id)).label,
    other,
  }));
  const title = t('Compare {0} With', attemptName(found));
  return (await vscode.window.showQuickPick(items, { title }))?.other;
}

/** The maximum length of the question in the title of a tab, which also names both attempts. In characters. */
const MAX_TITLE = 30;

/** Opens a diff with the older attempt on the left. */
async function compare(one: Found, other: Found): Promise<void> {
  const [left, right] = one.turn.startedAt <= other.turn.startedAt ? [one, other] : [other, one];
  const asked = questionLine(one.exchange, one.turn);
  const question = shorten(asked, MAX_TITLE);
  const title = t('{0}: {1} ↔ {2}', question, attemptName(left), attemptName(right));
  await vscode.commands.executeCommand('vscode.diff', attemptUri(left), attemptUri(right), title, {
    preview: true,
  });
}

/** Shows the two attempts of the active comparison side by side, each in the editor's Markdown preview. */
async function renderAttempts(): Promise<void> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputTextDiff)) return;
  const [left, right] = [input.original, input.modified].map(toRenderedUri);
  if (left === undefined || right === undefined) return;
  const { Active, Beside } = vscode.ViewColumn;
  await vscode.commands.executeCommand('vscode.openWith', left, PREVIEW, {
    viewColumn: Active,
    preview: false,
  });
  await vscode.commands.executeCommand('vscode.openWith', right, PREVIEW, {
    viewColumn: Beside,
    preview: false,
  });
}

const PREVIEW = 'vscode.markdown.preview.editor';

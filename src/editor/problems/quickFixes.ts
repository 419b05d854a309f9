/**
 * Quick fixes for problems on the conversation's document: the actions of the notice's card (`noticeActions.ts`), and those of every
 * problem.
 */

import * as vscode from 'vscode';
import { sentImagesOf } from '../../conversation/images/sentImages.ts';
import { keptExchanges } from '../../conversation/requestMessages/keptResults.ts';
import { type CardAction, SENDING_ACTIONS } from '../../panel/cards.ts';
import { showError } from '../base/notifications.ts';
import { actionsFor } from '../cards/noticeActions.ts';
import { noticeTitle } from '../cards/noticeTitles.ts';
import { CONVERSATION_SCHEME, conversationUri } from '../conversations/conversationDocument.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { FoundPlace } from '../conversations/conversationSearch.ts';
import type { Found } from '../conversations/foundTurns.ts';
import type { Problem, Problems } from './turnProblems.ts';

const t = vscode.l10n.t;

// Commands of the fixes. The underscore keeps them out of the Command Palette and the keybindings editor.
const PERFORM = '_k3.performFix';
const DISMISS = '_k3.dismissProblem';
const GO_TO_TURN = '_k3.goToTurn';

export interface QuickFixesDeps {
  readonly conversations: Pick<Conversations, 'get' | 'find' | 'open'>;
  readonly problems: Pick<Problems, 'on' | 'conversationOf' | 'dismiss' | 'onDidChange'>;
  perform(action: CardAction, turnId: string): Promise<void>;
  /** Reveals a place in the open conversation. */
  reveal(place: FoundPlace): void;
}

/**
 * Registers the fixes twice: as code actions for the Problems view, and as CodeLenses above the turn, because the
 * editor shows no light bulb in a read-only document.
 */
export function registerQuickFixes(deps: QuickFixesDeps): vscode.Disposable {
  const { problems } = deps;
  const lensesChanged = new vscode.EventEmitter<void>();
  const selector: vscode.DocumentSelector = { scheme: CONVERSATION_SCHEME };

  const fixesOf = (problem: Problem, allProblems: readonly Problem[]) => {
    const found = findTurn(problem.turnId, deps);
    return found === undefined ? [] : toFixes(problem, found, allProblems);
  };

  return vscode.Disposable.from(
    lensesChanged,
    problems.onDidChange(() => lensesChanged.fire()),
    vscode.languages.registerCodeActionsProvider(
      selector,
      {
        provideCodeActions({ uri }, range) {
          const allProblems = problems.on(uri);
          return allProblems
            .filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined)
            .flatMap((problem) => fixesOf(problem, allProblems).map((fix) => toCodeAction(fix, problem)));
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses({ uri }) {
        const allProblems = problems.on(uri);
        return toLenses(
          allProblems.map((problem) => ({
            line: problem.diagnostic.range,
            fixes: fixesOf(problem, allProblems),
          })),
        );
      },
    }),
    ...registerFixCommands(deps),
  );
}

/** Finds a turn, and loads its conversation, which may have left the memory while its problems are shown. */
function findTurn(turnId: string, { conversations, problems }: QuickFixesDeps): Found | undefined {
  const id = problems.conversationOf(turnId);
  if (id !== undefined) conversations.get(id);
  return conversations.find(turnId);
}

/**
 * Registers the commands of the fixes. Any extension can call them, so the arguments must name a fix that is offered
 * now.
 */
function registerFixCommands(deps: QuickFixesDeps): vscode.Disposable[] {
  const { conversations, problems, perform } = deps;
  const findOrSay = (turnId: unknown) => {
    if (typeof turnId !== 'string') return undefined;
    const found = findTurn(turnId, deps);
    if (found === undefined && problems.conversationOf(turnId) !== undefined)
      void showError(t('The conversation can’t be read now. Try again later.'));
    return found;
  };
  const findProblem = (found: Found | undefined, code: unknown) => {
    const turnId = found?.turn.id;
    return (
      found &&
      problems
        .on(conversationUri(found.conversation))
        .find((problem) => problem.turnId === turnId && problem.notice.code === code)
    );
  };
  return [
    vscode.commands.registerCommand(PERFORM, async (turnId: unknown, code: unknown, name: unknown) => {
      const found = findOrSay(turnId);
      const problem = findProblem(found, code);
      if (found === undefined || problem === undefined) return;
      const offered = offeredActions(problem, found).find(({ action }) => action === name);
      if (offered === undefined) return;
      conversations.open(found.conversation.id);
      await perform(offered.action, found.turn.id);
    }),
    vscode.commands.registerCommand(DISMISS, (turnId: unknown, code: unknown) => {
      const problem = findProblem(findOrSay(turnId), code);
      if (problem !== undefined) problems.dismiss(problem.turnId, problem.notice.code);
    }),
    vscode.commands.registerCommand(GO_TO_TURN, async (turnId: unknown) => {
      const found = findOrSay(turnId);
      if (found === undefined) return;
      conversations.open(found.conversation.id);
      await vscode.commands.executeCommand('k3.focusChat');
      deps.reveal({ exchangeId: found.exchange.id, part: 'answer' });
    }),
  ];
}

function offeredActions(problem: Problem, { conversation, exchange, turn }: Found) {
  const last = conversation.exchanges.at(-1)?.id === exchange.id;
  const images = sentImagesOf(conversation, exchange.id);
  const sent = { images, anyKept: keptExchanges(conversation).length > 0 };
  return actionsFor(problem.notice, turn, sent).filter(
    // A question is edited in the chat, which another fix opens.
    ({ action }) => action !== 'edit-question' && (last || !SENDING_ACTIONS.has(action)),
  );
}

function toFixes(problem: Problem, found: Found, allProblems: readonly Problem[]): readonly vscode.Command[] {
  const { turnId, notice } = problem;
  const alone = allProblems.filter((other) => other.turnId === turnId).length === 1;
  return [
    ...offeredActions(problem, found).map(({ action, label }) => ({
      command: PERFORM,
      title: label,
      arguments: [turnId, notice.code, action],
    })),
    {
      command: DISMISS,
      title: alone ? t('Dismiss') : t('Dismiss “{0}”', noticeTitle(notice, found.turn)),
      arguments: [turnId, notice.code],
    },
    { command: GO_TO_TURN, title: t('Go to turn in chat'), arguments: [turnId] },
  ];
}

function toCodeAction(fix: vscode.Command, { diagnostic }: Problem): vscode.CodeAction {
  const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
  action.command = fix;
  action.diagnostics = [diagnostic];
  return action;
}

interface FixesOnLine {
  readonly line: vscode.Range;
  readonly fixes: readonly vscode.Command[];
}

/** Merges equal fixes of several problems on one line. */
function toLenses(onLines: readonly FixesOnLine[]): vscode.CodeLens[] {
  const lenses = new Map<string, vscode.CodeLens>();
  for (const { line, fixes } of onLines) {
    for (const fix of fixes) {
      const key = `${line.start.line}/${fix.title}`;
      if (!lenses.has(key)) lenses.set(key, new vscode.CodeLens(line, fix));
    }
  }
  return [...lenses.values()];
}

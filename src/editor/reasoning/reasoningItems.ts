/** Tree items for the nodes of the Reasoning view: labels, figures, icons, and text for screen readers. */
import * as vscode from 'vscode';
import type { FormatCheck } from '../../conversation/answerFormats/answerFormat.ts';
import type { Exchange } from '../../conversation/conversation.ts';
import { shorten } from '../../conversation/cutText.ts';
import { isAboutEnd, severityOf, toNotices } from '../../conversation/outcomes/notices.ts';
import { isFailurePast, type Now } from '../../conversation/outcomes/pastFailure.ts';
import {
  MIN_MS,
  type StepFacts,
  toReasoningFacts,
  toStepFacts,
  toStepText,
} from '../../conversation/reasoning/steps.ts';
import { allReasoning } from '../../conversation/rounds.ts';
import type { Turn } from '../../conversation/turn.ts';
import { behindTitle } from '../../panel/direction.ts';
import type { Strength } from '../../panel/why.ts';
import { goesOn } from '../../requests/wholeAnswer.ts';
import { toPlainLines } from '../../text/plainLine.ts';
import { formatSeconds, tokensText } from '../base/formats.ts';
import { plural } from '../base/plural.ts';
import { joinList } from '../base/sentences.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { runsElsewhere } from '../conversations/freeConversation.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import { reasoningText } from '../wording/accountWords.ts';
import { questionLine } from '../wording/questionLine.ts';
import { toTurnState } from '../wording/turnState.ts';
import type { EarlierNode, FileNode, ReasoningNode, StepNode } from './reasoningNodes.ts';

const t = vscode.l10n.t;
const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

// Turns are immutable, so the steps are computed once per turn object for all its items.
const factsOf = new WeakMap<Turn, readonly StepFacts[]>();

/** The row of a node. Empty if its turn or step is gone. */
export function toItem(
  node: ReasoningNode,
  conversations: Pick<Conversations, 'find' | 'isRunning' | 'holder'>,
  judged: StructuredAnswers['judged'],
  now: () => Now,
  cited: Strength | undefined,
): vscode.TreeItem {
  if (node.kind === 'file') return toFileItem(node);
  if (node.kind === 'earlier') return toEarlierItem(node);
  const found = conversations.find(node.turnId);
  if (found === undefined) return new vscode.TreeItem('');
  const state = toTurnState(found.turn, runsElsewhere(conversations, found.conversation.id));
  if (node.kind === 'turn')
    return toTurnItem(found, state.label, judged(found.turn, found.exchange.question), now());
  const facts = factsOf.get(found.turn) ?? toStepFacts(found.turn);
  factsOf.set(found.turn, facts);
  const step = facts[node.index];
  return step === undefined
    ? new vscode.TreeItem('')
    : toStepRow(node, step, {
        live: state.phase === 'reasoning' && node.index === facts.length - 1,
        cited,
      });
}

/** @param state the state of the turn, in words */
function toTurnItem(
  { conversation, exchange, turn }: Found,
  state: string,
  judged: FormatCheck | undefined,
  now: Now,
): vscode.TreeItem {
  const newest = conversation.exchanges.at(-1)?.attempts.at(-1)?.id === turn.id;
  const hasSteps = turn.outline.current !== undefined;
  const attempt = exchange.attempts.findIndex(({ id }) => id === turn.id) + 1;
  const question = questionLine(exchange, turn);
  const several = exchange.attempts.length > 1;
  const label = several ? t('{0} (attempt {1})', cut(question), attempt) : question;
  const figures = toTurnFigures(turn);
  const open = hasSteps ? Collapsed : None;
  // A running turn is expanded before its steps arrive.
  const shown = newest && (hasSteps || turn.outcome === undefined) ? Expanded : open;
  const item = new vscode.TreeItem(label, shown);
  item.id = turn.id;
  item.description = behindTitle(label, figures.length === 0 ? state : figures.join(' · '));
  const isPast = isFailurePast(turn, conversation.id, now);
  item.iconPath = toTurnIcon(turn, conversation.exchanges, judged, isPast);
  item.contextValue = allReasoning(turn) === '' ? 'no-reasoning' : 'turn';
  item.tooltip = new vscode.MarkdownString().appendText([question, state, ...figures].join('\n'));
  const spoken = several ? t('{0} (attempt {1})', question, attempt) : question;
  item.accessibilityInformation = { label: joinList([spoken, ...figures, state]) };
  if (allReasoning(turn) !== '') item.command = openCommand();
  return item;
}

/** The command that lists more turns in the view. */
export const SHOW_EARLIER = '_k3.showEarlierTurns';
/** The command of the rows of turns and steps. */
export const SELECT_ROW = '_k3.selectReasoningRow';

function toEarlierItem({ count }: EarlierNode): vscode.TreeItem {
  const label = plural(t('Show earlier messages ({0})'), count);
  const item = new vscode.TreeItem(label);
  item.id = 'earlier';
  item.command = { command: SHOW_EARLIER, title: label };
  return item;
}

/** The maximum length of a question before the attempt number, so that the number is visible in a narrow view. In UTF-16 code units. */
const LONGEST_BESIDE_ATTEMPT = 14;

const cut = (question: string): string => shorten(question, LONGEST_BESIDE_ATTEMPT);

function toTurnFigures(turn: Turn): readonly string[] {
  const { ms } = toReasoningFacts(turn);
  const counted = reasoningText(turn);
  if (counted === undefined) return [];
  return ms === undefined || ms < MIN_MS ? [counted] : [counted, formatSeconds(ms)];
}

function toTurnIcon(
  turn: Turn,
  exchanges: readonly Exchange[],
  judged: FormatCheck | undefined,
  isPast: boolean,
): vscode.ThemeIcon {
  if (turn.outcome === undefined) return new vscode.ThemeIcon('loading~spin');
  if (turn.outcome === 'stopped') return new vscode.ThemeIcon('circle-slash');
  const worst = toNotices(turn, undefined, judged)
    .filter(({ code }) => code !== 'failed' || !isPast)
    .filter((notice) => !isAboutEnd(notice) || !goesOn(exchanges, turn))
    .map(({ code }) => severityOf(code));
  if (worst.includes('error')) {
    return new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
  }
  if (worst.includes('warning')) {
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  }
  return new vscode.ThemeIcon('comment');
}

export interface StepOptions {
  /** Whether the step is still being received. */
  readonly live: boolean;
  /** How well the step matches the words that the user asked about; undefined if it doesn't. */
  readonly cited: Strength | undefined;
}

function toStepRow(node: StepNode, { step, tokens, ms }: StepFacts, options: StepOptions): vscode.TreeItem {
  const item = new vscode.TreeItem(step.title, step.files.length > 0 ? Collapsed : None);
  const figures = [tokensText(tokens), ...(ms === undefined ? [] : [formatSeconds(ms)])];
  item.id = `${node.turnId}/${node.index}`;
  item.description = behindTitle(step.title, figures.join(' · '));
  item.iconPath = toStepIcon(options);
  item.contextValue = 'step';
  item.command = openCommand();
  const cited = options.cited === undefined ? [] : [matchLabel(options.cited)];
  item.accessibilityInformation = {
    label: t('Step {0}: {1}', node.index + 1, joinList([step.title, ...figures, ...cited])),
  };
  return item;
}

/** The outline of a weak match corresponds to the dotted line beside it in the chat. */
function toStepIcon({ live, cited }: StepOptions): vscode.ThemeIcon {
  if (live) return new vscode.ThemeIcon('loading~spin');
  if (cited === undefined) return new vscode.ThemeIcon('circle-small-filled');
  const name = cited === 'strong' ? 'circle-filled' : 'circle-outline';
  return new vscode.ThemeIcon(name, new vscode.ThemeColor('charts.yellow'));
}

const matchLabel = (strength: Strength) =>
  strength === 'strong' ? t('mentions the selected words') : t('shares some words with the selection');

const openCommand = (): vscode.Command => ({ command: SELECT_ROW, title: t('Open Reasoning') });

function toFileItem({ step, mention, where }: FileNode): vscode.TreeItem {
  const name = mention.line === undefined ? mention.path : `${mention.path}:${mention.line}`;
  const item = new vscode.TreeItem(name, None);
  item.id = `${step.turnId}/${step.index}/${name}`;
  item.contextValue = 'file';
  if (where.found !== 'one') {
    const why = where.found === 'none' ? t('not found in the workspace') : t('several files have this name');
    item.iconPath = new vscode.ThemeIcon('question');
    item.description = why;
    item.tooltip = `${name}: ${why}`;
    item.accessibilityInformation = { label: joinList([name, why]) };
    return item;
  }
  item.resourceUri = where.uri;
  item.iconPath = vscode.ThemeIcon.File;
  item.tooltip = where.uri.fsPath;
  item.accessibilityInformation = { label: t('File {0}', name) };
  const line = Math.max(0, (mention.line ?? 1) - 1);
  item.command = {
    command: 'vscode.open',
    title: t('Open File'),
    arguments: [
      where.uri,
      {
        preview: true,
        selection: new vscode.Range(line, 0, line, 0),
      } satisfies vscode.TextDocumentShowOptions,
    ],
  };
  return item;
}

/** In UTF-16 code units. */
const LONGEST_TOOLTIP = 2000;

/**
 * The beginning of the text of a step. As text, not as Markdown, because a hover would load images that the reasoning names
 * (docs/security.md).
 */
export const toStepTooltip = (turn: Turn, step: number): vscode.MarkdownString =>
  new vscode.MarkdownString().appendText(toPlainLines(toStepText(turn, step, LONGEST_TOOLTIP)));

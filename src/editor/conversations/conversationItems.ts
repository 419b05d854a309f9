/** The rows of the Conversations view. */
import * as vscode from 'vscode';
import type { Summary } from '../../history/listedRows.ts';
import { behindTitle } from '../../panel/direction.ts';
import { toCostText } from '../../panel/usage.ts';
import { formatCost } from '../base/formats.ts';
import { joinList } from '../base/sentences.ts';
import type { AgeGroup } from './ageGroups.ts';

const t = vscode.l10n.t;

export type GroupId = 'pinned' | AgeGroup;

/** What the row of a conversation shows. */
export interface ConversationRow {
  readonly summary: Summary;
  /** Whether the chat in the side bar shows the conversation. */
  readonly open: boolean;
  readonly running: boolean;
  /** Whether a tool call waits for an approval. */
  readonly waits: boolean;
}

// Internal commands of the view. The underscore keeps them out of all lists of commands.
export const OPEN_CONVERSATION = '_k3.openConversation';
/** The command of the rows of the view. */
export const SELECT_ROW = '_k3.selectConversationRow';
/** The commands of the keys for the row that has the focus. */
export const ROW_KEYS = { begin: '_k3.beginConversationKey', end: '_k3.endConversationKey' };

export function toGroupItem(group: GroupId): vscode.TreeItem {
  const open = group === 'older' || group === 'month' ? 1 : 2;
  const item = new vscode.TreeItem(groupLabel(group), open);
  item.id = `group/${group}`;
  return item;
}

function groupLabel(group: GroupId): string {
  switch (group) {
    case 'pinned':
      return t('Pinned');
    case 'today':
      return t('Today');
    case 'yesterday':
      return t('Yesterday');
    case 'week':
      return t('Last 7 days');
    case 'month':
      return t('Last 30 days');
    case 'older':
      return t('Older');
  }
}

export function toMoreItem(group: GroupId): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Show more…'));
  item.id = `more/${group}`;
  item.command = { command: SELECT_ROW, title: t('Show more…') };
  return item;
}

export function toConversationItem({ summary, open, running, waits }: ConversationRow): vscode.TreeItem {
  const item = new vscode.TreeItem(summary.title);
  item.id = summary.id;
  const about = [...(waits ? [t('Waiting for approval')] : []), describe(summary)]
    .filter((part) => part !== '')
    .join(' · ');
  item.description = behindTitle(summary.title, about);
  const idle = summary.pinned ? 'pinned' : open ? 'comment-discussion' : 'comment';
  item.iconPath = new vscode.ThemeIcon(waits ? 'question' : running ? 'loading~spin' : idle);
  item.contextValue = summary.pinned ? 'conversation.pinned' : 'conversation';
  item.tooltip = [
    summary.title,
    summary.workspace,
    new Date(summary.changedAt).toLocaleString(vscode.env.language),
  ]
    .filter((line) => line !== undefined)
    .join('\n');
  const state = waits ? '' : running ? t('running') : open ? t('open') : '';
  item.accessibilityInformation = {
    label: joinList([summary.title, about, state]),
  };
  item.command = { command: SELECT_ROW, title: t('Open Conversation') };
  return item;
}

/** The cost and the routes of a conversation. If the usage of a turn is not reported, the cost is a lower bound. */
function describe({ cost, unreported, routes }: Summary): string {
  const paid =
    cost === 0 && unreported === 0
      ? []
      : [toCostText({ cost, unreported }, formatCost, t('usage not reported'))];
  return [...paid, joinList(routes)].filter((part) => part !== '').join(' · ');
}

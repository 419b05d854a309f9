/** The Conversations view (`k3.conversations`): pinned conversations, then the others by date of last use. */

import * as vscode from 'vscode';
import { type AgeGroup, ageGroupOf } from '../../conversation/calendar.ts';
import type { Summary } from '../../history/conversationRows.ts';
import { toCostText } from '../../panel/usage.ts';
import { groupBy } from '../../text/groupBy.ts';
import { formatCost } from '../base/formats.ts';
import { joinList } from '../base/sentences.ts';
import { showRowsAtOnce } from '../base/treeRows.ts';
import { waitingCalls } from '../wording/turnLabels.ts';
import type { ConversationChange } from './conversationChange.ts';
import type { Conversations } from './conversationList.ts';

const t = vscode.l10n.t;

type GroupId = 'pinned' | AgeGroup;
type ChangedTurn = Extract<ConversationChange, { type: 'turn' }>;

/** A group, a conversation, or the row “Show more…” of a group. */
export type ConversationNode =
  | { readonly group: GroupId; readonly conversationId?: undefined; readonly more?: undefined }
  | { readonly conversationId: string; readonly group?: undefined; readonly more?: undefined }
  | { readonly more: GroupId; readonly group?: undefined; readonly conversationId?: undefined };

export interface ConversationsTreeDeps {
  readonly conversations: Pick<Conversations, 'list' | 'current' | 'isRunning' | 'holder' | 'onDidChange'>;
  readonly workspace: string | undefined;
}

/** Conversations that a group shows at first. A tree with thousands of rows is slow. */
const INITIAL_COUNT = 200;

// Internal commands of the view. The underscore keeps them out of all lists of commands.
export const OPEN_CONVERSATION = '_k3.openConversation';
const SHOW_MORE = '_k3.showMoreConversations';
/** The context key for the title menu of the view. */
const ONLY_WORKSPACE = 'k3.onlyWorkspace';

/** Registers the view, its filter and its paging. */
export function registerConversationsTree(deps: ConversationsTreeDeps): vscode.Disposable {
  const tree = createConversationsTree(deps);
  const filter = async (only: boolean) => {
    tree.setFilter(only);
    await vscode.commands.executeCommand('setContext', ONLY_WORKSPACE, only);
  };
  const view = vscode.window.createTreeView('k3.conversations', { treeDataProvider: tree });
  return vscode.Disposable.from(
    tree,
    view,
    showRowsAtOnce(view),
    vscode.commands.registerCommand(SHOW_MORE, (group: GroupId) => tree.showMore(group)),
    vscode.commands.registerCommand('k3.showWorkspaceConversations', () => filter(true)),
    vscode.commands.registerCommand('k3.showAllConversations', () => filter(false)),
  );
}

export interface ConversationsTree extends vscode.TreeDataProvider<ConversationNode>, vscode.Disposable {
  getChildren(node?: ConversationNode): ConversationNode[];
  getTreeItem(node: ConversationNode): vscode.TreeItem;
  setFilter(onlyWorkspace: boolean): void;
  showMore(group: GroupId): void;
}

/** The tree data provider of the view. */
export function createConversationsTree({
  conversations,
  workspace,
}: ConversationsTreeDeps): ConversationsTree {
  const changed = new vscode.EventEmitter<undefined>();
  const shown = new Map<GroupId, number>();
  let onlyWorkspace = false;
  /** The rows when the roots were read, so that items are found by ID. */
  let groups = new Map<GroupId, readonly Summary[]>();
  let byId = new Map<string, Summary>();

  /** The conversations with a tool call that waits for an approval. */
  const waiting = new Set<string>();

  const listening = conversations.onDidChange((change) => {
    // A turn's cost arrives with `listed`, at its end. Deltas change nothing in this view.
    const isListed = change.type === 'listed' || change.type === 'opened';
    // The end of its turn isn't reported when it is deleted.
    if (change.type === 'replaced') waiting.delete(change.conversationId);
    if (isListed || (change.type === 'turn' && noteWaiting(change))) changed.fire(undefined);
  });

  /** Whether a conversation waits now and didn't before, or the other way around. */
  function noteWaiting({ conversationId, turn }: ChangedTurn): boolean {
    const waits = waitingCalls(turn) > 0;
    if (waits === waiting.has(conversationId)) return false;
    if (waits) waiting.add(conversationId);
    else waiting.delete(conversationId);
    return true;
  }

  function readList(): void {
    const now = Date.now();
    const list = conversations.list().filter((one) => !onlyWorkspace || one.workspace === workspace);
    groups = groupBy(list, (one): GroupId => (one.pinned ? 'pinned' : ageGroupOf(one.changedAt, now)));
    byId = new Map(list.map((one) => [one.id, one]));
  }

  function rowsOf(group: GroupId): ConversationNode[] {
    const all = groups.get(group) ?? [];
    const count = shown.get(group) ?? INITIAL_COUNT;
    const rows: ConversationNode[] = all.slice(0, count).map(({ id }) => ({ conversationId: id }));
    return all.length > count ? [...rows, { more: group }] : rows;
  }

  return {
    onDidChangeTreeData: changed.event,
    getChildren(node) {
      if (node?.group !== undefined) return rowsOf(node.group);
      if (node !== undefined) return [];
      readList();
      return GROUPS.filter((group) => groups.has(group)).map((group) => ({ group }));
    },
    getTreeItem(node) {
      if (node.group !== undefined) return toGroupItem(node.group);
      if (node.more !== undefined) return toMoreItem(node.more);
      const summary = byId.get(node.conversationId);
      return summary === undefined
        ? new vscode.TreeItem('')
        : toItem(summary, conversations, waiting.has(summary.id));
    },
    setFilter(only) {
      onlyWorkspace = only;
      changed.fire(undefined);
    },
    showMore(group) {
      shown.set(group, (shown.get(group) ?? INITIAL_COUNT) * 5);
      changed.fire(undefined);
    },
    dispose() {
      listening.dispose();
      changed.dispose();
    },
  };
}

const GROUPS: readonly GroupId[] = ['pinned', 'today', 'yesterday', 'week', 'month', 'older'];

function toGroupItem(group: GroupId): vscode.TreeItem {
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

function toMoreItem(group: GroupId): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Show more…'));
  item.id = `more/${group}`;
  item.command = { command: SHOW_MORE, title: t('Show more…'), arguments: [group] };
  return item;
}

function toItem(
  summary: Summary,
  conversations: Pick<Conversations, 'current' | 'isRunning' | 'holder'>,
  waits: boolean,
): vscode.TreeItem {
  const open = conversations.current().id === summary.id;
  const running = conversations.isRunning(summary.id);
  const item = new vscode.TreeItem(summary.title);
  item.id = summary.id;
  item.description = [...(waits ? [t('Waiting for approval')] : []), describe(summary)]
    .filter((part) => part !== '')
    .join(' · ');
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
    label: joinList([summary.title, item.description, state]),
  };
  item.command = { command: OPEN_CONVERSATION, title: t('Open Conversation'), arguments: [summary.id] };
  return item;
}

/** Cost and routes. If the usage of a turn is not reported, the cost is a lower bound. */
function describe({ cost, unreported, routes }: Summary): string {
  const paid =
    cost === 0 && unreported === 0
      ? []
      : [toCostText({ cost, unreported }, formatCost, t('usage not reported'))];
  return [...paid, joinList(routes)].filter((part) => part !== '').join(' · ');
}

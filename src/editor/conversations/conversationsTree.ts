/** The Conversations view (`k3.conversations`): pinned conversations, then the others by date of last use. */

import * as vscode from 'vscode';
import type { Summary } from '../../history/listedRows.ts';
import { groupBy } from '../../text/groupBy.ts';
import { createThrottle } from '../base/throttle.ts';
import { registerRowCommand, registerRowKeys, showRowsAtOnce } from '../base/treeRows.ts';
import { waitingCalls } from '../wording/turnLabels.ts';
import { ageGroupOf } from './ageGroups.ts';
import type { ConversationChange } from './conversationChange.ts';
import {
  type ConversationRow,
  type GroupId,
  OPEN_CONVERSATION,
  ROW_KEYS,
  SELECT_ROW,
  toConversationItem,
  toGroupItem,
  toMoreItem,
} from './conversationItems.ts';
import type { Conversations } from './conversationList.ts';

type ChangedTurn = Extract<ConversationChange, { type: 'turn' }>;

/** A group, a conversation, or the row “Show more…” of a group. */
export type ConversationNode =
  | { readonly group: GroupId; readonly conversationId?: undefined; readonly more?: undefined }
  | { readonly conversationId: string; readonly group?: undefined; readonly more?: undefined }
  | { readonly more: GroupId; readonly group?: undefined; readonly conversationId?: undefined };

export interface ConversationsTreeDeps {
  readonly conversations: Pick<Conversations, 'list' | 'current' | 'isRunning' | 'onDidChange'>;
  readonly workspace: string | undefined;
  /** Whether the view is visible. The editor requests all rows when the view becomes visible. */
  readonly isVisible: () => boolean;
}

/** The number of conversations that a group shows at first. A tree with thousands of rows is slow. */
const INITIAL_COUNT = 200;
/** The minimum interval between updates, in milliseconds. A turn changes the list several times when it begins and when it ends. */
const REFRESH_MS = 200;

const GROUPS: readonly GroupId[] = ['pinned', 'today', 'yesterday', 'week', 'month', 'older'];
/** The context key for the title menu of the view. */
const ONLY_WORKSPACE = 'k3.onlyWorkspace';

/** Registers the view, its filter and its paging. */
export function registerConversationsTree(deps: Omit<ConversationsTreeDeps, 'isVisible'>): vscode.Disposable {
  const tree = createConversationsTree({ ...deps, isVisible: () => view.visible });
  const filter = async (only: boolean) => {
    tree.setFilter(only);
    await vscode.commands.executeCommand('setContext', ONLY_WORKSPACE, only);
  };
  const view = vscode.window.createTreeView('k3.conversations', { treeDataProvider: tree });
  return vscode.Disposable.from(
    tree,
    view,
    showRowsAtOnce(view),
    registerRowCommand(SELECT_ROW, view, ({ conversationId, more }) =>
      more === undefined
        ? conversationId && vscode.commands.executeCommand(OPEN_CONVERSATION, conversationId)
        : tree.showMore(more),
    ),
    registerRowKeys(
      ROW_KEYS,
      view,
      (row, what) =>
        row.conversationId &&
        vscode.commands.executeCommand(
          what === 'delete' ? 'k3.deleteConversation' : 'k3.renameConversation',
          row,
        ),
    ),
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
  isVisible,
}: ConversationsTreeDeps): ConversationsTree {
  const changed = new vscode.EventEmitter<ConversationNode[] | undefined>();
  const shown = new Map<GroupId, number>();
  let onlyWorkspace = false;
  /** The rows at the time when the editor requested the roots, with which items are found by ID. */
  let groups = new Map<GroupId, readonly Summary[]>();
  let byId = new Map<string, Summary>();
  /** What each row showed when the editor requested it. */
  const drawn = new Map<string, string>();
  /** The nodes by conversation id. The editor recognizes the rows that have changed by their node objects. */
  const nodes = new Map<string, ConversationNode>();

  /** The conversations with a tool call that waits for an approval. */
  const waiting = new Set<string>();

  const refreshing = createThrottle(REFRESH_MS, refresh);
  const listening = conversations.onDidChange((change) => {
    // The cost of a turn is reported with `listed`, at its end. Deltas don't change this view.
    const isListed = change.type === 'listed' || change.type === 'opened';
    // When a conversation is deleted, the end of its turn isn't reported.
    if (change.type === 'replaced') waiting.delete(change.conversationId);
    if (isListed || (change.type === 'turn' && noteWaiting(change))) refreshing.call();
  });

  // After midnight, conversations belong to other groups. It is enough to update them when the user returns to the window.
  const focusing = vscode.window.onDidChangeWindowState(({ focused }) => focused && refreshing.call());

  /** Records whether a conversation waits for an approval. Returns whether that has changed. */
  function noteWaiting({ conversationId, turn }: ChangedTurn): boolean {
    const waits = waitingCalls(turn) > 0;
    if (waits === waiting.has(conversationId)) return false;
    if (waits) waiting.add(conversationId);
    else waiting.delete(conversationId);
    return true;
  }

  /**
   * Updates only the rows that have changed, if the order of the rows is the same. VS Code creates all rows of a subtree
   * that is updated, and keeps an object for each of them forever (docs/performance.md).
   */
  function refresh(): void {
    const before = orderOf(groups);
    const isDrawn = isVisible() && drawn.size > 0;
    if (isDrawn) readList();
    if (!isDrawn || orderOf(groups) !== before) {
      changed.fire(undefined);
      return;
    }
    const rows = [...drawn].filter(([id, row]) => toText(rowOf(id)) !== row);
    if (rows.length > 0) changed.fire(rows.map(([id]) => nodeOf(id)));
  }

  function rowOf(id: string): ConversationRow | undefined {
    const summary = byId.get(id);
    return (
      summary && {
        summary,
        open: conversations.current().id === id,
        running: conversations.isRunning(id),
        waits: waiting.has(id),
      }
    );
  }

  function nodeOf(conversationId: string): ConversationNode {
    const node = nodes.get(conversationId) ?? { conversationId };
    nodes.set(conversationId, node);
    return node;
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
    const rows: ConversationNode[] = all.slice(0, count).map(({ id }) => nodeOf(id));
    return all.length > count ? [...rows, { more: group }] : rows;
  }

  return {
    onDidChangeTreeData: changed.event,
    getChildren(node) {
      if (node?.group !== undefined) return rowsOf(node.group);
      if (node !== undefined) return [];
      readList();
      drawn.clear();
      return GROUPS.filter((group) => groups.has(group)).map((group) => ({ group }));
    },
    getTreeItem(node) {
      if (node.group !== undefined) return toGroupItem(node.group);
      if (node.more !== undefined) return toMoreItem(node.more);
      const row = rowOf(node.conversationId);
      drawn.set(node.conversationId, toText(row));
      return row === undefined ? new vscode.TreeItem('') : toConversationItem(row);
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
      focusing.dispose();
      refreshing.dispose();
      changed.dispose();
    },
  };
}

/** The groups and their conversations, as text that can be compared. */
const orderOf = (groups: ReadonlyMap<GroupId, readonly Summary[]>): string =>
  JSON.stringify([...groups].map(([group, rows]) => [group, rows.map(({ id }) => id)]));

const toText = (row: ConversationRow | undefined): string => JSON.stringify(row) ?? '';

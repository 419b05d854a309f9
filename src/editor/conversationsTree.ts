/** The Conversations view (`k3.conversations`): the conversations of this window, newest first. */
import * as vscode from 'vscode';
import { toAccount } from '../chat/cost.ts';
import { type Conversation, shownTurn } from '../chat/turn.ts';
import type { Conversations } from './conversations.ts';
import { formatCost } from './formats.ts';
import { readSettings } from './settings.ts';

const t = vscode.l10n.t;

export interface ConversationNode {
  readonly conversationId: string;
}

export interface ConversationsTreeDeps {
  readonly conversations: Pick<
    Conversations,
    'all' | 'get' | 'current' | 'open' | 'delete' | 'rename' | 'isRunning' | 'onDidChange'
  >;
}

/** What the commands are called with: a node of the view, an id, or nothing from the palette. */
type ConversationTarget = string | ConversationNode | undefined;

// Behind a click in the view, not for the palette: the underscore keeps it out of every list.
const OPEN = '_k3.openConversation';

/** Registers the view, and the commands `k3.deleteConversation` and `k3.renameConversation`. */
export function registerConversationsTree({ conversations }: ConversationsTreeDeps): vscode.Disposable {
  const tree = createConversationsTree({ conversations });
  const toConversation = (target: ConversationTarget) => {
    const id = typeof target === 'string' ? target : target?.conversationId;
    return id === undefined ? conversations.current() : conversations.get(id);
  };
  return vscode.Disposable.from(
    tree,
    vscode.window.createTreeView('k3.conversations', { treeDataProvider: tree }),
    vscode.commands.registerCommand(OPEN, async (id: unknown) => {
      if (typeof id === 'string') conversations.open(id);
      await vscode.commands.executeCommand('k3.focusChat');
    }),
    vscode.commands.registerCommand('k3.deleteConversation', async (target: ConversationTarget) => {
      const conversation = toConversation(target);
      if (conversation !== undefined && (await confirmDeleting(conversation)))
        conversations.delete(conversation.id);
    }),
    vscode.commands.registerCommand('k3.renameConversation', async (target: ConversationTarget) => {
      const conversation = toConversation(target);
      if (conversation === undefined) return;
      const title = await askTitle(conversation);
      if (title !== undefined) conversations.rename(conversation.id, title.trim());
    }),
  );
}

export interface ConversationsTree extends vscode.TreeDataProvider<ConversationNode>, vscode.Disposable {
  getChildren(): ConversationNode[];
  getTreeItem(node: ConversationNode): vscode.TreeItem;
}

/** The data behind the view. */
export function createConversationsTree({
  conversations,
}: Pick<ConversationsTreeDeps, 'conversations'>): ConversationsTree {
  const changed = new vscode.EventEmitter<undefined>();
  const listening = conversations.onDidChange((change) => {
    // Costs are known when a turn ends; deltas change nothing that is shown here.
    if (change.type === 'seen' || (change.type === 'turn' && change.turn.outcome === undefined)) return;
    changed.fire(undefined);
  });
  return {
    onDidChangeTreeData: changed.event,
    getChildren: () =>
      conversations
        .all()
        .filter(({ exchanges }) => exchanges.length > 0)
        .toSorted((a, b) => lastActivity(b) - lastActivity(a))
        .map(({ id }) => ({ conversationId: id })),
    getTreeItem({ conversationId }) {
      const conversation = conversations.get(conversationId);
      return conversation === undefined ? new vscode.TreeItem('') : toItem(conversation, conversations);
    },
    dispose() {
      listening.dispose();
      changed.dispose();
    },
  };
}

function lastActivity({ createdAt, exchanges }: Conversation): number {
  const begun = exchanges.flatMap(({ attempts }) => attempts.map(({ startedAt }) => startedAt));
  return begun.reduce((latest, at) => Math.max(latest, at), createdAt);
}

function toItem(
  conversation: Conversation,
  conversations: Pick<Conversations, 'current' | 'isRunning'>,
): vscode.TreeItem {
  const open = conversations.current().id === conversation.id;
  const running = conversations.isRunning(conversation.id);
  const item = new vscode.TreeItem(conversation.title);
  item.id = conversation.id;
  item.description = describe(conversation);
  item.iconPath = new vscode.ThemeIcon(running ? 'loading~spin' : open ? 'comment-discussion' : 'comment');
  item.contextValue = 'conversation';
  item.tooltip = conversation.title;
  const state = running ? t('running') : open ? t('open') : '';
  item.accessibilityInformation = {
    label: [conversation.title, item.description, state].filter((part) => part !== '').join(', '),
  };
  item.command = { command: OPEN, title: t('Open Conversation'), arguments: [conversation.id] };
  return item;
}

/** Cost and route; without reported usage the cost is left out, because it is not zero. */
function describe(conversation: Conversation): string {
  const { cost, unreported, totalTokens } = toAccount(conversation, readSettings().prices);
  const paid = totalTokens === 0 ? [] : [unreported > 0 ? `≥ ${formatCost(cost)}` : formatCost(cost)];
  const routes = new Set(
    conversation.exchanges.flatMap((exchange) => shownTurn(exchange)?.request.routeName ?? []),
  );
  return [...paid, [...routes].join(', ')].join(' · ');
}

async function confirmDeleting(conversation: Conversation): Promise<boolean> {
  // Nothing is lost with one in which nothing was asked.
  if (conversation.exchanges.length === 0) return true;
  const yes = t('Delete');
  const question = t('Delete the conversation “{0}”?', conversation.title);
  const detail = t('Its questions, answers and reasoning are gone for good.');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

function askTitle(conversation: Conversation): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Rename Conversation'),
    prompt: t('The title of the conversation'),
    value: conversation.title,
    validateInput: (value) => (value.trim() === '' ? t('A title has at least one character.') : undefined),
  });
}

/** The conversations: the list, its view and commands, search, files, and the read-only document. */
import * as vscode from 'vscode';
import type { Turns } from '../../requests/turns.ts';
import type { Base } from '../base/base.ts';
import type { Storage } from '../storage/storage.ts';
import { registerConversationCommands } from './conversationCommands.ts';
import { registerConversationDocument } from './conversationDocument.ts';
import { registerConversationFiles } from './conversationFiles.ts';
import { type Conversations, createConversations } from './conversationList.ts';
import { type FoundPlace, registerConversationSearch } from './conversationSearch.ts';
import { registerConversationsTree } from './conversationsTree.ts';
import { createLastConversation } from './lastConversation.ts';
import { registerRestoreCommand } from './restoreCommand.ts';

export interface ConversationsRoomDeps {
  readonly base: Pick<Base, 'log'>;
  readonly storage: Pick<Storage, 'store' | 'history'>;
  readonly turns: Pick<Turns, 'prepare'>;
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState'>;
}

export interface ConversationsRoom extends vscode.Disposable {
  readonly conversations: Conversations;
  /** The user selected a search result; the chat reveals it. */
  readonly onDidReveal: vscode.Event<FoundPlace>;
}

export function registerConversations(deps: ConversationsRoomDeps): ConversationsRoom {
  const { base, storage, turns, context } = deps;
  const { log } = base;
  const workspace = vscode.workspace.name;
  const conversations = createConversations({
    turns,
    log,
    store: storage.store,
    untitled: vscode.l10n.t('New conversation'),
    workspace,
    lastConversation: createLastConversation(context.workspaceState, log),
  });
  const revealed = new vscode.EventEmitter<FoundPlace>();
  const registered = vscode.Disposable.from(
    registerConversationDocument({ conversations }),
    registerConversationsTree({ conversations, workspace }),
    registerConversationCommands({ conversations }),
    registerRestoreCommand({ conversations }),
    registerConversationFiles({ conversations }),
    registerConversationSearch({
      conversations,
      history: storage.history,
      reveal: (place) => revealed.fire(place),
      log,
    }),
    revealed,
    conversations,
  );
  return { conversations, onDidReveal: revealed.event, dispose: () => registered.dispose() };
}

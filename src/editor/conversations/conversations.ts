/** The conversations: the list, its view and commands, search, files, and the read-only document. */
import * as vscode from 'vscode';
import type { Turns } from '../../requests/turns.ts';
import { atFirstUse } from '../base/atFirstUse.ts';
import type { Base } from '../base/base.ts';
import { registerLater } from '../base/laterCommands.ts';
import type { Storage } from '../storage/storage.ts';
import { registerConversationCommands } from './conversationCommands.ts';
import { registerConversationDocument } from './conversationDocument.ts';
import { type Conversations, createConversations } from './conversationList.ts';
import type { FoundPlace } from './conversationSearch.ts';
import { registerConversationsTree } from './conversationsTree.ts';
import { createLastConversation } from './lastConversation.ts';

export interface ConversationsRoomDeps {
  readonly base: Pick<Base, 'log'>;
  readonly storage: Pick<Storage, 'store' | 'history'>;
  readonly turns: Pick<Turns, 'prepare'>;
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState'>;
}

export interface ConversationsRoom extends vscode.Disposable {
  readonly conversations: Conversations;
  /** Reveals a place in the open conversation. */
  readonly reveal: (place: FoundPlace) => void;
  /** Fires when the user has selected a search result or a problem. The chat reveals it. */
  readonly onDidReveal: vscode.Event<FoundPlace>;
}

const COMMANDS = [
  'k3.restoreConversation',
  'k3.exportConversation',
  'k3.exportAll',
  'k3.importConversation',
  'k3.searchConversations',
] as const;

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
  const reveal = (place: FoundPlace) => revealed.fire(place);
  const parts = atFirstUse(async () => {
    const later = await import('./conversationsParts.ts');
    const { history } = storage;
    const files = later.createExportAndImport({ conversations, history });
    return {
      commands: {
        'k3.restoreConversation': () => later.restoreConversation({ conversations, history }),
        'k3.exportConversation': files.exportOne,
        'k3.exportAll': files.exportAll,
        'k3.importConversation': files.importFiles,
        'k3.searchConversations': () => later.searchConversations({ conversations, history, reveal, log }),
      },
    };
  }, log);
  const registered = vscode.Disposable.from(
    registerConversationDocument({ conversations }),
    registerConversationsTree({ conversations, workspace }),
    registerConversationCommands({ conversations }),
    registerLater(COMMANDS, parts),
    parts,
    revealed,
    conversations,
  );
  return { conversations, reveal, onDidReveal: revealed.event, dispose: () => registered.dispose() };
}

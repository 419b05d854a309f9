/** What K3 offers to others in the editor: a model, a tool and a chat participant. */
import * as vscode from 'vscode';
import type { Log } from '../base/log.ts';
import type { Keys } from '../connection/keys.ts';
import type { Routes } from '../connection/routes.ts';
import type { Transports } from '../connection/transports.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Storage } from '../conversations/storage.ts';
import { registerAskTool } from './askTool.ts';
import { createCapGuard } from './capGuard.ts';
import { registerChatParticipant } from './chatParticipant.ts';
import { registerModelProvider } from './modelProvider.ts';
import { createOtherChats } from './otherChats.ts';

export interface LanguageModelDeps {
  readonly conversations: Conversations;
  readonly routes: Routes;
  readonly keys: Keys;
  readonly transports: Pick<Transports, 'for'>;
  readonly storage: Pick<Storage, 'shelf'>;
  /** USD since midnight. */
  spentToday(): number;
  readonly log: Log;
}

export function registerLanguageModel(deps: LanguageModelDeps): vscode.Disposable {
  const { conversations, routes, keys, log } = deps;
  const otherChats = createOtherChats({
    ...deps,
    capGuard: createCapGuard(deps.spentToday),
    spend: deps.storage.shelf.putSpend,
  });
  return vscode.Disposable.from(
    registerModelProvider({ routes, keys, otherChats, log }),
    registerAskTool({ otherChats, routes }),
    registerChatParticipant({ conversations }),
  );
}

/** The chat: the side bar view and editor tabs, the user's actions in them, and the context keys of the chat. */
import * as vscode from 'vscode';
import { atFirstUse } from '../base/atFirstUse.ts';
import type { Base } from '../base/base.ts';
import { registerLater } from '../base/laterCommands.ts';
import type { ComposerRoom } from '../composer/composer.ts';
import type { ConversationsRoom } from '../conversations/conversations.ts';
import type { ProposalsRoom } from '../proposals/proposals.ts';
import type { Tools } from '../tools/tools.ts';
import { createShownSymbols } from '../workspace/shownSymbols.ts';
import { registerAttemptDocuments } from './attemptDocuments.ts';
import type { ChatPanelDeps } from './chatPanel.ts';
import { registerChatWebviews } from './chatWebviews.ts';
import { registerContextKeys } from './contextKeys.ts';
import { registerInputEscape } from './inputEscape.ts';
import { createIntents, type Intents, type IntentsDeps } from './intents.ts';
import { type RefusalCheckDeps, registerRefusalCheck } from './refusalCheck.ts';

export interface ChatViewDeps
  extends Pick<ChatPanelDeps, 'routes' | 'turns' | 'probes' | 'storage' | 'findings'>,
    Pick<ConversationsRoom, 'conversations' | 'onDidReveal'>,
    Pick<
      ComposerRoom,
      'composers' | 'images' | 'attaching' | 'choices' | 'starters' | 'instructions' | 'prompts'
    >,
    Pick<ProposalsRoom, 'proposals' | 'renames' | 'moved' | 'codeBlocks'> {
  readonly base: Pick<Base, 'log' | 'walkthrough'>;
  readonly keys: RefusalCheckDeps['keys'];
  readonly structured: ChatPanelDeps['structured'] & IntentsDeps['structured'];
  readonly tools: Pick<Tools, 'set' | 'approvals' | 'openResult' | 'showChanges'>;
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

export interface ChatView extends vscode.Disposable {
  /** Runs the action of a card button. Quick fixes in the Problems view use it too. */
  readonly perform: Intents['perform'];
}

export function registerChatView(deps: ChatViewDeps): ChatView {
  const { conversations, proposals, tools, context } = deps;
  const { log, walkthrough } = deps.base;
  deps.moved.follow(deps.attaching.followed);
  const intents = createIntents({
    ...deps,
    decide: tools.approvals.decide,
    openResult: tools.openResult,
    showToolChanges: tools.showChanges,
    log,
  });
  const symbols = createShownSymbols();
  const inputEscape = registerInputEscape(log);
  const attempts = atFirstUse(async () => {
    const { createAttemptCommands } = await import('./attemptCommands.ts');
    return { commands: createAttemptCommands({ ...deps, again: intents.again }) };
  }, log);
  const registered = vscode.Disposable.from(
    symbols,
    inputEscape,
    registerChatWebviews({
      ...deps,
      intents,
      symbols,
      tools: tools.set,
      approvals: tools.approvals,
      log,
      watchEscape: inputEscape.watch,
      extensionUri: context.extensionUri,
    }),
    registerContextKeys({ conversations, proposals, walkthrough, log }),
    registerRefusalCheck({ ...deps, log }),
    registerAttemptDocuments(conversations, deps.structured),
    registerLater(['k3.askElsewhere', 'k3.compareAttempts', 'k3.renderAttempts'], attempts),
    attempts,
    intents,
  );
  return { perform: intents.perform, dispose: () => registered.dispose() };
}

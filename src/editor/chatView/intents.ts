/** Runs the user's intents, whether they come from the panel, from quick fixes, or from commands. */
import * as vscode from 'vscode';
import { versionsOf } from '../../conversation/branches.ts';
import type { CardAction } from '../../panel/cards.ts';
import type { ToolDecision } from '../../panel/views.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { AttemptOptions } from '../../requests/conversationRequest.ts';
import type { Log } from '../base/log.ts';
import type { Composer } from '../composer/composerState.ts';
import type { Composers } from '../composer/composers.ts';
import type { ContextAttaching } from '../composer/contextAttaching.ts';
import type { ImageIntake } from '../composer/imageIntake.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import type { InputClosed } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { toToldChanges } from '../conversations/toldChanges.ts';
import type { Findings } from '../findings/findingList.ts';
import type { CodeBlockActions } from '../proposals/codeBlockActions.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { Renames } from '../proposals/renamedFiles.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import type { Tools } from '../tools/tools.ts';
import { chooseWords, copyAnswer, openLink, toEditing } from './answerActions.ts';
import { createCardActions } from './cardActions.ts';
import { pickEffort } from './effortPicker.ts';
import { toCommand } from './intentCommands.ts';
import type { Reply } from './reply.ts';
import { createSending } from './sending.ts';
import { createWaitingMessages } from './waitingMessages.ts';

/**
 * A message of the page that changes a conversation or runs something in the editor. The panel handles the other
 * messages itself.
 */
export type Intent = Exclude<
  WebviewMessage,
  {
    type:
      | 'ready'
      | 'draft'
      | 'typed'
      | 'editing'
      | 'show-earlier'
      | 'show-later'
      | 'show-exchange'
      | 'find'
      | 'recall'
      | 'map'
      | 'complete'
      | 'find-paths'
      | 'open-path'
      | 'find-symbols'
      | 'open-symbol'
      | 'focus-moved';
  }
>;

export interface Intents extends vscode.Disposable {
  /**
   * Runs an intent. When a message can't be sent, the composer shows the reason. The text of a message stays the draft
   * until the message is taken.
   *
   * @param inputClosed called when the user has chosen something in an input that the intent opens, or has closed the input
   *   for a key or a file
   */
  receive(
    message: Intent,
    conversationId: string,
    composer: Composer,
    inputClosed?: InputClosed,
  ): Promise<Reply>;
  /** Runs an action that a card or a quick fix offers. */
  perform(action: CardAction, turnId: string | undefined, conversationId?: string): Promise<void>;
  /** Asks the question of a turn again, as another attempt. Shows the reason when the request can't be sent. */
  again(turnId: string, options?: AttemptOptions): Promise<void>;
}

export interface IntentsDeps {
  readonly codeBlocks: CodeBlockActions;
  readonly conversations: Conversations;
  readonly composers: Composers;
  readonly images: Pick<ImageIntake, 'attachBytes' | 'attachAddresses' | 'remove' | 'ready' | 'shrink'>;
  readonly structured: Pick<StructuredAnswers, 'perform'>;
  readonly proposals: Pick<Proposals, 'ofTurn'>;
  readonly renames: Pick<Renames, 'since'>;
  readonly findings: Pick<Findings, 'placementsOf'>;
  readonly attaching: Pick<
    ContextAttaching,
    'add' | 'pick' | 'remove' | 'refresh' | 'collect' | 'refreshAll' | 'read'
  >;
  readonly instructions: Pick<Instructions, 'leaveOut'>;
  readonly prompts: Pick<Prompts, 'expand'>;
  /** Answers the approval request of a waiting tool call. */
  decide(approval: string, decision: ToolDecision): void;
  /** Opens the result of a tool call as a document. */
  readonly openResult: Tools['openResult'];
  readonly showToolChanges: Tools['showChanges'];
  readonly routes: Pick<Routes, 'active'>;
  readonly probes: Pick<RouteProbes, 'lackOf' | 'works'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createIntents(deps: IntentsDeps): Intents {
  const { conversations, composers, codeBlocks, images, attaching, structured, instructions } = deps;
  const told = toToldChanges(conversations);
  const waiting = createWaitingMessages(composers);
  const cards = createCardActions({ ...deps, waiting });
  const sending = createSending({ ...deps, waiting });

  function showVersion(conversationId: string, exchangeId: string, version: number): void {
    const conversation = conversations.get(conversationId);
    const wanted = conversation && versionsOf(conversation, exchangeId)[version];
    if (wanted !== undefined) told.showBranch(conversationId, wanted.id);
  }

  function isRunning(turnId: string): boolean {
    const found = conversations.find(turnId);
    return found !== undefined && found.turn.outcome === undefined;
  }

  return {
    perform: cards.perform,
    again: cards.again,
    dispose() {
      sending.dispose();
      cards.dispose();
    },
    async receive(message, conversationId, composer, inputClosed = () => undefined) {
      if (message.type === 'send') {
        const reply = await sending.send(conversationId, composer, message.text, inputClosed);
        // The other panels of the conversation show the same composer.
        composers.changed(conversationId);
        return reply;
      }
      if (message.type === 'edit')
        return sending.edit(conversationId, message.exchangeId, message.text, inputClosed);
      if (message.type === 'action' && message.action === 'edit-question') {
        const { turnId } = message;
        const found = turnId === undefined ? undefined : conversations.find(turnId);
        return toEditing(
          turnId === undefined ? conversations.get(conversationId) : found?.conversation,
          found?.exchange,
        );
      }
      if (message.type === 'choose-words') return { why: await chooseWords(message) };
      await act(message, conversationId, composer, inputClosed);
      composers.changed(conversationId);
      return {};
    },
  };

  async function act(
    message: Exclude<Intent, { type: 'send' | 'edit' | 'choose-words' }>,
    conversationId: string,
    composer: Composer,
    chosen: InputClosed,
  ): Promise<unknown> {
    const command = toCommand(message, conversationId);
    if (command !== undefined) {
      const result = await vscode.commands.executeCommand(command.id, ...command.args);
      if (command.opensInput && result === true) chosen();
      return;
    }
    switch (message.type) {
      case 'fork':
        // The fork is opened in the side bar, which may be closed.
        return (
          conversations.fork(conversationId, message.exchangeId) &&
          vscode.commands.executeCommand('k3.focusChat')
        );
      case 'omit-image':
        return told.omitImage(conversationId, message.exchangeId, message.index, message.omits);
      case 'show-version':
        return showVersion(conversationId, message.exchangeId, message.version);
      case 'remove-queued':
        conversations.dequeue(conversationId, message.id);
        return sending.droppedFromQueue(conversationId);
      case 'send-queue':
        return sending.sendQueue(conversationId);
      case 'clear-queue':
        conversations.clearQueue(conversationId);
        return sending.droppedFromQueue(conversationId);
      case 'stop':
        // The answer may have just ended, so that the next message is being prepared.
        sending.pauseQueue(conversationId);
        sending.stopWaiting(conversationId);
        return conversations.stop(conversationId);
      case 'attach':
        return attaching.pick(conversationId, chosen);
      case 'attach-images':
        return images.attachBytes(conversationId, message.images);
      case 'attach-addresses':
        return images.attachAddresses(conversationId, message.addresses);
      case 'dismiss-rejected':
        composer.rejected = composer.rejected.filter(({ text }) => text !== message.text);
        return;
      case 'remove-attachment':
        return images.remove(conversationId, message.name, message.index);
      case 'attach-context':
        return attaching.add(conversationId, message.references);
      case 'remove-context':
        return attaching.remove(conversationId, message.id);
      case 'renew-context':
        return attaching.refresh(conversationId, message.id);
      case 'leave-out-instructions':
        return instructions.leaveOut(conversationId, true);
      case 'pick-effort':
        return pickEffort(deps.probes, composer.preset, chosen);
      case 'structured':
        return structured.perform(message.action, message.turnId, chosen);
      case 'action':
        return cards.perform(message.action, message.turnId, conversationId, chosen);
      case 'regenerate':
        return cards.again(message.turnId, {}, chosen);
      case 'show-attempt':
        return told.showAttempt(conversationId, message.exchangeId, message.attempt);
      case 'copy':
        return copyAnswer(conversations.find(message.turnId), deps.findings);
      case 'copy-text':
        return vscode.env.clipboard.writeText(message.text);
      case 'code':
        return codeBlocks.perform(message.action, conversationId, message);
      case 'tool-decision':
        // A click after the turn has ended decides nothing, because its approval is no longer waited for.
        return deps.decide(message.approval, message.decision);
      case 'show-tool-changes':
        return deps.showToolChanges(message.approval);
      case 'stop-call':
        return isRunning(message.turnId) && conversations.stopCall(conversationId, message.callId);
      case 'open-result':
        return deps.openResult(message);
      case 'open-link':
        return openLink(message.href);
      case 'seen':
        return conversations.markSeen(message.turnId);
    }
  }
}

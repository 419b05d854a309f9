/** Sends the messages of the user: those in the message box, and those in the queue behind a running answer. */
import * as vscode from 'vscode';
import { withPreset } from '../../conversation/question.ts';
import { type Refusal, type Refused, refuse } from '../../requests/refusal.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { inBackground } from '../base/background.ts';
import type { CommandWords } from '../base/commandWords.ts';
import type { Log } from '../base/log.ts';
import type { Composer } from '../composer/composerState.ts';
import type { Composers } from '../composer/composers.ts';
import type { ContextAttaching } from '../composer/contextAttaching.ts';
import type { ImageIntake } from '../composer/imageIntake.ts';
import type { Expanded, Prompts } from '../composer/prompts.ts';
import { clearSent } from '../composer/sentMessage.ts';
import { createTypedInputs } from '../composer/typedInputs.ts';
import { askWithKeyPrompt, type InputClosed } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { Renames } from '../proposals/renamedFiles.ts';
import { readPreset } from '../settings/settings.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { type Collected, createCollecting, type NotCollected, withoutRemoved } from './collectedMessage.ts';
import { createEditSending } from './editSending.ts';
import { createMessageQueue } from './messageQueue.ts';
import { createReplacedTexts } from './replacedTexts.ts';
import type { Reply } from './reply.ts';
import type { WaitingMessages } from './waitingMessages.ts';

type Command = Extract<Expanded, { kind: 'command' }>;

const NOTHING_SENT = () => vscode.l10n.t('Nothing was sent. Your message is kept.');

function refuseIn(composer: Composer, refusal: Refusal): void {
  composer.refused = refusal;
  composer.refusal = describeRefusal(refusal);
}

function refusePrompt(composer: Composer, expanded: Extract<Expanded, { kind: 'missing' }>): void {
  if (expanded.problem === undefined) composer.refusal = expanded.why;
  else refuseIn(composer, { kind: 'setting', problem: expanded.problem });
}

export interface Sending extends vscode.Disposable {
  /** Sends or queues the content of the message box. If that fails, the composer shows the reason, and the draft keeps the text. */
  send(conversationId: string, composer: Composer, text: string, inputClosed?: InputClosed): Promise<Reply>;
  /** Asks an edited question instead of the one that is shown. */
  edit(conversationId: string, exchangeId: string, text: string, inputClosed?: InputClosed): Promise<Reply>;
  /** Sends the first queued message now, and the others after each complete answer. */
  sendQueue(conversationId: string): Promise<void>;
  /** Sends nothing from the queue by itself until the next `sendQueue`. */
  pauseQueue(conversationId: string): void;
  /**
   * Stops waiting for the files of messages, which then stay in their boxes. Does nothing while an answer runs, because
   * then the user stops the answer.
   */
  stopWaiting(conversationId: string): void;
  /** Messages were removed from the queue. */
  droppedFromQueue(conversationId: string): void;
}

export interface SendingDeps {
  readonly conversations: Conversations;
  readonly composers: Composers;
  readonly images: Pick<ImageIntake, 'ready'>;
  readonly proposals: Pick<Proposals, 'ofTurn'>;
  readonly renames: Pick<Renames, 'since'>;
  readonly attaching: Pick<ContextAttaching, 'add' | 'collect' | 'refreshAll' | 'read'>;
  readonly prompts: Pick<Prompts, 'expand'>;
  readonly waiting: WaitingMessages;
  readonly log: Pick<Log, 'warn'>;
}

export function createSending(deps: SendingDeps): Sending {
  const { conversations, composers, images, attaching, waiting, log } = deps;
  const queue = createMessageQueue({
    waiting,
    conversations,
    composers,
    refreshAll: attaching.refreshAll,
    toRefusal,
    describe: describeRefusal,
  });

  /** Keys of messages that are being sent, which can take long: the same message of another panel isn't sent a second time. */
  const underWay = new Set<string>();
  const begin = createReplacedTexts(composers);
  const inputs = createTypedInputs();
  const collect = createCollecting({ images, attaching, nothingSent: NOTHING_SENT });

  /**
   * Logs an error that was thrown before the request was sent, and turns it into a refusal, so that the message stays
   * in the composer.
   */
  function toRefusal(error: unknown): Refused {
    log.warn(`sending a message failed: ${String(error)}`);
    return refuse({ kind: 'transport', message: messageOf(error) });
  }

  async function send(
    conversationId: string,
    composer: Composer,
    text: string,
    inputClosed?: InputClosed,
  ): Promise<Pick<Reply, 'taken'> | NotCollected> {
    // The reason of an earlier refusal may be gone.
    composer.refusal = undefined;
    const before = readPreset(composer.preset);
    const refusal = before.ok ? undefined : describeRefusal(before.refusal);
    const expanded = await deps.prompts.expand(text, inputClosed, {
      refusal,
      typed: inputs.of(conversationId),
      waits: (work) => waiting.until(conversationId, work),
    });
    if (expanded.kind === 'command') return runCommand(composer, text, expanded, inputClosed);
    // The user may have chosen another preset while an input was open.
    const chosen = readPreset(composer.preset);
    if (!chosen.ok) refuseIn(composer, chosen.refusal);
    // A user who closes an input of the prompt knows why nothing was sent, and the message is still there.
    else if (expanded.kind === 'missing') refusePrompt(composer, expanded);
    if (!chosen.ok || expanded.kind === 'canceled' || expanded.kind === 'missing') return {};
    const { asked, references } = expanded.kind === 'prompt' ? expanded : { asked: { text }, references: [] };
    // Before they are read, because the user may remove them meanwhile.
    const hasParts = [composer.attachments, composer.context, composer.working].some(
      ({ length }) => length > 0,
    );
    const collected = await waiting.until(conversationId, (signal) =>
      collect(conversationId, composer, { text, asked, references }, signal),
    );
    if (collected === undefined) return {};
    if ('why' in collected) return collected;
    try {
      // The user may have chosen another preset while files were read.
      const now = readPreset(composer.preset);
      if (!now.ok) {
        refuseIn(composer, now.refusal);
        return {};
      }
      const question = withPreset(collected.question, now.preset);
      return await sendCollected(conversationId, composer, { ...collected, question, hasParts }, inputClosed);
    } finally {
      collected.release();
    }
  }

  async function sendCollected(
    conversationId: string,
    composer: Composer,
    { question, sent, hasParts }: Collected & { readonly hasParts: boolean },
    inputClosed?: InputClosed,
  ): Promise<Reply> {
    const { text } = sent;
    const empty = text.trim() === '' && question.images.length === 0 && sent.context.length === 0;
    if (empty) {
      // An empty message sends the queue. The queue that the page showed may be empty now.
      if (!hasParts && composer.queue.length > 0) await queue.send(conversationId);
      if (composer.draft === text) composer.draft = '';
      return { taken: true };
    }
    // A deleted conversation refuses the question, and the composer keeps it.
    if (conversations.get(conversationId) !== undefined && queue.isAhead(conversationId)) {
      queue.add(conversationId, question);
    } else {
      const asked = await askWithKeyPrompt(
        (options) =>
          conversations.ask(conversationId, question, options, () =>
            withoutRemoved(question, sent, composer),
          ),
        {},
        inputClosed,
      );
      if (!asked.ok) {
        refuseIn(composer, asked.refusal);
        return {};
      }
    }
    clearSent(composer, sent);
    inputs.forget(conversationId);
    return { taken: true };
  }

  /**
   * Runs a command that asks its own question in the open conversation. It returns true if it has asked; otherwise false,
   * or the reason.
   */
  async function runCommand(
    composer: Composer,
    text: string,
    { command, words }: Command,
    inputClosed?: InputClosed,
  ): Promise<Reply> {
    const ran: unknown = await vscode.commands.executeCommand(command, { words } satisfies CommandWords);
    // The command may have opened an input. If the user has clicked elsewhere meanwhile, the focus stays there.
    inputClosed?.(false);
    if (ran !== true) {
      const why = typeof ran === 'string' ? ran : '';
      composer.refusal = why || NOTHING_SENT();
      return {};
    }
    if (composer.draft === text) composer.draft = '';
    return { taken: true };
  }

  /** A restored conversation no longer shows that it was deleted. */
  function clearRefusal(conversationId: string): void {
    const composer = composers.of(conversationId);
    if (composer.refusal !== describeRefusal({ kind: 'gone' })) return;
    if (conversations.get(conversationId) === undefined) return;
    composer.refusal = undefined;
    composers.changed(conversationId);
  }

  const listening = conversations.onDidChange((change) => {
    if (change.type === 'replaced') clearRefusal(change.conversationId);
    inBackground(log, queue.follow(change), 'sending a queued message');
  });

  return {
    async send(conversationId, composer, text, inputClosed) {
      const key = `${conversationId} ${text}`;
      if (underWay.has(key)) return {};
      underWay.add(key);
      const end = begin(conversationId, text);
      let why: string | undefined;
      let isTaken = false;
      try {
        const sent = await send(conversationId, composer, text, inputClosed);
        if ('why' in sent) ({ why } = sent);
        else isTaken = sent.taken === true;
        return isTaken ? { taken: true } : {};
      } catch (error) {
        const { refusal } = toRefusal(error);
        refuseIn(composer, refusal);
        return {};
      } finally {
        underWay.delete(key);
        end(isTaken, why ?? composer.refusal);
      }
    },
    edit: createEditSending(deps, waiting, toRefusal),
    sendQueue: queue.send,
    pauseQueue: queue.pause,
    droppedFromQueue: queue.dropped,
    stopWaiting(conversationId) {
      if (!conversations.isRunning(conversationId)) waiting.stop(conversationId);
    },
    dispose: () => listening.dispose(),
  };
}

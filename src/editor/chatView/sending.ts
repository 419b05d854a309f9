/** Sends what the user wrote: the message box, the queue behind a running answer, and edited questions. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { shownTurn } from '../../conversation/conversation.ts';
import { type Question, withContext, withPreset } from '../../conversation/question.ts';
import { type Editing, editingIn } from '../../conversation/unsent.ts';
import { type Refusal, type Refused, refuse } from '../../requests/refusal.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { inBackground } from '../base/background.ts';
import type { CommandWords } from '../base/commandWords.ts';
import type { Log } from '../base/log.ts';
import { showWarning } from '../base/notifications.ts';
import { readPreset } from '../base/settings.ts';
import { type Composer, clearSent } from '../composer/composerState.ts';
import type { Composers } from '../composer/composers.ts';
import type { ContextAttaching } from '../composer/contextAttaching.ts';
import type { ImageIntake } from '../composer/imageIntake.ts';
import type { Expanded, Prompts } from '../composer/prompts.ts';
import { askWithKeyPrompt, type InputClosed, showRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { toEditedPrompt } from './editedPrompt.ts';
import { createMessageQueue } from './messageQueue.ts';
import { renewQuestion } from './renewedQuestion.ts';
import type { Reply } from './reply.ts';

/** What of a question a message stands for. */
type Asked = Extract<Expanded, { kind: 'prompt' }>['asked'] & Pick<Question, 'preset'>;

type Command = Extract<Expanded, { kind: 'command' }>;

const NOTHING_SENT = () => vscode.l10n.t('Nothing was sent. Your message is kept.');

function refuseIn(composer: Composer, refusal: Refusal): void {
  composer.refused = refusal;
  composer.refusal = describeRefusal(refusal);
}

export interface Sending extends vscode.Disposable {
  /** Sends the message box, or queues it. When that fails, the composer shows the reason; the draft, which has the text, stays. */
  send(conversationId: string, composer: Composer, text: string, inputClosed?: InputClosed): Promise<Reply>;
  /** Asks an edited question instead of the one that is shown. */
  edit(conversationId: string, exchangeId: string, text: string, inputClosed?: InputClosed): Promise<Reply>;
  /** Sends the first queued message now, and the others after each complete answer. */
  sendQueue(conversationId: string): Promise<void>;
  /** Sends nothing from the queue by itself until the next `sendQueue`. */
  pauseQueue(conversationId: string): void;
}

export interface SendingDeps {
  readonly conversations: Conversations;
  readonly composers: Composers;
  readonly images: Pick<ImageIntake, 'ready'>;
  readonly proposals: Pick<Proposals, 'ofTurn'>;
  readonly attaching: Pick<ContextAttaching, 'add' | 'collect' | 'refreshAll' | 'read'>;
  readonly prompts: Pick<Prompts, 'expand'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createSending(deps: SendingDeps): Sending {
  const { conversations, composers, images, attaching, log } = deps;
  const queue = createMessageQueue({
    conversations,
    composers,
    refreshAll: attaching.refreshAll,
    toRefusal,
    describe: describeRefusal,
  });

  /**
   * Logs an error that was thrown before the request was sent, and turns it into a refusal, so that the message stays
   * in the composer.
   */
  function toRefusal(error: unknown): Refused {
    log.warn(`sending a message failed: ${String(error)}`);
    return refuse({ kind: 'transport', message: messageOf(error) });
  }

  /**
   * The message as it is now, and what of the composer it was made of. Undefined when its images aren't ready.
   *
   * @param written what the user wrote, and what it stands for
   */
  async function collect(conversationId: string, composer: Composer, written: string, asked: Asked) {
    const ready = await images.ready(conversationId, asked.text);
    if (ready === undefined) return undefined;
    const attached = await attaching.collect(conversationId);
    const { format } = composer;
    const plain: Question = {
      ...asked,
      text: ready.text,
      images: ready.images,
      origin: undefined,
      ...(format && { format }),
    };
    return {
      question: withContext(
        plain,
        attached.map(({ newest }) => newest),
      ),
      sent: { text: written, images: ready.attached, context: attached.map(({ from }) => from) },
    };
  }

  async function send(
    conversationId: string,
    composer: Composer,
    text: string,
    inputClosed?: InputClosed,
  ): Promise<Reply> {
    // The reason why it was refused before may be gone.
    composer.refusal = undefined;
    const expanded = await deps.prompts.expand(text, inputClosed);
    if (expanded.kind === 'command') return runCommand(composer, text, expanded, inputClosed);
    if (expanded.kind === 'canceled') composer.refusal = NOTHING_SENT();
    else if (expanded.kind === 'missing') composer.refusal = expanded.why;
    else if (expanded.kind === 'prompt') await attaching.add(conversationId, expanded.references);
    // What the prompt needs isn't there, or can't be added.
    if (composer.refusal !== undefined) return {};
    const chosen = readPreset(composer.preset);
    if (!chosen.ok) {
      refuseIn(composer, chosen.refusal);
      return {};
    }
    const { preset } = chosen;
    const asked = { ...(expanded.kind === 'prompt' ? expanded.asked : { text }), ...(preset && { preset }) };
    const collected = await collect(conversationId, composer, text, asked);
    if (collected === undefined) return {};
    const { question, sent } = collected;
    const empty = text.trim() === '' && question.images.length === 0 && sent.context.length === 0;
    if (empty) {
      // The queue that the page showed may be empty now.
      if (composer.queue.length > 0) await queue.send(conversationId);
      if (composer.draft === text) composer.draft = '';
      return { taken: true };
    }
    // A deleted conversation refuses the question, and the composer keeps it.
    if (conversations.get(conversationId) !== undefined && queue.isAhead(conversationId)) {
      queue.add(conversationId, question);
    } else {
      const asked = await askWithKeyPrompt(
        (options) => conversations.ask(conversationId, question, options),
        {},
        inputClosed,
      );
      if (!asked.ok) {
        refuseIn(composer, asked.refusal);
        return {};
      }
    }
    clearSent(composer, sent);
    return { taken: true };
  }

  /** The command asks by itself, in the open conversation, and says so, or why it can't. */
  async function runCommand(
    composer: Composer,
    text: string,
    { command, words }: Command,
    inputClosed?: InputClosed,
  ): Promise<Reply> {
    const ran: unknown = await vscode.commands.executeCommand(command, { words } satisfies CommandWords);
    // It may have asked in an input. Where the user has gone with a pointer meanwhile, the focus stays.
    inputClosed?.(false);
    if (ran !== true) {
      const why = typeof ran === 'string' ? ran : '';
      composer.refusal = why || NOTHING_SENT();
      return {};
    }
    if (composer.draft === text) composer.draft = '';
    return { taken: true };
  }

  async function edit(
    conversationId: string,
    exchangeId: string,
    text: string,
    inputClosed?: InputClosed,
  ): Promise<Reply> {
    const old = conversations.get(conversationId)?.exchanges.find(({ id }) => id === exchangeId);
    if (old === undefined) return { compose: text };
    const composer = composers.of(conversationId);
    const sent = { exchangeId, text };
    // Kept while a dialog is open, for a reload. Another panel may edit another question.
    composer.sendingEdits = [...composer.sendingEdits, sent];
    if (isDeepStrictEqual(composer.editing, sent)) composer.edit(exchangeId, undefined);
    const isDecided = () => {
      composer.sendingEdits = composer.sendingEdits.filter((one) => one !== sent);
    };
    const before = withPreset(old.question, shownTurn(old)?.request.preset);
    const edited = await toEditedPrompt(deps, conversationId, before, text, inputClosed).catch(
      (error: unknown) => ({ ok: false as const, why: describeRefusal(toRefusal(error).refusal) }),
    );
    if (!edited.ok) {
      isDecided();
      if (edited.why !== undefined) void showWarning(edited.why);
      return backToEdit(conversationId, sent);
    }
    const asked = await renewQuestion(edited.question, old.attempts, deps.proposals)
      .then((question) =>
        askWithKeyPrompt(
          (options) => conversations.askInstead(conversationId, exchangeId, question, options),
          {},
          inputClosed,
        ),
      )
      .catch(toRefusal);
    isDecided();
    if (asked.ok) return {};
    inBackground(log, showRefusal(asked), 'showing why a question was not sent');
    return backToEdit(conversationId, sent);
  }

  /**
   * Puts an edited question back where it was edited. In the message box, it would be a second question after the one
   * that it was to replace. It goes there all the same while another edit has the box.
   */
  function backToEdit(conversationId: string, edited: Editing): Reply {
    const composer = composers.of(conversationId);
    const conversation = conversations.get(conversationId);
    const place = conversation && editingIn(conversation, edited);
    const isFree = composer.editing === undefined || isDeepStrictEqual(composer.editing, place);
    if (place === undefined || !isFree) return { compose: edited.text };
    composer.edit(undefined, place);
    return { edit: place };
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
    send: (conversationId, composer, text, inputClosed) =>
      send(conversationId, composer, text, inputClosed).catch((error: unknown) => {
        const { refusal } = toRefusal(error);
        refuseIn(composer, refusal);
        return {};
      }),
    edit,
    sendQueue: queue.send,
    pauseQueue: queue.pause,
    dispose: () => listening.dispose(),
  };
}

/** Makes a message from the text that the user wrote and from what is attached. */
import type { AttachedImage } from '../../conversation/images/imagePlan.ts';
import { type Question, withContext } from '../../conversation/question.ts';
import { untilAborted } from '../../service/abort.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import { joinSentences } from '../base/sentences.ts';
import type { Composer } from '../composer/composerState.ts';
import type { ContextAttaching } from '../composer/contextAttaching.ts';
import type { ImageIntake } from '../composer/imageIntake.ts';
import type { Expanded } from '../composer/prompts.ts';
import type { Sent } from '../composer/sentMessage.ts';
import { isSameSource } from '../context/attachments.ts';

type Prompt = Extract<Expanded, { kind: 'prompt' }>;

/** The text that the user wrote, and the question and references that it stands for. */
export interface Written extends Pick<Prompt, 'references'> {
  readonly text: string;
  readonly asked: Prompt['asked'];
}

/** A message, and the parts of the composer that it was made from. */
export interface Collected {
  readonly question: Question;
  readonly sent: Sent;
  /** Must be called when the message was sent or refused. Until then, its attachments are not sent with another message. */
  release(): void;
}

export interface CollectingDeps {
  readonly images: Pick<ImageIntake, 'ready'>;
  readonly attaching: Pick<ContextAttaching, 'add' | 'collect'>;
  readonly nothingSent: () => string;
}

/**
 * The reason why a message can't be sent, which the composer shows until the next message is collected; undefined if the
 * user stopped it.
 */
export interface NotCollected {
  readonly why: string | undefined;
}

/**
 * Returns a function that attaches what a prompt references, and then makes the message from the current state of the
 * composer, or returns the reason if that fails.
 */
export function createCollecting({ images, attaching, nothingSent }: CollectingDeps) {
  /** Collects the messages of a conversation one after another, so that no two take the same attachments. */
  const collecting = createKeyedQueue();
  /** The images, and the IDs of context, in messages that are being sent. */
  const taken = new Set<AttachedImage | string>();

  /** The IDs of context that was attached for prompts whose messages were not sent. */
  const meant = new Set<string>();

  /** Attaches what a prompt references. This replaces what was attached for a prompt whose message was not sent. */
  async function addMeant(conversationId: string, composer: Composer, references: Written['references']) {
    if (references.length > 0) composer.context = composer.context.filter(({ id }) => !meant.has(id));
    const before = composer.context;
    const isAllowed = await attaching.add(conversationId, references);
    for (const { id, item } of composer.context) {
      const isMeant = references.some(
        (one) => one.kind === item.kind && 'uri' in one && one.uri === item.uri,
      );
      if (isMeant && !before.some((one) => isSameSource(one.item, item, one.changed))) meant.add(id);
    }
    return isAllowed;
  }

  function take(parts: readonly (AttachedImage | string)[]): () => void {
    for (const one of parts) taken.add(one);
    return () => {
      for (const one of parts) taken.delete(one);
    };
  }

  async function collect(
    conversationId: string,
    composer: Composer,
    { text, asked, references }: Written,
    signal: AbortSignal,
  ): Promise<Collected | undefined> {
    // The message was stopped while it waited for an earlier one.
    if (signal.aborted) return undefined;
    // Another panel's message may have been refused meanwhile.
    composer.refusal = undefined;
    const { rejected } = composer;
    const hasProblem = watchProblems(composer, signal);
    // This also waits for attachments in progress. A file that was chosen from the list may turn out to be an image.
    const isAllowed = await addMeant(conversationId, composer, references);
    const isRejected = composer.rejected.some((one) => !rejected.includes(one));
    if ((!isAllowed || isRejected) && !signal.aborted) composer.refusal ??= nothingSent();
    if (hasProblem()) return undefined;
    const ready = await images.ready(conversationId, asked.text, { taken, signal });
    // `ready` also waits for files that the user chose in a dialog, so there may be new problems.
    if (ready === undefined || hasProblem()) return undefined;
    const attached = (await attaching.collect(conversationId, signal)).filter(
      ({ from }) => !taken.has(from.id),
    );
    // Problems with what was added meanwhile.
    if (hasProblem()) return undefined;
    // The images were collected first, and some may have been removed meanwhile.
    const isKept = (one: AttachedImage) => composer.attachments.includes(one);
    const { format } = composer;
    const plain: Question = {
      ...asked,
      text: ready.text,
      images: ready.images.filter((_, at) => ready.attached.slice(at, at + 1).every(isKept)),
      origin: undefined,
      ...(format && { format }),
    };
    const sent = {
      ...{ text, rejected },
      images: ready.attached.filter(isKept),
      context: attached.map(({ from }) => from),
    };
    return {
      question: withContext(
        plain,
        attached.map(({ newest }) => newest),
      ),
      sent,
      release: take([...sent.images, ...sent.context.map(({ id }) => id)]),
    };
  }

  /** @param signal aborts when the message is no longer to be sent. Then the next message doesn't wait for it. */
  return (conversationId: string, composer: Composer, written: Written, signal: AbortSignal) =>
    collecting.run(
      conversationId,
      async (): Promise<Collected | NotCollected> =>
        (await untilAborted(collect(conversationId, composer, written, signal), signal)) ?? {
          why: composer.refusal,
        },
    );
}

/**
 * The question without the attachments that the user has removed since it was collected, for example while the input for a
 * key was open. What was removed and added again stays. Undefined if nothing is left.
 */
export function withoutRemoved(
  question: Question,
  { images, context }: Pick<Sent, 'images' | 'context'>,
  composer: Pick<Composer, 'attachments' | 'context'>,
): Question | undefined {
  const isImage = (at: number) => images.slice(at, at + 1).every((one) => composer.attachments.includes(one));
  const isItem = ({ id, item, changed }: Composer['context'][number]) =>
    composer.context.some((one) => one.id === id || isSameSource(item, one.item, changed));
  const left = withContext(
    { ...question, images: question.images.filter((_, at) => isImage(at)) },
    (question.context ?? []).filter((_, at) => context.slice(at, at + 1).every(isItem)),
  );
  return left.text.trim() === '' && left.images.length === 0 && left.context === undefined ? undefined : left;
}

/**
 * Returns a function that tells whether the message can't be sent: it was stopped, or something that it or its prompt needs
 * couldn't be attached. The composer shows the reason until its text changes, so the function sets it again if it is gone.
 */
function watchProblems(composer: Composer, signal: AbortSignal): () => boolean {
  const { failed } = composer;
  return () => {
    if (signal.aborted) return true;
    composer.refusal ??= joinSentences(composer.failed.slice(failed.length)) || undefined;
    return composer.refusal !== undefined;
  };
}

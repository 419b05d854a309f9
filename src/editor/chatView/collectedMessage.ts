/** Makes a message of what the user wrote and attached. */
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

/** What the user wrote, and what it stands for. */
export interface Written extends Pick<Prompt, 'references'> {
  readonly text: string;
  readonly asked: Prompt['asked'];
}

/** A message, and what of the composer it was made of. */
export interface Collected {
  readonly question: Question;
  readonly sent: Sent;
  /** To be called when it was sent or refused. Until then, another message is sent without its attachments. */
  release(): void;
}

export interface CollectingDeps {
  readonly images: Pick<ImageIntake, 'ready'>;
  readonly attaching: Pick<ContextAttaching, 'add' | 'collect'>;
  readonly nothingSent: () => string;
}

/** Why a message can't be sent, as the composer says until the next one is collected; undefined if it was stopped. */
export interface NotCollected {
  readonly why: string | undefined;
}

/** Returns the function that adds what a prompt is about, and makes the message as it is now, or says why that fails. */
export function createCollecting({ images, attaching, nothingSent }: CollectingDeps) {
  /** In each conversation, one message after another, so that two don't have the same attachments. */
  const collecting = createKeyedQueue();
  /** What messages on their way have: images, and IDs of context. */
  const taken = new Set<AttachedImage | string>();

  /** What prompts meant that were not sent, by ID. */
  const meant = new Set<string>();

  /** Adds what a prompt is about, in place of what it, or another one, was about when that wasn't sent. */
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
    // It was stopped while it waited for the one before it.
    if (signal.aborted) return undefined;
    // Not that of a message of another panel.
    composer.refusal = undefined;
    const { rejected } = composer;
    const hasProblem = watchProblems(composer, signal);
    // After what is being added already: a file from the list may be an image.
    const isAllowed = await addMeant(conversationId, composer, references);
    const isRejected = composer.rejected.some((one) => !rejected.includes(one));
    if ((!isAllowed || isRejected) && !signal.aborted) composer.refusal ??= nothingSent();
    if (hasProblem()) return undefined;
    const ready = await images.ready(conversationId, asked.text, { taken, signal });
    // Files that the user has chosen in a dialog were waited for with the images.
    if (ready === undefined || hasProblem()) return undefined;
    const attached = (await attaching.collect(conversationId, signal)).filter(
      ({ from }) => !taken.has(from.id),
    );
    // What was added since.
    if (hasProblem()) return undefined;
    // Images, which come first, can be removed until here, too.
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

  /** @param signal aborts when the message is no longer to be sent. The next one doesn't wait for it then. */
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
 * The question without what the user has removed since, such as while they were asked for a key. What was added again stays. Undefined
 * if nothing is left.
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
 * Whether a message can't be sent: it is stopped, or what it or its prompt needs can't be added. That is said until the text
 * changes, and here once more.
 */
function watchProblems(composer: Composer, signal: AbortSignal): () => boolean {
  const { failed } = composer;
  return () => {
    if (signal.aborted) return true;
    composer.refusal ??= joinSentences(composer.failed.slice(failed.length)) || undefined;
    return composer.refusal !== undefined;
  };
}

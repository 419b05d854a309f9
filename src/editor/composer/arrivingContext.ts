/** Context that is being added: a drive may not answer, so it is shown meanwhile, and can be removed. */
import { createDeferred } from '../../service/deferred.ts';
import { askTogether } from '../context/askTogether.ts';
import type { ContextPermission } from '../context/contextPermission.ts';
import type { HeldReference } from '../context/contextResult.ts';
import type { Composer } from './composerState.ts';
import type { Composers } from './composers.ts';

export interface Arriving {
  readonly reference: HeldReference;
  /** The user removes it. */
  readonly removal: AbortSignal;
  /** It is read, refused, or removed. */
  arrived(): void;
}

/** @param name what is shown meanwhile; undefined for what is read already */
function toArriving(
  composer: Pick<Composer, 'working'>,
  reference: HeldReference,
  name: string | undefined,
): Arriving {
  const control = new AbortController();
  const { promise: done, resolve } = createDeferred<void>();
  const shown = { name: name ?? '', isContext: true as const, done, cancel: () => control.abort() };
  if (name !== undefined) composer.working = [...composer.working, shown];
  const arrived = () => {
    composer.working = composer.working.filter((one) => one !== shown);
    resolve();
  };
  control.signal.addEventListener('abort', arrived);
  return { reference, removal: control.signal, arrived };
}

export function createArriving(
  composers: Pick<Composers, 'of' | 'changed'>,
  askForAll: ContextPermission['askForAll'],
  nameOf: (reference: HeldReference) => string | undefined,
) {
  return {
    /** Those that may be read. */
    askFor: (arriving: readonly Arriving[]) =>
      askTogether(arriving, async (left, signal) => {
        const asked = left.map(({ reference }) => reference);
        const allowed = await askForAll(asked, signal);
        return left.filter(({ reference }) => allowed.includes(reference));
      }),
    /** Shows references as being read. */
    arrive(conversationId: string, references: readonly HeldReference[]): readonly Arriving[] {
      const composer = composers.of(conversationId);
      const arriving = references.map((reference) =>
        toArriving(composer, reference, 'read' in reference ? undefined : nameOf(reference)),
      );
      composers.changed(conversationId);
      return arriving;
    },
    /** Adds them. What was not added, for whatever reason, isn't shown anymore afterwards. */
    async whileShown<T>(
      conversationId: string,
      arriving: readonly Arriving[],
      work: () => Promise<T>,
    ): Promise<T> {
      try {
        return await work();
      } finally {
        for (const { arrived } of arriving) arrived();
        composers.changed(conversationId);
      }
    },
  };
}

/** What is read is shown as such only after this time, in milliseconds: most is read at once. */
export const SHOWN_AFTER_MS = 500;

/** Shows which context a message waits for, so that the user knows what to remove. */
export function showReading({ of, changed }: Pick<Composers, 'of' | 'changed'>, conversationId: string) {
  const reading = new Set<string>();
  const show = () => {
    of(conversationId).reading = new Set(reading);
    changed(conversationId);
  };
  const timer = setTimeout(show, SHOWN_AFTER_MS);
  return {
    /** The work never fails. */
    async until<T>(id: string, work: Promise<T>): Promise<T> {
      reading.add(id);
      const done = await work;
      reading.delete(id);
      if (of(conversationId).reading.has(id)) show();
      return done;
    },
    /** All of it is read or removed. */
    end: () => clearTimeout(timer),
  };
}

/** Context that is being attached. A drive may not respond, so the context is shown meanwhile, and the user can remove it. */
import { createDeferred } from '../../service/deferred.ts';
import { askTogether } from '../context/askTogether.ts';
import type { ContextPermission } from '../context/contextPermission.ts';
import type { HeldReference } from '../context/contextResult.ts';
import type { Composer } from './composerState.ts';
import type { Composers } from './composers.ts';

export interface Arriving {
  readonly reference: HeldReference;
  /** Aborts when the user removes the context. */
  readonly removal: AbortSignal;
  /** Must be called when the context was read, refused, or removed. */
  arrived(): void;
}

/** @param name the name that is shown meanwhile; undefined for context that was read already, which isn't shown */
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
    /** Asks the user where needed. Returns the references that may be read. */
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
    /**
     * Runs the work that attaches references. Afterwards, those that were not attached, for whatever reason, are no longer
     * shown.
     */
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

/** Context is shown as being read only after this time, in milliseconds: most of it is read at once. */
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
    /** Shows the context as being read until the work ends. The work must never fail. */
    async until<T>(id: string, work: Promise<T>): Promise<T> {
      reading.add(id);
      const done = await work;
      reading.delete(id);
      if (of(conversationId).reading.has(id)) show();
      return done;
    },
    /** Must be called when all context was read or removed. */
    end: () => clearTimeout(timer),
  };
}

/**
 * Messages, also queued ones, that wait while something is read for them. A drive may not respond, so the user sees that
 * they wait, and can stop that.
 */
import { untilAborted } from '../../service/abort.ts';
import { SHOWN_AFTER_MS } from '../composer/arrivingContext.ts';
import type { Composers } from '../composer/composers.ts';

export interface WaitingMessages {
  /** Resolves with the result of the work, or with undefined if the user stops it first. Then the signal aborts. */
  until<T>(conversationId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>;
  /** Stops all messages of a conversation that wait. */
  stop(conversationId: string): void;
}

export function createWaitingMessages({ of, changed }: Pick<Composers, 'of' | 'changed'>): WaitingMessages {
  const waiting = new Map<AbortController, string>();

  function show(conversationId: string, isWaiting: boolean): void {
    const composer = of(conversationId);
    if (composer.waiting === isWaiting) return;
    composer.waiting = isWaiting;
    changed(conversationId);
  }

  return {
    async until(conversationId, work) {
      const control = new AbortController();
      const { signal } = control;
      waiting.set(control, conversationId);
      const timer = setTimeout(() => show(conversationId, true), SHOWN_AFTER_MS);
      try {
        return await untilAborted(work(signal), signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        return undefined;
      } finally {
        clearTimeout(timer);
        waiting.delete(control);
        if (![...waiting.values()].includes(conversationId)) show(conversationId, false);
      }
    },
    stop(conversationId) {
      for (const [control, id] of waiting) if (id === conversationId) control.abort();
    },
  };
}

/** The context of messages that are being sent: it is read again while the composer can still change. */
import type { ContextItem } from '../../conversation/context/context.ts';
import { untilAborted } from '../../service/abort.ts';
import type { AttachedContext } from '../context/attachments.ts';
import { showReading } from './arrivingContext.ts';
import type { Composers } from './composers.ts';

export interface ContextCollecting {
  /** Reads each item of a composer again. Items that are removed meanwhile are left out. When the signal aborts, all items are. */
  collect(
    conversationId: string,
    signal: AbortSignal,
  ): Promise<readonly { readonly from: AttachedContext; readonly newest: ContextItem }[]>;
  /** An item was replaced by another one. If the user removes that, the replaced item is removed from messages, too. */
  replaced(id: string | undefined, by: string): void;
  removed(id: string): void;
}

export function createContextCollecting(
  composers: Pick<Composers, 'of' | 'changed'>,
  readAgain: (attached: AttachedContext) => Promise<ContextItem>,
): ContextCollecting {
  /** The items that are being read, each with the ID of the item or of its replacement. A drive may not respond. */
  const collecting = new Set<{ id: string; readonly removal: AbortController }>();

  return {
    async collect(conversationId, signal) {
      const { context } = composers.of(conversationId);
      const held = context.map((from) => ({ from, id: from.id, removal: new AbortController() }));
      for (const one of held) collecting.add(one);
      const shown = showReading(composers, conversationId);
      const read = await Promise.all(
        held.map(({ from, removal }) =>
          // Only fails if the item is removed or the signal aborts.
          shown.until(
            from.id,
            untilAborted(readAgain(from), AbortSignal.any([removal.signal, signal])).catch(() => undefined),
          ),
        ),
      );
      shown.end();
      return held.flatMap((one, at) => {
        collecting.delete(one);
        const newest = one.removal.signal.aborted ? undefined : read[at];
        return newest === undefined ? [] : [{ from: one.from, newest }];
      });
    },
    replaced(id, by) {
      for (const one of collecting) if (one.id === id) one.id = by;
    },
    removed(id) {
      for (const one of collecting) if (one.id === id) one.removal.abort();
    },
  };
}

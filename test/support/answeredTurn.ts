/** A prepared request, whose turn runs until the test answers it or it is stopped. */
import { createTurn } from '../../src/conversation/fold.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import type { TurnContent } from '../../src/requests/turnContent.ts';
import type { PreparedTurn } from '../../src/requests/turns.ts';
import { createDeferred } from '../../src/service/deferred.ts';
import { FACTS } from '../unit/conversation/turns.ts';

/** A request that was sent. */
export interface SentTurn {
  readonly id: string;
  /** The answer begins. */
  begin(): void;
  /** The turn as it ends; it keeps its own ID. */
  end(turn: Turn): void;
}

/** @param onSent called when the request is sent */
export function answeredTurn<Content extends TurnContent>(
  id: string,
  onSent: (sent: SentTurn) => void,
): PreparedTurn<Content> {
  const begun = createTurn(id, 0, FACTS);
  const { promise, resolve } = createDeferred<Turn>();
  return {
    ok: true,
    initialTurn: begun,
    async run({ onStep, signal }) {
      const begin = () => onStep({ before: begun, turn: begun, appended: undefined });
      onSent({ id, begin, end: (turn) => resolve({ ...turn, id }) });
      signal.addEventListener('abort', () => resolve({ ...begun, outcome: 'stopped' }));
      const turn = await promise;
      onStep({ before: begun, turn, appended: undefined });
      return turn;
    },
    discard: () => undefined,
  } as Partial<PreparedTurn<Content>> as PreparedTurn<Content>;
}

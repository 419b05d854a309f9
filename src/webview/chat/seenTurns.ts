/** Tells the host once of each turn that the user has seen to its end. */
import type { AutoScroll } from './autoScroll.ts';
import type { Page } from './page.ts';

export interface SeenTurnsDeps {
  readonly page: Pick<Page, 'panel' | 'post'>;
  readonly autoScroll: Pick<AutoScroll, 'atEnd'>;
}

/** Returns what marks the last turn as seen if the user can see it. Call it when the page was drawn, or has got the focus. */
export function createSeenTurns({ page, autoScroll }: SeenTurnsDeps): () => void {
  const seen = new Set<string>();
  return () => {
    const turn = page.panel()?.exchanges.at(-1)?.turn;
    if (turn === undefined || turn.outcome === 'running' || seen.has(turn.id)) return;
    if (!document.hasFocus() || !autoScroll.atEnd()) return;
    seen.add(turn.id);
    page.post({ type: 'seen', turnId: turn.id });
  };
}

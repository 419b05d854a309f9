/** Tells the host once for each turn that the user has seen to its end. */
import type { TurnView } from '../../panel/views.ts';
import type { AutoScroll } from './autoScroll.ts';
import type { Page } from './page.ts';

export interface SeenTurnsDeps {
  readonly page: Pick<Page, 'panel' | 'post'>;
  readonly autoScroll: Pick<AutoScroll, 'atEnd'>;
}

/**
 * Returns a function that marks turns as seen if the user can see their end: the last turn, and newer ones, which are other attempts
 * for earlier questions. Call it when the page was drawn or scrolled, or has got the focus.
 */
export function createSeenTurns({ page, autoScroll }: SeenTurnsDeps): () => void {
  const seen = new Set<string>();
  const mark = ({ id, outcome }: TurnView, isInView: () => boolean) => {
    if (outcome === 'running' || seen.has(id) || !isInView()) return;
    seen.add(id);
    page.post({ type: 'seen', turnId: id });
  };
  return () => {
    const exchanges = page.panel()?.exchanges ?? [];
    const turn = exchanges.at(-1)?.turn;
    if (turn === undefined || !document.hasFocus()) return;
    mark(turn, autoScroll.atEnd);
    for (const { id, turn: other } of exchanges)
      if (other !== undefined && other.startedAt > turn.startedAt) mark(other, () => isEndInView(id));
  };
}

/** Whether the end of an answer, where its cards are, is in view. */
function isEndInView(exchangeId: string): boolean {
  const article = document.querySelector(`.k3[data-exchange="${CSS.escape(exchangeId)}"]`);
  const frame = article?.closest('.log')?.getBoundingClientRect();
  const end = article?.getBoundingClientRect().bottom ?? 0;
  return frame !== undefined && end > frame.top && end <= frame.bottom;
}

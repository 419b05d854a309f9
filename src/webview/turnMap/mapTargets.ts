/** The targets of the parts of a map: a step of the reasoning, a tool call, or the answer. */
import type { MapPart } from '../../panel/turnMapParts.ts';
import type { TurnText, TurnView } from '../../panel/views.ts';
import { scrollLog } from '../base/scrollLog.ts';
import { callOfPart } from './mapNames.ts';

export interface MapTargetsDeps {
  /** Shows a step of the reasoning, counted from 0. */
  showStep(exchangeId: string, turnId: string, step: number): void;
  /** Shows an answer that is collapsed because the next message continues it. */
  unfoldAnswer(turnId: string): void;
  stopFollowing(): void;
  schedule(): void;
  /** Runs after the next drawing. */
  afterDrawing(run: () => void): void;
}

type Shown = TurnView & TurnText;

/** Whether the page has the target of a part. */
export function hasTarget(part: MapPart, turn: Shown): boolean {
  const { kind, round = 0 } = part;
  if (kind === 'step' || kind === 'reasoning') return turn.reasoning !== '';
  if (kind === 'call' || kind === 'approval') return callOfPart(part, turn) !== undefined;
  if (kind === 'writing') return callOfPart({ ...part, call: 0 }, turn) !== undefined;
  return kind === 'answer' && answerOf(turn, round) !== '';
}

const answerOf = (turn: Shown, round: number) => turn.rounds[round]?.answer ?? turn.answer;

/** Scrolls to the target of a part. */
export function goToPart(part: MapPart, exchangeId: string, turn: Shown, deps: MapTargetsDeps): void {
  const { kind, round = 0 } = part;
  if (kind === 'step' || kind === 'reasoning') {
    deps.showStep(exchangeId, turn.id, part.step ?? 0);
    return;
  }
  const article = document.querySelector<HTMLElement>(
    `article.k3[data-exchange="${CSS.escape(exchangeId)}"]`,
  );
  if (article === null) return;
  deps.stopFollowing();
  if (kind === 'answer') deps.unfoldAnswer(turn.id);
  else unfoldCall(article, part);
  deps.schedule();
  deps.afterDrawing(() => {
    if (kind === 'answer') {
      const answers = article.querySelectorAll('[data-part="answer"], .structured');
      const place = article.querySelector(`.interim[data-round="${round}"]`) ?? [...answers].at(-1);
      article.focus({ preventScroll: true });
      scrollLog(place, 'start');
    } else {
      const call = article.querySelector<HTMLElement>(selectorOf(part));
      call?.querySelector<HTMLElement>('.tool-line')?.focus({ preventScroll: true });
      scrollLog(call, 'center');
    }
  });
}

const selectorOf = ({ round, call = 0 }: MapPart) => `[data-call="${round}/${call}"]`;

/** Expands a call, which also expands the collapsed group around it. */
function unfoldCall(article: HTMLElement, part: MapPart): void {
  const call = article.querySelector<HTMLElement>(selectorOf(part));
  const group = call?.closest('.tool-group')?.querySelector<HTMLElement>('.disclosure');
  const line = call?.querySelector<HTMLElement>('.tool-line');
  if (group?.ariaExpanded === 'false' || line?.ariaExpanded === 'false') line?.click();
}

/** Marks on the page: steps of the reasoning with the words that they share with the selection, and places of an answer. */
import { termsOf } from '../../panel/terms.ts';
import type { Cited } from '../../panel/why.ts';
import { scrollLog } from '../base/scrollLog.ts';
import type { PlacedStep } from './answerParts.ts';
import { type AnswerSegment, rangesIn } from './answerSegments.ts';

export const HIGHLIGHTS = ['why', 'why-weak', 'why-current'];

/** The message with the shown attempt of an exchange. */
export const answerArticleOf = (exchangeId: string) =>
  document.querySelector<HTMLElement>(`article.k3[data-exchange="${CSS.escape(exchangeId)}"]`);

/** The exchange ID of the answer that contains the focus. */
export const focusedExchange = () =>
  document.activeElement?.closest<HTMLElement>('article.k3')?.dataset['exchange'];

type StepPlace = Pick<PlacedStep, 'exchangeId' | 'step'>;

/** The step of a turn's reasoning, if it is on the page. */
export const stepElement = ({ exchangeId, step }: StepPlace) =>
  answerArticleOf(exchangeId)?.querySelectorAll<HTMLElement>('[data-part="reasoning"] > .step')[step];

/** Marks the steps that are on the page, and the one at index `at` of the list differently. */
export function markSteps(cited: readonly (Cited & StepPlace)[], at: number): void {
  clearMarks();
  const shared: Range[] = [];
  for (const [place, one] of cited.entries()) {
    const { strength, shared: keys } = one;
    const step = stepElement(one);
    if (step === undefined) continue;
    step.classList.add('is-cited', `is-${strength}`);
    step.classList.toggle('is-current', place === at);
    const body = step.querySelector('.step-body');
    if (body !== null)
      shared.push(...rangesIn(body, (text) => [...termsOf(text)].filter(({ key }) => keys.has(key))));
  }
  CSS.highlights.set('why', new Highlight(...shared));
}

/** Marks places of an answer, and the one at index `at` of the list differently. */
export function markPlaces(places: readonly (Pick<Cited, 'strength'> & AnswerSegment)[], at: number): void {
  clearMarks();
  const ranges = (of: (place: Pick<Cited, 'strength'>, index: number) => boolean) =>
    new Highlight(...places.filter(of).map(({ range }) => range));
  CSS.highlights.set(
    'why',
    ranges(({ strength }, index) => strength === 'strong' && index !== at),
  );
  CSS.highlights.set(
    'why-weak',
    ranges(({ strength }, index) => strength === 'weak' && index !== at),
  );
  CSS.highlights.set(
    'why-current',
    ranges((_, index) => index === at),
  );
}

export function clearMarks(): void {
  for (const step of document.querySelectorAll('.step.is-cited'))
    step.classList.remove('is-cited', 'is-strong', 'is-weak', 'is-current');
  for (const name of HIGHLIGHTS) CSS.highlights.delete(name);
}

/** Unfolds a step, scrolls to it, and focuses its button. */
export function focusStep(place: StepPlace | undefined): void {
  const step = place && stepElement(place);
  const button = step?.querySelector<HTMLElement>('.step-fold');
  if (!step || !button) return;
  if (step.classList.contains('is-folded')) button.click();
  for (const other of step.parentElement?.querySelectorAll<HTMLElement>('.step-fold') ?? [])
    other.tabIndex = other === button ? 0 : -1;
  button.focus({ preventScroll: true });
  scrollLog(step, 'center');
}

/**
 * Find in the conversation: the find bar, and the highlights in the text. The host finds all matches; the page highlights those that it
 * shows.
 */
import { html, type TemplateResult } from 'lit-html';
import { toComposed } from '../../panel/composed.ts';
import { type HostMessage, MAX_MATCHES } from '../../panel/hostMessages.ts';
import { numberText } from '../../panel/numberFormats.ts';
import type { PageContext } from '../base/pageContext.ts';
import { createElementText } from '../text/elementText.ts';

export type FindMatch = Extract<HostMessage, { type: 'found' }>['places'][number];

export interface Find {
  readonly words: string;
  readonly places: readonly FindMatch[];
  /** Index into `places`; -1 if there are no results, or the user hasn't moved to one. */
  readonly at: number;
  /** Whether the results come from a search that was repeated for new text, and not for the user. */
  readonly isFollowing: boolean;
}

export interface FindActions {
  readonly type: (words: string) => void;
  /** Moves to the next place, or with -1 to the previous one. Wraps around. */
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

export function findTemplate(find: Find, { word }: PageContext, actions: FindActions): TemplateResult {
  const { words, places, at, isFollowing } = find;
  const here = at === -1 ? '?' : at + 1;
  const { length } = places;
  // The host stops counting at this number.
  const count = length < MAX_MATCHES ? length : `${numberText(length, document.documentElement.lang)}+`;
  const status = words === '' ? '' : length === 0 ? word('No results') : word('{0} of {1}', here, count);
  const onKey = (event: KeyboardEvent) => {
    // Escape can undo the conversion of an input method, and Enter can end it.
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      actions.close();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      actions.step(event.shiftKey ? -1 : 1);
    }
  };
  const button = (icon: string, name: string, act: () => void) =>
    html`<button type="button" class="icon-button" aria-label=${name} title=${name} @click=${act}><span class="codicon codicon-${icon}"></span></button>`;
  return html`<div class="find" role="search" aria-label=${word('Find in conversation')}>
    <input type="text" class="find-box" aria-label=${word('Find')} placeholder=${word('Find')} .value=${words} @keydown=${onKey}
      @input=${(event: InputEvent) => actions.type(event.target instanceof HTMLInputElement ? event.target.value : '')}>
    <span class="find-count" role="status" aria-live=${isFollowing ? 'off' : 'polite'}>${status}</span>
    <span class="bar-buttons">${button('arrow-up', word('Previous match'), () => actions.step(-1))}
    ${button('arrow-down', word('Next match'), () => actions.step(1))}
    ${button('close', word('Close'), actions.close)}</span>
  </div>`;
}

/** The element that shows a part of a turn; null if it is not on the page. */
export function elementOfPlace({
  exchangeId,
  part,
  round,
}: Pick<FindMatch, 'exchangeId' | 'part' | 'round'>): HTMLElement | null {
  const kind = part === 'question' || part === 'prompt' ? 'you' : 'k3';
  const article = document.querySelector(`article.${kind}[data-exchange="${CSS.escape(exchangeId)}"]`);
  const element = article?.querySelector<HTMLElement>(innerOf(part, round)) ?? null;
  // For a JSON answer, only its content, without its controls and its status.
  return element?.querySelector<HTMLElement>(JSON_ANSWER) ?? element;
}

const JSON_ANSWER = '.json-text, .json-tree';

function innerOf(part: FindMatch['part'], round: number | undefined): string {
  if (part === 'question' || part === 'prompt') return `.${part}`;
  // The text of a round with tool calls has its own element.
  if (round !== undefined) return `.interim[data-round="${round}"] [data-part="${part}"]`;
  return `[data-part="${part}"]:not(.interim *)`;
}

const keyOf = ({ exchangeId, part, round }: FindMatch) => `${exchangeId}/${part}/${round}`;

/** The occurrences of the words in an element, across its inner elements. */
export function occurrencesIn(element: HTMLElement, words: string): readonly Range[] {
  const wanted = words.normalize('NFC').toLowerCase();
  const shown = createElementText(element);
  const composed = toComposed(shown.text);
  const text = composed.text.toLowerCase();
  const offset = offsetsOf(composed.text, text);
  const ranges: Range[] = [];
  let at = wanted === '' ? -1 : text.indexOf(wanted);
  for (; at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    const range = shown.range(
      composed.offset(offset(at)),
      composed.offset(offset(at + wanted.length - 1) + 1),
    );
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

/**
 * Returns a function that maps an offset in the lowercase text to one in the text. The lowercase text is longer where the text has `İ`.
 */
function offsetsOf(text: string, lower: string): (at: number) => number {
  if (lower.length === text.length) return (at) => at;
  const offsets: number[] = [];
  let start = 0;
  for (const character of text) {
    const units = character.toLowerCase().length;
    for (let unit = 0; unit < units; unit++) offsets.push(start + Math.min(unit, character.length - 1));
    start += character.length;
  }
  return (at) => offsets[at] ?? text.length;
}

/** Highlights all places on the page, and the current one differently. Returns the range of the current one. */
export function highlightPlaces({ words, places, at }: Find): Range | undefined {
  const found = new Highlight();
  const current = new Highlight();
  const place = places[at];
  let here: Range | undefined;
  const parts = new Map(places.map((one) => [keyOf(one), one]));
  for (const part of parts.values()) {
    const element = elementOfPlace(part);
    if (element === null) continue;
    const ranges = occurrencesIn(element, words);
    if (place !== undefined && keyOf(place) === keyOf(part)) here = ranges[place.occurrence] ?? ranges.at(-1);
    for (const range of ranges) (range === here ? current : found).add(range);
  }
  CSS.highlights.set('found', found);
  CSS.highlights.set('found-current', current);
  return here;
}

/**
 * Watches the page for highlighted text that is replaced, which makes the ranges of the highlights empty: syntax colors, links, and
 * math are added later than their text. Also for text that comes back without its highlights, because the user expands what it is in.
 * Returns functions that start and stop watching.
 */
export function watchMarks(names: readonly string[], onChange: () => void) {
  const isLost = (name: string) => [...(CSS.highlights.get(name) ?? [])].some(({ collapsed }) => collapsed);
  const changes = new MutationObserver((all) => (names.some(isLost) || all.some(isBack)) && onChange());
  return {
    begin: () => changes.observe(document.body, { childList: true, subtree: true }),
    end: () => changes.disconnect(),
  };
}

const TEXTS = '[data-part="answer"], [data-part="reasoning"]';

/** Whether an answer or its reasoning is on the page again, or values of a JSON answer, whose tree has only the expanded ones. */
function isBack({ target, addedNodes }: MutationRecord): boolean {
  const added = [...addedNodes].filter((node) => node instanceof Element);
  const isInJson = added.length > 0 && target instanceof Element && target.closest('.structured') !== null;
  return isInJson || added.some((one) => one.matches(TEXTS) || one.querySelector(TEXTS) !== null);
}

export function clearHighlights(): void {
  for (const name of HIGHLIGHTS) CSS.highlights.delete(name);
}

export const HIGHLIGHTS = ['found', 'found-current'];

/** The texts of an answer that the user can ask about: its sentences, and the selected words. */
import { createElementText, type ElementText, textOfNodes } from '../text/elementText.ts';

/** A sentence, a line of code, or a row of a table. */
export interface AnswerSegment {
  readonly text: string;
  readonly range: Range;
}

const ANSWER = '[data-part="answer"], .structured';
/** Elements that limit sentences: a sentence doesn't extend beyond one. */
const BLOCKS =
  // A selector, not translated.
  'p, li, h1, h2, h3, h4, h5, h6, tr, pre, dt, dd, summary, .json-row, .structured, [data-part="answer"]';
/**
 * Elements to leave out: controls, hidden copies of formulas, and content that is not in a JSON answer itself, such as its status,
 * counts, and indexes.
 */
const NO_TEXT =
  // A selector, not translated.
  'button, [role="toolbar"], .unseen, .code-head, annotation, ' +
  '.structured-status, .json-error, .json-object, .json-array, .is-index, .is-index + .json-colon';

/** Texts between tool calls. */
const INTERIM = '.interim [data-part="answer"]';

/**
 * The sentences of an article's answer, in order.
 *
 * @param isPart whether another article shows the last text of this one together with the rest of the answer
 */
export function segmentsIn(article: Element, isPart: boolean): readonly AnswerSegment[] {
  const places: AnswerSegment[] = [];
  for (const answer of article.querySelectorAll(isPart ? INTERIM : ANSWER)) {
    if (answer.parentElement?.closest(ANSWER)) continue;
    for (const block of blocksOf(answer))
      places.push(...(block.isCode ? linesOf(block.shown) : sentencesOf(block.shown)));
  }
  return places;
}

interface Block {
  readonly shown: ElementText;
  readonly isCode: boolean;
}

function blocksOf(answer: Element): readonly Block[] {
  const blocks: { readonly of: Element | null; readonly nodes: Text[] }[] = [];
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || parent.closest(NO_TEXT) !== null) continue;
    const of = parent.closest(BLOCKS);
    const last = blocks.at(-1);
    if (last?.of === of) last.nodes.push(node);
    else blocks.push({ of, nodes: [node] });
  }
  return blocks.map(({ of, nodes }) => ({ shown: textOfNodes(nodes), isCode: of?.matches('pre') === true }));
}

let sentences: Intl.Segmenter | undefined;

function sentencesOf(shown: ElementText): readonly AnswerSegment[] {
  sentences ??= new Intl.Segmenter(document.documentElement.lang || undefined, { granularity: 'sentence' });
  const segments = [...sentences.segment(shown.text)];
  let start = 0;
  return segments.flatMap(({ segment, index }, at) => {
    const end = index + segment.length;
    const text = shown.text.slice(start, end);
    // The number of a heading ends like a sentence, but has no words, so it is joined with the next sentence.
    if (!/\p{L}/u.test(text) && at < segments.length - 1) return [];
    const place = toPlace(shown, text, start);
    start = end;
    return place;
  });
}

function linesOf(shown: ElementText): readonly AnswerSegment[] {
  let start = 0;
  return shown.text.split(/(?<=\n)/).flatMap((line) => {
    start += line.length;
    return toPlace(shown, line, start - line.length);
  });
}

function toPlace(shown: ElementText, segment: string, start: number): readonly AnswerSegment[] {
  const text = segment.trim();
  const from = start + segment.indexOf(text);
  const range = text === '' ? undefined : shown.range(from, from + text.length);
  return range === undefined ? [] : [{ text, range }];
}

/** The maximum length of the selected words, in UTF-16 code units. A longer selection is cut off. */
const LONGEST = 20_000;

export interface Selected {
  readonly article: Element;
  readonly exchangeId: string;
  readonly words: string;
  readonly range: Range;
}

/** The words that are selected in an answer; undefined if there are none, or if the selection is elsewhere. */
export function selectedWords(): Selected | undefined {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const start = range.startContainer;
  const article = (start instanceof Element ? start : start.parentElement)?.closest<HTMLElement>(
    'article.k3',
  );
  const words = selection.toString().trim().slice(0, LONGEST);
  const exchangeId = article?.dataset['exchange'];
  if (!article || exchangeId === undefined || words === '') return undefined;
  const isInAnswer = [...article.querySelectorAll(ANSWER)].some((answer) => answer.contains(start));
  return isInAnswer ? { article, exchangeId, words, range } : undefined;
}

/** The ranges in an element that a function chooses from its text. */
export function rangesIn(
  element: Element,
  choose: (text: string) => Iterable<{ readonly start: number; readonly end: number }>,
): readonly Range[] {
  const shown = createElementText(element);
  return [...choose(shown.text)].flatMap(({ start, end }) => shown.range(start, end) ?? []);
}

import { createStreamingMarkdown } from './blocks.ts';
import { patchChildren, patchNode } from './domPatch.ts';
import { highlightSoon } from './highlight.ts';
import type { MarkdownIt } from './markdown.ts';
import type { ItemUpdate } from './openItems.ts';
import { updateParagraph } from './openParagraph.ts';
import { needsSanitizer, toFragment } from './sanitize.ts';
import { selectionEnds } from './selection.ts';
import type { TextElement } from './streamingTexts.ts';

/**
 * The number of finished blocks in a group. The browser checks every sibling of an element that changes, and every element of its layer
 * before painting. Each group has its own layer (answer.css), so that frames stay short in long answers.
 */
const GROUP_BLOCKS = 50;

/** @param onFinished called with blocks of the page that no longer change */
export function createAnswerElement(
  md: MarkdownIt,
  onFinished: (blocks: readonly Element[]) => void,
): TextElement {
  const element = createMarkdownElement(md, onFinished);
  element.element.dataset['part'] = 'answer';
  return element;
}

/** An element that shows Markdown as it arrives. */
export function createMarkdownElement(
  md: MarkdownIt,
  onFinished: (blocks: readonly Element[]) => void,
): TextElement {
  const element = document.createElement('div');
  element.className = 'answer';
  const streaming = createStreamingMarkdown(md);
  const blocks = createBlocks(element, onFinished);
  return {
    element,
    append: streaming.append,
    draw() {
      const update = streaming.update();
      if (update.type === 'blocks') blocks.draw(update.frozen, update.tail);
      else if (update.type === 'code') blocks.addCode(update.code);
      else if (!blocks.drawItems(update)) blocks.draw('', streaming.open());
    },
    finish() {
      const { frozen, whole } = streaming.finish();
      blocks.finish(frozen, whole);
    },
  };
}

/**
 * The blocks of an answer: finished ones in groups, the open ones in the tail. Normally, finished blocks are created again in a group.
 * While the user selects text in the open blocks, they stay where they are, because moving an element ends the selection.
 */
function createBlocks(element: HTMLElement, onFinished: (blocks: readonly Element[]) => void) {
  let group: HTMLElement | undefined;
  let tail = createPart('answer-tail');
  /** The number of nodes at the start of the tail that are finished, but stay there. */
  let finishedHere = 0;
  /** The last drawn HTML of the open blocks. */
  let openHtml = '';
  element.append(tail);

  function isOpenInUse(): boolean {
    const inUse = [...selectionEnds(), document.activeElement].filter((node) => node !== null);
    const open = [...tail.childNodes].slice(finishedHere);
    return inUse.some((node) => node === tail || open.some((one) => one.contains(node)));
  }

  /**
   * Draws blocks in the tail, the first of which are finished, but must stay there.
   *
   * @param finished the number of nodes of finished blocks
   */
  function drawTail(next: DocumentFragment, finished: number): void {
    patchChildren(tail, tail.childNodes[finishedHere] ?? null, next);
    const blocks = [...tail.childNodes]
      .slice(finishedHere, finishedHere + finished)
      .filter((block) => block instanceof Element);
    for (const block of blocks) highlightSoon(block);
    onFinished(blocks);
    finishedHere += finished;
  }

  /** Draws the open blocks. If a paragraph has only grown, draws only its changed end. */
  function drawOpen(html: string): void {
    const update = needsSanitizer(html) ? undefined : updateParagraph(openHtml, html);
    const shown = tail.childNodes[finishedHere];
    openHtml = html;
    if (update === undefined || !(shown instanceof HTMLParagraphElement)) drawTail(toFragment(html), 0);
    else patchChildren(shown, shown.childNodes[update.from] ?? null, toFragment(update.html));
  }

  /** Turns the finished blocks in the tail into a group, and removes the open ones. */
  function leaveTail(): void {
    if (finishedHere === 0) {
      tail.replaceChildren();
      return;
    }
    for (const open of [...tail.childNodes].slice(finishedHere)) open.remove();
    tail.className = 'answer-group';
    group = tail;
    tail = createPart('answer-tail');
    group.after(tail);
    finishedHere = 0;
  }

  function addFinished(html: string): void {
    const blocks = toFragment(html);
    highlightSoon(blocks);
    if (group === undefined || group.childElementCount >= GROUP_BLOCKS) {
      group = createPart('answer-group');
      tail.before(group);
    }
    const finished = [...blocks.children];
    group.append(blocks);
    onFinished(finished);
  }

  return {
    /** Draws finished blocks, and the open ones after them. */
    draw(finished: string, open: string): void {
      if (finished !== '' && isOpenInUse()) {
        drawTail(toFragment(finished + open), toFragment(finished).childNodes.length);
        openHtml = open;
        return;
      }
      if (finished !== '') {
        leaveTail();
        addFinished(finished);
        openHtml = '';
      }
      drawOpen(open);
    },
    /** Appends text to the code of the last block. */
    addCode(text: string): void {
      const code = tail.lastElementChild?.querySelector('code');
      if (code?.lastChild instanceof Text) code.lastChild.appendData(text);
      else code?.append(text);
    },
    /** Draws the last items of the last list or table, and the blocks after it. Returns false if the list isn't where it was drawn. */
    drawItems({ from, html }: ItemUpdate): boolean {
      const next = toFragment(html);
      const block = tail.childNodes[finishedHere];
      const [shown, wanted] = [block, next.firstChild].map(itemsOf);
      const [first, firstWanted] = [shown?.children[from], wanted?.firstElementChild];
      if (!block || !shown || !wanted || !first || !firstWanted) return false;
      while (wanted.firstChild !== firstWanted) wanted.firstChild?.remove();
      patchChildren(shown, first, wanted);
      next.firstChild?.remove();
      patchChildren(tail, block.nextSibling, next);
      return true;
    },
    /** Draws the last blocks. `whole` replaces all blocks. */
    finish(last: string, whole: string | undefined): void {
      const isNew = group === undefined && finishedHere === 0;
      const next = toFragment(isNew ? (whole ?? last) : last);
      drawTail(next, next.childNodes.length);
      leaveTail();
      if (whole !== undefined && !isNew) {
        replaceAll(element, whole);
        onFinished([element]);
      }
    },
  };
}

/** The element whose children are the items of a list, or the rows of a table. */
function itemsOf(block: Node | null | undefined): Element | undefined {
  if (!(block instanceof Element)) return undefined;
  return block.querySelector(':scope > table > tbody') ?? block;
}

function createPart(className: string): HTMLElement {
  const part = document.createElement('div');
  part.className = className;
  return part;
}

/** Changes all blocks of an answer that has finished. */
function replaceAll(element: HTMLElement, html: string): void {
  const wanted = [...toFragment(html).childNodes];
  const shown = [...element.children].flatMap(({ childNodes }) => [...childNodes]);
  for (const [index, node] of wanted.entries()) {
    const old = shown[index];
    if (old === undefined) element.lastElementChild?.before(node);
    else patchNode(old, node);
  }
  for (const old of shown.slice(wanted.length)) old.remove();
  highlightSoon(element);
}

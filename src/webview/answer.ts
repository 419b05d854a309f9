import { createGrowingMarkdown } from './blocks.ts';
import { highlightSoon } from './highlight.ts';
import type { MarkdownIt } from './markdown.ts';
import { toFragment } from './sanitise.ts';

/** The element of an answer, which grows with its text. */
export interface AnswerElement {
  readonly element: HTMLElement;
  /** Brings the element up to the text. Only what came since the last call is read. */
  grow(text: string, ended: boolean): void;
}

/** If one rendering took t milliseconds, the next waits this many times t, so that the page stays usable. */
const REST_FACTOR = 4;

/**
 * Finished blocks stand in groups of so many: the browser looks at every sibling of what changes, and before painting
 * at every element of its layer. A group is a layer of its own (code.css), so that frames stay short in long answers.
 */
const GROUP_BLOCKS = 50;

export function createAnswerElement(md: MarkdownIt, onGrown: () => void): AnswerElement {
  const element = document.createElement('div');
  element.dataset['part'] = 'answer';
  element.className = 'answer';
  const tail = document.createElement('div');
  tail.className = 'answer-tail';
  element.append(tail);
  const growing = createGrowingMarkdown(md);
  let group: HTMLElement | undefined;
  let taken = 0;
  let finished = false;
  let scheduled = false;
  let restUntil = 0;

  function addFrozen(html: string): void {
    if (html === '') return;
    const blocks = toFragment(html);
    highlightSoon(blocks);
    groupWithRoom().append(blocks);
  }

  function groupWithRoom(): HTMLElement {
    if (group !== undefined && group.childElementCount < GROUP_BLOCKS) return group;
    group = document.createElement('div');
    group.className = 'answer-group';
    tail.before(group);
    return group;
  }

  function draw(): void {
    scheduled = false;
    if (finished) return;
    const now = performance.now();
    if (now < restUntil) {
      schedule();
      return;
    }
    const { frozen, tail: html } = growing.update();
    addFrozen(frozen);
    tail.replaceChildren(toFragment(html));
    restUntil = performance.now() + (performance.now() - now) * REST_FACTOR;
    onGrown();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(draw);
  }

  function finish(): void {
    finished = true;
    const { frozen, whole } = growing.finish();
    tail.replaceChildren();
    if (whole !== undefined) {
      element.replaceChildren(tail);
      group = undefined;
    }
    addFrozen(whole ?? frozen);
    onGrown();
  }

  return {
    element,
    grow(text, ended) {
      if (finished) return;
      if (text.length > taken) {
        growing.append(text.slice(taken));
        taken = text.length;
        if (!ended) schedule();
      }
      if (ended) finish();
    },
  };
}

/** Reasoning as plain text: appending to one text node costs the same however long it has become. */
export function createReasoningElement(): AnswerElement {
  const element = document.createElement('div');
  element.dataset['part'] = 'reasoning';
  element.className = 'reasoning-text';
  const node = document.createTextNode('');
  element.append(node);
  return {
    element,
    grow(text) {
      if (text.length > node.length) node.appendData(text.slice(node.length));
    },
  };
}

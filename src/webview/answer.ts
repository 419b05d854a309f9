import { createStreamingMarkdown } from './blocks.ts';
import { highlightSoon } from './highlight.ts';
import type { MarkdownIt } from './markdown.ts';
import { toFragment } from './sanitise.ts';
import type { TextElement } from './streamingTexts.ts';

/**
 * The number of finished blocks in a group. The browser checks every sibling of an element that changes, and every
 * element of its layer before painting. Each group has its own layer (code.css), so that frames stay short in long
 * answers.
 */
const GROUP_BLOCKS = 50;

export function createAnswerElement(md: MarkdownIt): TextElement {
  const element = document.createElement('div');
  element.dataset['part'] = 'answer';
  element.className = 'answer';
  const tail = document.createElement('div');
  tail.className = 'answer-tail';
  element.append(tail);
  const streaming = createStreamingMarkdown(md);
  let group: HTMLElement | undefined;

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

  return {
    element,
    append: streaming.append,
    draw() {
      const { frozen, tail: html } = streaming.update();
      addFrozen(frozen);
      tail.replaceChildren(toFragment(html));
    },
    finish() {
      const { frozen, whole } = streaming.finish();
      tail.replaceChildren();
      if (whole !== undefined) {
        element.replaceChildren(tail);
        group = undefined;
      }
      addFrozen(whole ?? frozen);
    },
  };
}

/** Reasoning as plain text. Appending to one text node takes the same time however long the text is. */
export function createReasoningElement(): TextElement {
  const element = document.createElement('div');
  element.dataset['part'] = 'reasoning';
  element.className = 'reasoning-text';
  const node = document.createTextNode('');
  element.append(node);
  let waiting = '';
  const draw = () => {
    node.appendData(waiting);
    waiting = '';
  };
  return {
    element,
    append(text) {
      waiting += text;
    },
    draw,
    finish: draw,
  };
}

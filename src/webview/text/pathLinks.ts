/**
 * Links to files. Paths are looked for in blocks that are finished, when the page is idle, so that streaming is not
 * slower; a path becomes a link when the host has said that it exists. A link has only its text: the host resolves it
 * again when it is selected.
 */
import { html } from 'lit';
import { findPaths, type PathRange, parsePath } from '../../panel/pathText.ts';
import type { PathBook } from './pathBook.ts';
import { selectionEnds } from './selection.ts';

export interface PathLinks {
  /** Looks for paths in finished blocks of an answer. */
  mark(blocks: readonly Element[]): void;
  /** A text for a template, with links where paths exist. */
  text(text: string): unknown;
  /** Shows what the book knows. */
  update(): void;
}

/** The most texts whose paths are remembered for the next drawing. */
const MAX_REMEMBERED = 200;

export function createPathLinks(book: Pick<PathBook, 'exists'>): PathLinks {
  const waiting: Element[] = [];
  const remembered = new Map<string, readonly PathRange[]>();
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    requestIdleCallback(() => {
      scheduled = false;
      // Changing the text nodes of a selection would end it.
      const selected = selectionEnds();
      const now = waiting.splice(0);
      for (const block of now) {
        if (selected.some((node) => node !== null && block.contains(node))) waiting.push(block);
        else markBlock(block);
      }
      update();
    });
  }
  document.addEventListener('selectionchange', schedule);

  function pathsIn(text: string): readonly PathRange[] {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const found = findPaths(text);
    remembered.set(text, found);
    return found;
  }

  function update(): void {
    for (const element of document.querySelectorAll<HTMLElement>('.answer [data-path]:not(.path-link)')) {
      const exists = book.exists(element.dataset['path'] ?? '');
      if (exists === true) linkUp(element);
      else element.classList.toggle('is-missing', exists === false);
    }
  }

  return {
    mark(blocks) {
      waiting.push(...blocks);
      schedule();
    },
    text(text) {
      const parts: unknown[] = [];
      let at = 0;
      for (const { from, to } of pathsIn(text)) {
        const path = text.slice(from, to);
        if (book.exists(path) !== true) continue;
        parts.push(text.slice(at, from), html`<a class="path-link" href="#" data-path=${path}>${path}</a>`);
        at = to;
      }
      return at === 0 ? text : [...parts, text.slice(at)];
    },
    update,
  };
}

/** Marks inline code, addresses that the renderer made of file names, and words of the text. */
function markBlock(block: Element): void {
  for (const code of block.querySelectorAll<HTMLElement>('code:not([data-language])')) {
    const text = code.textContent ?? '';
    if (code.closest('a, [data-path]') === null && parsePath(text) !== undefined) code.dataset['path'] = text;
  }
  for (const link of block.querySelectorAll<HTMLElement>('a[href^="http://"]')) {
    const text = link.textContent ?? '';
    if (link.getAttribute('href') === `http://${text}` && parsePath(text) !== undefined)
      link.dataset['path'] = text;
  }
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts)
    if (text.parentElement?.closest('pre, code, a, button, .math, [data-path]') === null) markText(text);
}

function markText(text: Text): void {
  for (const { from, to } of findPaths(text.data).toReversed()) {
    const path = text.splitText(from);
    path.splitText(to - from);
    const span = document.createElement('span');
    span.className = 'path-word';
    span.dataset['path'] = path.data;
    path.replaceWith(span);
    span.append(path);
  }
}

function linkUp(element: HTMLElement): void {
  const path = element.dataset['path'] ?? '';
  const link = document.createElement('a');
  link.className = 'path-link';
  link.href = '#';
  link.dataset['path'] = path;
  if (path !== element.textContent) link.title = path;
  if (element.tagName === 'CODE') {
    delete element.dataset['path'];
    element.replaceWith(link);
    link.append(element);
    return;
  }
  link.append(...element.childNodes);
  element.replaceWith(link);
}

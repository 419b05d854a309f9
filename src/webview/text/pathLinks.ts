/**
 * Links to files and symbols. When the page is idle, finished blocks are searched for paths, and for names of symbols in inline code,
 * so that streaming isn't slowed down. They become links when the host has said that they exist. A link contains only its text: the
 * host resolves it again when the user selects it.
 */
import { html } from 'lit-html';
import { findPaths, mayHavePath, type PathRange, parsePath } from '../../panel/pathText.ts';
import { parseSymbol } from '../../panel/symbolText.ts';
import { whenIdle } from '../base/whenIdle.ts';
import type { KnownPaths } from './knownPaths.ts';
import { selectionEnds } from './selection.ts';

export interface PathLinks {
  /** Looks for paths in finished blocks of an answer. */
  mark(blocks: readonly Element[]): void;
  /** A text for a template, with links for paths that exist. */
  text(text: string): unknown;
  /** Shows links for all paths and symbols that are known to exist. */
  update(): void;
}

/** The maximum number of texts whose paths are cached for the next drawing. */
const MAX_REMEMBERED = 200;
/** The maximum number of possible symbols in the inline code of an answer. */
const MAX_SYMBOLS = 100;

export function createPathLinks(
  paths: Pick<KnownPaths, 'exists'>,
  symbols: Pick<KnownPaths, 'exists'>,
): PathLinks {
  const waiting = new Set<Element>();
  const remembered = new Map<string, readonly PathRange[]>();
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.size === 0) return;
    scheduled = true;
    whenIdle(() => {
      scheduled = false;
      // Changing the text nodes of a selection would end it.
      const selected = selectionEnds();
      const now = [...waiting];
      const marked: HTMLElement[] = [];
      waiting.clear();
      for (const block of now) {
        if (selected.some((node) => block.contains(node))) {
          waiting.add(block);
          continue;
        }
        markBlock(block);
        marked.push(...block.querySelectorAll<HTMLElement>(MARKED));
        // Such an element waits if it was selected earlier.
        if (block instanceof HTMLElement && block.matches(MARKED)) marked.push(block);
      }
      show(marked);
    });
  }
  function pathsIn(text: string): readonly PathRange[] {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const found = findPaths(text);
    remembered.set(text, found);
    return found;
  }

  /** Shows links for marked elements that are known to exist. */
  function show(elements: Iterable<HTMLElement>): void {
    const selected = selectionEnds();
    for (const element of elements) {
      const { path, symbol } = element.dataset;
      const exists = path !== undefined && paths.exists(path);
      element.classList.toggle('is-missing', exists === false);
      const isLink = exists || (exists === false && symbol !== undefined && symbols.exists(symbol));
      if (isLink !== true) continue;
      if (selected.some((node) => element.contains(node))) waiting.add(element);
      else linkUp(element, exists ? 'path' : 'symbol');
    }
  }

  const update = () => show(document.querySelectorAll<HTMLElement>(MARKED));

  document.addEventListener('selectionchange', schedule);
  // A missing file or symbol may exist when the user comes back: a file was created, or a language server has started.
  addEventListener('focus', update);
  document.documentElement.addEventListener('pointerenter', update);

  return {
    mark(blocks) {
      for (const block of blocks) waiting.add(block);
      schedule();
    },
    text(text) {
      const parts: unknown[] = [];
      let at = 0;
      for (const { from, to } of pathsIn(text)) {
        const path = text.slice(from, to);
        if (paths.exists(path) !== true) continue;
        parts.push(text.slice(at, from), html`<a class="path-link" href="#" data-path=${path}>${path}</a>`);
        at = to;
      }
      return at === 0 ? text : [...parts, text.slice(at)];
    },
    update,
  };
}

const MARKED = '.answer :is([data-path], [data-symbol]):not(.path-link)';

/** The number of possible symbols in each answer. Counting them again for each block would take longer the longer the answer is. */
const symbolsIn = new WeakMap<Element, number>();

/**
 * Marks possible paths and symbols: in inline code, in addresses that the renderer has made from file names, and in words of the text.
 */
function markBlock(block: Element): void {
  const answer = block.closest('.answer') ?? block;
  // All blocks of an answer may have been replaced.
  const counted = block === answer ? undefined : symbolsIn.get(answer);
  let symbols = counted ?? answer.querySelectorAll('[data-symbol]').length;
  for (const code of block.querySelectorAll<HTMLElement>('code:not([data-language])')) {
    const text = code.textContent ?? '';
    const isPath = parsePath(text) !== undefined;
    const symbol = symbols < MAX_SYMBOLS ? parseSymbol(text) : undefined;
    if (!isPath && symbol === undefined) continue;
    if (code.closest('a, [data-path], [data-symbol]') !== null) continue;
    if (isPath) code.dataset['path'] = text;
    if (symbol === undefined) continue;
    code.dataset['symbol'] = symbol;
    symbols++;
  }
  symbolsIn.set(answer, symbols);
  for (const link of block.querySelectorAll<HTMLElement>('a[href^="http://"]')) {
    const text = link.textContent ?? '';
    if (link.getAttribute('href') === `http://${text}` && parsePath(text) !== undefined)
      link.dataset['path'] = text;
  }
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) {
    // Most texts have no path, and most texts with paths are code.
    const parent = text.parentElement;
    if (!mayHavePath(text.data) || parent === null || parent.localName === 'code') continue;
    if (parent.closest('pre, code, a, button, .math, [data-path]') === null) markText(text);
  }
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

function linkUp(element: HTMLElement, kind: 'path' | 'symbol'): void {
  const name = element.dataset[kind] ?? '';
  const link = document.createElement('a');
  link.className = 'path-link';
  link.href = '#';
  link.dataset[kind] = name;
  if (kind === 'path' && name !== element.textContent) link.title = name;
  if (element.tagName === 'CODE') {
    delete element.dataset['path'];
    delete element.dataset['symbol'];
    element.replaceWith(link);
    link.append(element);
    return;
  }
  link.append(...element.childNodes);
  element.replaceWith(link);
}

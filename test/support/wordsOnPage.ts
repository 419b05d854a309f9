/** Finds untranslated texts, and texts that don't fit, on a page in the pseudo-language. */
import type { Page } from 'playwright-core';

export interface WordsOnPage {
  /** Texts and names outside the brackets of the pseudo-language. */
  readonly bare: readonly string[];
  /** Texts that end beyond the page, beyond their button, or in an ellipsis without a tooltip. */
  readonly cut: readonly string[];
  /** Texts and names that join parts with a comma and a space. */
  readonly latinCommas: readonly string[];
}

/** Names of products and of values of settings, which are the same in every language. */
const NAMES = /\bsvc-k3\b|\b(?:low|high|max)\b/g;

/** Reads the visible texts of a page, whose data has no Latin letters. */
export async function readWords(page: Page): Promise<WordsOnPage> {
  const { texts, cut } = await page.evaluate<{ texts: string[]; cut: string[] }>(READ);
  const seen = [...new Set(texts)];
  return {
    bare: seen.filter((text) => /\p{Script=Latin}/u.test(outside(text))),
    cut,
    latinCommas: seen.filter((text) => text.includes(', ')),
  };
}

/** The text outside the brackets, which can be nested. */
function outside(text: string): string {
  const without = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return without === text ? text.replaceAll(NAMES, '') : outside(without);
}

const READ = `(() => {
  const texts = [];
  const cut = [];
  const isHidden = (one) => one.closest('.unseen, [hidden]') !== null || !one.checkVisibility({ visibilityProperty: true });
  for (const one of document.querySelectorAll('*')) {
    if (isHidden(one)) continue;
    for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'])
      if (one.hasAttribute(name)) texts.push(one.getAttribute(name));
  }
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.data.trim();
    const parent = node.parentElement;
    if (text === '' || parent === null || parent.closest('.codicon, textarea, script') !== null || isHidden(parent)) continue;
    texts.push(text);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const why = rect.width === 0 ? undefined : whyCut(parent, rect);
      if (why !== undefined) {
        cut.push(why + ': ' + text);
        break;
      }
    }
  }
  return { texts, cut };

  function whyCut(parent, { left, right, top, bottom }) {
    for (let one = parent; one !== null; one = one.parentElement) {
      const box = one.getBoundingClientRect();
      const style = getComputedStyle(one);
      const beyond = right > box.right + 1 || left < box.left - 1;
      if (one.localName === 'button' && (beyond || bottom > box.bottom + 2 || top < box.top - 2)) return 'larger than its button';
      if (/auto|scroll/.test(style.overflowX) && beyond) return undefined;
      if (/hidden|clip/.test(style.overflowX) && beyond) {
        if (style.textOverflow !== 'ellipsis') return 'cut off';
        return one.closest('[title]') === null ? 'an ellipsis without a tooltip' : undefined;
      }
    }
    return right > innerWidth + 1 || left < -1 ? 'beyond the page' : undefined;
  }
})()`;

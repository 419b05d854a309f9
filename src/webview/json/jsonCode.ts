import { highlightSoon } from '../text/highlight.ts';

/** The text of a structured answer as it was received. `brokenAt` is the offset of the syntax error, in UTF-16 code units. */
export function createCode(text: string, brokenAt: number | undefined): HTMLElement {
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.className = 'json-text';
  const code = document.createElement('code');
  pre.append(code);
  if (brokenAt === undefined) {
    code.dataset['language'] = 'json';
    code.textContent = text;
    highlightSoon(pre);
    return pre;
  }
  const mark = document.createElement('mark');
  // At the end of the text or of a line there is nothing to mark, so a space is added.
  mark.textContent = text.slice(brokenAt, brokenAt + 1).replace(/^[\r\n]?$/, ' $&');
  code.append(text.slice(0, brokenAt), mark, text.slice(brokenAt + 1));
  return pre;
}

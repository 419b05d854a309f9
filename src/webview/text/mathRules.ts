/**
 * Math in Markdown: `$…$`, `\(…\)`, `$$…$$`, and, in lines of its own, `\[…\]`. Math is rendered as its source, and typeset when its
 * block is finished (math.ts). Each rule looks for the end only up to the next delimiter, so that it takes linear time.
 */
import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

/** The maximum length of math within a line, in UTF-16 code units. */
const MAX_INLINE = 1000;

export function useMath(md: MarkdownIt): void {
  const { escapeHtml } = md.utils;
  md.inline.ruler.before('escape', 'math_inline', inlineRule);
  md.block.ruler.before('fence', 'math_block', blockRule, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  md.renderer.rules['math_inline'] = (tokens, index) => {
    const { content = '', markup = '' } = tokens[index] ?? {};
    const display = markup === '$$';
    return `<span class="math" dir="ltr" data-math="${display ? 'display' : 'inline'}">${escapeHtml(content)}</span>`;
  };
  md.renderer.rules['math_block'] = (tokens, index) =>
    `<div class="math" dir="ltr" data-math="display">${escapeHtml(tokens[index]?.content ?? '')}</div>\n`;
}

/** The text between two delimiters within a line; undefined if there is no end, or if it isn't math. */
function contentAt(
  src: string,
  at: number,
): { readonly markup: string; readonly content: string } | undefined {
  const two = src.slice(at, at + 2);
  const within = src.slice(at, at + MAX_INLINE);
  if (two === '\\(') {
    const end = within.indexOf('\\)', 2);
    const content = end === -1 ? '' : within.slice(2, end);
    return content.trim() === '' || content.includes(two) ? undefined : { markup: two, content };
  }
  const markup = two === '$$' ? '$$' : '$';
  const end = nextDollar(within, markup.length);
  const content = within.slice(markup.length, end);
  if (end === -1 || content.trim() === '') return undefined;
  if (markup === '$$') return within.startsWith('$$', end) ? { markup, content } : undefined;
  // The same rule as in Pandoc, so that amounts of money aren't taken for math: “between $5 and $10”.
  const isMoney = /^\s|\s$/.test(content) || /[\p{L}\p{N}$]/u.test(within[end + 1] ?? '');
  return isMoney || /[\p{L}\p{N}]/u.test(src[at - 1] ?? '') ? undefined : { markup, content };
}

/** The offset of the next dollar sign that is not escaped; -1 if there is none. */
function nextDollar(text: string, from: number): number {
  let at = text.indexOf('$', from);
  while (at > 0 && text[at - 1] === '\\') at = text.indexOf('$', at + 1);
  return at;
}

function inlineRule(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== '$' && !src.startsWith('\\(', pos)) return false;
  const found = contentAt(src, pos);
  if (found === undefined) return false;
  const { markup, content } = found;
  if (!silent) {
    const token = state.push('math_inline', 'span', 0);
    token.markup = markup;
    token.content = content;
  }
  state.pos += content.length + 2 * markup.length;
  return true;
}

const ENDS: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' };

/**
 * Math in lines of its own. As in TeX, it can't contain blank lines. While its end hasn't arrived, it extends to the end of the text
 * (`openMath`), so that its lines are not taken for lists and headings; but not if other text follows (`isFollowed`).
 */
function blockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineAt = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineAt(startLine);
  const begin = first.slice(0, 2);
  const end = ENDS[begin];
  if (end === undefined) return false;
  const lines = [first.slice(2)];
  for (let line = startLine; line < endLine; line++) {
    if (line > startLine) lines.push(lineAt(line));
    const text = lines.at(-1) ?? '';
    const at = text.indexOf(end);
    const isBlank = line > startLine && text.trim() === '';
    const isNested = begin !== end && text.includes(begin);
    const isOutdented = line > startLine && (state.sCount[line] ?? 0) < state.blkIndent;
    if (isBlank || isNested || isOutdented) return false;
    if (at !== -1) return text.slice(at + 2).trim() === '' && take(line + 1, text.slice(0, at));
  }
  if (state.env['isFollowed'] === true) return false;
  state.env['openMath'] = true;
  return take(endLine, lines.at(-1) ?? '');

  function take(next: number, lastLine: string): boolean {
    const content = [...lines.slice(0, -1), lastLine].join('\n').trim();
    if (content === '' && state.env['openMath'] !== true) return false;
    if (silent) return true;
    const token = state.push('math_block', 'div', 0);
    token.block = true;
    token.content = content;
    token.markup = begin;
    token.map = [startLine, next];
    state.line = next;
    return true;
  }
}

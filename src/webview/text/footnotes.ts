/**
 * Footnotes: `[^1]` is a reference, and `[^1]: …` is a note. Notes stay where they are written, so that a text can be rendered block by
 * block. A reference without a note is shown as text.
 */
import type { Env, MarkdownIt, StateBlock, StateInline } from 'markdown-it';

/** The maximum length of a label, in UTF-16 code units. */
const MAX_LABEL = 40;
const DEFINITION = /^\[\^([^\]\s]{1,40})\]:[ \t]*/;
const REFERENCE = /^\[\^([^\]\s]{1,40})\]/;

export function useFootnotes(md: MarkdownIt, word: string): void {
  const { escapeHtml } = md.utils;
  md.block.ruler.before('reference', 'footnote', blockRule, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  md.inline.ruler.before('link', 'footnote_ref', inlineRule);
  const nameOf = (label: string) => escapeHtml(word.replace('{0}', () => label));
  md.renderer.rules['footnote_ref'] = (tokens, index) => {
    const label = tokens[index]?.content ?? '';
    return `<sup><button type="button" class="footnote-ref" data-footnote="${escapeHtml(label)}" aria-label="${nameOf(label)}" title="${nameOf(label)}">${escapeHtml(label)}</button></sup>`;
  };
  md.renderer.rules['footnote_open'] = (tokens, index) => {
    const label = tokens[index]?.info ?? '';
    return `<div class="footnote" dir="auto" role="note" tabindex="-1" aria-label="${nameOf(label)}" data-note="${escapeHtml(label)}"><span class="footnote-mark">${escapeHtml(label)}</span> `;
  };
  md.renderer.rules['footnote_close'] = () => '</div>\n';
}

/** The labels of the notes so far. */
export function labelsIn(env: Env): Set<string> {
  const labels = env['footnotes'];
  return labels instanceof Set ? labels : new Set<string>();
}

/** A note ends before a blank line and before the next note. */
function blockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineAt = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineAt(startLine);
  const [opening, label] = DEFINITION.exec(first) ?? [];
  if (opening === undefined || label === undefined) return false;
  if (silent) return true;
  const lines = [first.slice(opening.length)];
  let next = startLine + 1;
  while (next < endLine && !state.isEmpty(next) && !DEFINITION.test(lineAt(next))) lines.push(lineAt(next++));
  const labels = labelsIn(state.env);
  state.env['footnotes'] = labels.add(label);
  const open = state.push('footnote_open', 'div', 1);
  open.info = label;
  open.map = [startLine, next];
  const inline = state.push('inline', '', 0);
  inline.content = lines.join('\n').trim();
  inline.map = [startLine, next];
  inline.children = [];
  state.push('footnote_close', 'div', -1);
  state.line = next;
  return true;
}

function inlineRule(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== '[' || src[pos + 1] !== '^') return false;
  const [text, label] = REFERENCE.exec(src.slice(pos, pos + MAX_LABEL + 3)) ?? [];
  if (text === undefined || label === undefined || !labelsIn(state.env).has(label)) return false;
  if (!silent) state.push('footnote_ref', 'button', 0).content = label;
  state.pos += text.length;
  return true;
}

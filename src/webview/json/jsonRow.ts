import { html, nothing, type TemplateResult } from 'lit-html';
import type { JsonNode } from '../../panel/jsonText.ts';
import { joinList } from '../base/joinList.ts';
import type { PageContext } from '../base/pageContext.ts';
import type { JsonRow } from './jsonRows.ts';

/** The maximum length of a value in its row, in UTF-16 code units. The text view shows all of it. */
const LONGEST_VALUE = 500;

/** Indentation uses elements, because the page does not allow inline styles. */
const INDENT = html`<span class="json-indent"></span>`;
/** Deeper values are not indented further, or they would be out of view. */
const MOST_INDENTS = 24;

/** A row of the tree. */
export function rowTemplate(
  row: JsonRow,
  text: string,
  errors: readonly string[],
  reachable: boolean,
  word: PageContext['word'],
): TemplateResult {
  const { node, level, position, siblings, open } = row;
  const value = toValueText(node, text);
  // Only the root has no key.
  const name = node.key === undefined ? word('Entire answer') : String(node.key);
  const label = joinList([name === '' ? value : `${name}: ${value}`, ...errors], word);
  return html`<div class="json-row ${errors.length > 0 ? 'is-wrong' : ''}" role="treeitem" data-value=${row.value}
    aria-level=${level} aria-posinset=${position} aria-setsize=${siblings} aria-expanded=${open ?? nothing} aria-label=${label} tabindex=${reachable ? 0 : -1}>
    ${Array.from({ length: Math.min(level - 1, MOST_INDENTS) }, () => INDENT)}<span class="codicon ${open === undefined ? '' : open ? 'codicon-chevron-down' : 'codicon-chevron-right'}" aria-hidden="true"></span>
    <span class="json-line"><bdi class="json-key ${typeof node.key === 'string' ? '' : 'is-index'}">${name}</bdi><span class="json-colon">: </span><bdi class="json-${node.kind}">${value}</bdi>${errors.map((error) => html` <span class="json-error"><span class="codicon codicon-error" aria-hidden="true"></span>${error}</span>`)}</span>
  </div>`;
}

/** A value on one line, as it was received: numbers keep their digits. */
export function toValueText({ kind, from, to, children }: JsonNode, text: string): string {
  if (kind === 'object') return `{${children.length === 0 ? '' : children.length}}`;
  if (kind === 'array') return `[${children.length === 0 ? '' : children.length}]`;
  if (to - from <= LONGEST_VALUE) return text.slice(from, to);
  // Doesn't split a surrogate pair.
  return `${text.slice(from, from + LONGEST_VALUE).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Focuses a row, and scrolls to its value, which may be out of view to the right in a deeply nested row. */
export function focusRow(row: HTMLElement | null): void {
  row?.focus();
  row?.querySelector('.json-line')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** The rows of a tree that are on the page, with buttons that show the others. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { StructuredView } from '../../panel/views.ts';
import type { PageContext } from '../base/pageContext.ts';
import { rowTemplate } from './jsonRow.ts';
import type { JsonTree } from './jsonRows.ts';

export interface ShownTree {
  readonly view: Pick<StructuredView, 'name' | 'errors'>;
  readonly text: string;
  readonly tree: JsonTree;
  /** The value of each error. */
  readonly wrong: readonly number[];
}

export interface JsonWindow {
  /** The index of the first row. */
  readonly from: number;
  /** The maximum number of rows. */
  readonly most: number;
  /** The number of the value that can be reached by Tab. */
  readonly active: number;
}

export interface WindowActions {
  /** Shows rows before or after the window. */
  readonly page: (by: number) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onClick: (event: Event) => void;
}

export function windowTemplate(
  { view, text, tree, wrong }: ShownTree,
  { from, most, active }: JsonWindow,
  { page, onKey, onClick }: WindowActions,
  word: PageContext['word'],
): TemplateResult {
  const at = tree.rowOf(active);
  const count = tree.rowCount();
  const later = Math.max(0, count - from - most);
  const messages = Map.groupBy(
    view.errors.map(({ message }, index) => ({ message, row: tree.rowOf(wrong[index] ?? 0) })),
    ({ row }) => row,
  );
  // Only one row can be reached by Tab, and it must be on the page.
  const reachable = at >= from && at < from + most ? at : from;
  const drawn = Array.from({ length: Math.min(count - from, most) }, (_, index) => from + index);
  const rowAt = (index: number) => {
    const row = tree.row(index);
    const errors = (messages.get(index) ?? []).map(({ message }) => message);
    return row && rowTemplate(row, text, errors, index === reachable, word);
  };
  return html`<div class="json-box">
      ${from === 0 ? nothing : html`<button type="button" class="link-button" @click=${() => page(-most)}>${word('{0, plural, one {Show # earlier value} other {Show # earlier values}}', from)}</button>`}
      <div class="json-tree" role="tree" aria-label=${view.name} @keydown=${onKey} @click=${onClick}>${repeat(drawn, (index) => tree.row(index)?.value, rowAt)}</div>
      ${later === 0 ? nothing : html`<button type="button" class="link-button" @click=${() => page(most)}>${word('{0, plural, one {Show # more value} other {Show # more values}}', later)}</button>`}
    </div>`;
}

/** The header of a structured answer: its name with buttons, its state, and its errors. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { StructuredView } from '../../panel/views.ts';
import { firstClick } from '../base/firstClick.ts';
import type { PageContext } from '../base/pageContext.ts';

type Word = PageContext['word'];

export interface HeadActions {
  copy(): void;
  save(): void;
  /** Asks the model for a correction. */
  repair(): void;
}

/** @param shown the current form of the answer, if it can be shown as a tree and as text */
export function headTemplate(
  name: string,
  shown: { readonly isTree: boolean; showAs(form: 'Tree' | 'Text'): void } | undefined,
  actions: HeadActions,
  word: Word,
): TemplateResult {
  const toggle = (form: 'Tree' | 'Text', isPressed: boolean) =>
    html`<button type="button" class="text-button" aria-pressed=${isPressed} @click=${() => shown?.showAs(form)}>${word(form)}</button>`;
  return html`<div class="code-head structured-head" role="toolbar" aria-label=${word('Structured answer, {0}', name)}>
      <span class="codicon codicon-json" aria-hidden="true"></span><span class="code-language" title=${name}>${name}</span>
      ${shown === undefined ? nothing : html`${toggle('Tree', shown.isTree)}${toggle('Text', !shown.isTree)}`}
      <button type="button" class="icon-button" aria-label=${word('Copy')} title=${word('Copy')} @click=${actions.copy}><span class="codicon codicon-copy"></span></button>
      <button type="button" class="icon-button" aria-label=${word('Save as…')} title=${word('Save as…')} @click=${firstClick(actions.save)}><span class="codicon codicon-save-as"></span></button>
    </div>`;
}

export function statusTemplate(
  { state, summary, repairable }: StructuredView,
  actions: HeadActions,
  word: Word,
): TemplateResult {
  const wrong = state === 'differs' || state === 'not-json';
  const icon = wrong ? 'error' : state === 'fits' ? 'pass' : 'info';
  return html`<div class="structured-status" role=${wrong ? 'alert' : 'status'}>
      <span class="codicon codicon-${icon}" aria-hidden="true"></span><span class="structured-summary">${summary}</span>
      ${repairable ? html`<button type="button" class="vscode-button" @click=${firstClick(actions.repair)}>${word('Ask for correction')}</button>` : nothing}
    </div>`;
}

/** @param show shows the value of an error, given the index of the error */
export function errorsTemplate(
  { errors }: StructuredView,
  show: (index: number) => void,
  word: Word,
): TemplateResult | typeof nothing {
  if (errors.length === 0) return nothing;
  return html`<ul class="structured-errors" role="list" aria-label=${word('Errors')}>${errors.map(
    ({ pointer, message }, index) =>
      html`<li><button type="button" class="link-button" @click=${() => show(index)}><bdi class="json-pointer">${pointer === '' ? word('Entire answer') : pointer}</bdi> ${message}</button></li>`,
  )}</ul>`;
}

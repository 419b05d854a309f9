/** Buttons that expand and collapse the content below them. */
import { html, type TemplateResult } from 'lit-html';

export const chevron = (open: boolean): TemplateResult =>
  html`<span class="codicon ${open ? 'codicon-chevron-down' : 'codicon-chevron-right'}" aria-hidden="true"></span>`;

export const disclosure = (open: boolean, label: string, toggle: () => void): TemplateResult =>
  html`<button type="button" class="disclosure" aria-expanded=${open} @click=${toggle}>${chevron(open)}${label}</button>`;

/** The bar that shows the result, and moves through the marks. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PageContext } from '../base/pageContext.ts';

export interface WhyBar {
  readonly text: string;
  /** The number of marks, and the index of the current one. */
  readonly count: number;
  readonly at: number;
}

export interface WhyBarActions {
  /** Moves to the next mark, or with -1 to the previous one. Wraps around. */
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

export function whyBarTemplate(
  { text, count, at }: WhyBar,
  { word }: PageContext,
  actions: WhyBarActions,
): TemplateResult {
  const button = (icon: string, name: string, act: () => void) =>
    html`<button type="button" class="icon-button" aria-label=${name} title=${name} @click=${act}><span class="codicon codicon-${icon}"></span></button>`;
  return html`<div class="find why" role="group" aria-label=${word('Why?')}>
    <span class="codicon codicon-question" aria-hidden="true"></span><span class="why-text">${text}</span>
    <span class="bar-buttons">${count < 2 ? nothing : html`<span class="find-count">${word('{0} of {1}', at + 1, count)}</span>`}
    ${count < 2 ? nothing : [button('arrow-up', word('Previous match'), () => actions.step(-1)), button('arrow-down', word('Next match'), () => actions.step(1))]}
    ${button('close', word('Close'), actions.close)}</span>
  </div>`;
}

import { html, nothing, type TemplateResult } from 'lit-html';
import type { PlanView } from '../../panel/views.ts';
import { chevron } from '../base/disclosure.ts';
import { joinList } from '../base/joinList.ts';
import type { PageContext } from '../base/pageContext.ts';
import type { PlacedCall } from './callRows.ts';

const ICONS = {
  pending: 'debug-stackframe-dot',
  in_progress: 'watch',
  done: 'check',
} as const satisfies Record<PlanView['items'][number]['state'], string>;

/** The plan of an answer as one line, which expands to the checklist. It stays expanded when a later call replaces it. */
export function planTemplate(
  { call, round, index }: PlacedCall,
  { line, items }: PlanView,
  turnId: string,
  { word, isOpen, toggle }: PageContext,
): TemplateResult {
  const id = `plan-${turnId}`;
  const open = isOpen(id, false);
  return html`<div class="tool-call" role="group" tabindex="-1" aria-label=${word('Tool call, {0}', call.name)} data-state=${call.state} data-call="${round}/${index}">
    <button type="button" class="tool-line" aria-expanded=${open} aria-label=${joinList([call.name, line], word)} title=${line} @click=${() => toggle(id, false)}>${chevron(open)}<span class="tool-title">${line}</span></button>
    ${
      open
        ? html`<ul class="plan tool-details" aria-label=${word('Plan')}>${items.map(
            ({ text, state, label }) =>
              html`<li data-state=${state}><span class="codicon codicon-${ICONS[state]}" aria-hidden="true"></span><span dir="auto">${text}</span><span class="unseen">, ${label}</span></li>`,
          )}</ul>`
        : nothing
    }
  </div>`;
}

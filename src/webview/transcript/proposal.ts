import { html, nothing, type TemplateResult } from 'lit-html';
import type { ProposalAction, ProposalView } from '../../panel/views.ts';
import type { PanelWord } from '../../panel/words.ts';
import { firstClick } from '../base/firstClick.ts';
import type { PageContext } from '../base/pageContext.ts';

/** The changes that an answer proposes to one file: the state of its hunks, and the actions. */
export function proposalTemplate(view: ProposalView, { word, post, paths }: PageContext): TemplateResult {
  const { proposalId, uri, file, state, open } = view;
  const button = (name: PanelWord, action: ProposalAction, first = false, of = proposalId) =>
    html`<button type="button" class="vscode-button ${first ? '' : 'secondary'}" @click=${firstClick(() => post({ type: 'proposal', action, proposalId: of, uri }))}>${word(name)}</button>`;
  return html`<div class="proposal" role="group" aria-label=${word('Proposal, {0}', file)} data-state=${state}>
    <div class="proposal-head"><span class="codicon codicon-diff" aria-hidden="true"></span><span class="proposal-file" title=${file}>${paths(file)}</span></div>
    <div class="facts" role="status">${view.summary}</div>
    ${view.unplaced.map(
      ({
        why,
        find,
        replace,
      }) => html`<div class="unplaced"><span class="codicon codicon-warning" aria-hidden="true"></span>${why}
        ${find + replace === '' ? nothing : html`<pre tabindex="0">${find === '' ? nothing : html`<del>${find}</del>\n`}<ins>${replace}</ins></pre>`}</div>`,
    )}
    ${view.displaced.map(
      (
        one,
      ) => html`<div class="displaced"><span class="codicon codicon-info" aria-hidden="true"></span>${one.summary}
        ${button('Review Replaced Proposal', 'reopen', false, one.proposalId)}</div>`,
    )}
    <div class="card-actions">
      ${state === 'open' ? button('Review', 'review', true) : nothing}
      ${state === 'empty' ? nothing : button('Open Diff', 'diff')}
      ${state === 'open' && open > 0 ? button('Accept all', 'accept-all') : nothing}
      ${state === 'open' ? button('Reject all', 'reject-all') : nothing}
      ${view.restorable ? button('Restore rejected', 'restore') : nothing}
      ${state === 'replaced' ? button('Review Replaced Proposal', 'reopen') : nothing}
      ${view.revises ? button('Compare with Previous Proposal', 'compare') : nothing}
    </div>
  </div>`;
}

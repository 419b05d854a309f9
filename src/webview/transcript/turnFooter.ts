import { html, nothing, type TemplateResult } from 'lit-html';
import type { ExchangeView, TurnText, TurnView } from '../../panel/views.ts';
import { firstClick } from '../base/firstClick.ts';
import { joinList } from '../base/joinList.ts';
import type { PageContext } from '../base/pageContext.ts';

/** Expands the content below the line, and scrolls to it, because it may be out of view. */
function showBelow(event: Event, selector: '.account' | '.checks', toggle: () => void): void {
  const article = event.currentTarget instanceof Element ? event.currentTarget.closest('article') : null;
  toggle();
  requestAnimationFrame(() =>
    requestAnimationFrame(() => article?.querySelector(selector)?.scrollIntoView({ block: 'nearest' })),
  );
}

/** One line with the result of the checks, the actions, and the cost. Figures and checks are below it, on demand. */
export function footerTemplate(
  exchange: ExchangeView,
  turn: TurnView & TurnText,
  context: PageContext,
): TemplateResult {
  const { word, post, isOpen, toggle } = context;
  const id = `account-${turn.id}`;
  const open = isOpen(id, false);
  const button = (icon: string, name: string, tooltip: string, act: () => void) =>
    html`<button type="button" class="icon-button" aria-label=${name} title=${tooltip} @click=${firstClick(act)}><span class="codicon codicon-${icon}"></span></button>`;
  const line = turn.accountLine;
  return html`<div class="below">
    <div class="foot">
      ${tickTemplate(turn, context)}
      <div class="actions" role="toolbar" aria-label=${word('Message actions')}>
        ${turn.answer === '' ? nothing : button('copy', word('Copy'), word('Copy the answer'), () => post({ type: 'copy', turnId: turn.id }))}
        ${button('refresh', word('Regenerate'), regenerateTitle(turn, context), () => post({ type: 'regenerate', turnId: turn.id }))}
        ${exchange.attempts > 1 ? button('diff', word('Compare Attempts'), word('Compare Attempts'), () => post({ type: 'compare-attempts', turnId: turn.id })) : nothing}
        ${button('repo-forked', word('Fork'), word('Fork: continue from here in a new conversation'), () => post({ type: 'fork', exchangeId: exchange.id }))}
        ${turn.reasoning === '' ? nothing : button('list-tree', word('Open reasoning'), word('Open reasoning in an editor'), () => post({ type: 'open-reasoning', turnId: turn.id }))}
        ${turn.proposals.some(({ accepted }) => accepted > 0) ? button('discard', word('Revert Accepted Edits…'), word('Revert Accepted Edits…'), () => post({ type: 'revert', turnId: turn.id })) : nothing}
      </div>
      <button type="button" class="account-line" aria-expanded=${open} aria-label=${line === '' ? word('Details') : `${word('Details')}: ${line}`} title=${word('Details: tokens, cost, and times')} @click=${(event: Event) => showBelow(event, '.account', () => toggle(id, false))}>${line === '' ? word('Details') : line}</button>
    </div>
    ${checksTemplate(turn, context)}
    ${open ? html`<table class="account" aria-label=${word('Usage details')}><tbody>${turn.account.map(({ label, value }) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`)}</tbody></table>` : nothing}
  </div>`;
}

const regenerateTitle = ({ fromReasoning }: TurnView, { word }: PageContext) =>
  fromReasoning === true
    ? word('Regenerate: ask again without the earlier reasoning, and keep this answer')
    : word('Regenerate: ask again, and keep this answer');

const checksFold = ({ id }: TurnView) => `checks-${id}`;
const allPassed = ({ checks }: TurnView) => checks.every(({ passed }) => passed);

/** A check mark that expands the list of checks, if all of them passed. */
function tickTemplate(
  turn: TurnView & TurnText,
  { word, isOpen, toggle }: PageContext,
): TemplateResult | typeof nothing {
  if (turn.checks.length === 0 || !allPassed(turn)) return nothing;
  const names = joinList(
    turn.checks.map(({ name }) => name),
    word,
  );
  return html`<button type="button" class="icon-button tick" aria-expanded=${isOpen(checksFold(turn), false)} aria-label=${word('All checks passed')} title="${word('All checks passed')}: ${names}" @click=${(event: Event) => showBelow(event, '.checks', () => toggle(checksFold(turn), false))}><span class="codicon codicon-check"></span></button>`;
}

/** `open`: the check can't be decided from the answer. */
const CHECK_ICONS = { passed: 'codicon-pass', failed: 'codicon-error', open: 'codicon-question' } as const;

/** The checks. While the list is collapsed behind the check mark, screen readers still find it. */
function checksTemplate(
  turn: TurnView & TurnText,
  { word, isOpen }: PageContext,
): TemplateResult | typeof nothing {
  if (turn.checks.length === 0) return nothing;
  const open = !allPassed(turn) || isOpen(checksFold(turn), false);
  return html`<ul class="checks ${open ? '' : 'unseen'}" aria-label=${word('Response checks')} role="list">${turn.checks.map(
    (check) => {
      const state = check.passed === undefined ? 'open' : check.passed ? 'passed' : 'failed';
      return html`<li data-state=${state} title="${check.name}: ${check.detail}">
      <span class="codicon ${CHECK_ICONS[state]}" aria-hidden="true"></span>${check.name}
      <span class="unseen">${state === 'open' ? nothing : word(state)}</span><span class="check-detail">${check.passed ? nothing : check.detail}</span>
    </li>`;
    },
  )}</ul>`;
}

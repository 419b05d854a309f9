import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Starter } from '../../panel/context.ts';
import type { PanelState } from '../../panel/panelState.ts';
import { firstClick } from '../base/firstClick.ts';
import { MESSAGE_BOX, messageBoxElement } from '../base/messageBoxElement.ts';
import { composerTemplate } from '../composer/composer.ts';
import { exchangeTemplate } from '../transcript/exchange.ts';
import type { AppContext } from './appContext.ts';
import { focusBox } from './drawing.ts';

export function appTemplate(
  panel: PanelState,
  announcement: string,
  bars: readonly TemplateResult[],
  context: AppContext,
): TemplateResult {
  const { word, autoScroll } = context;
  const empty = panel.exchanges.length === 0;
  return html`
    <h1 class="unseen">K3 Chat</h1>
    ${bars}
    <div class="banners">${panel.surroundings.banners.map((banner) => bannerTemplate(banner, context))}</div>
    ${empty ? nothing : html`<h2 class="unseen">${word('Conversation')}</h2>`}
    <div class="log" role="log" aria-label=${word('Conversation')} aria-live="off" tabindex="0">
      ${panel.earlier === 0 ? nothing : html`<button type="button" class="link-button earlier" @click=${() => context.post({ type: 'show-earlier' })}>${word('Show earlier messages ({0})', panel.earlier)}</button>`}
      ${empty && !panel.surroundings.deleted ? welcomeTemplate(panel, context) : nothing}
      ${repeat(
        panel.exchanges,
        (exchange) => exchange.id,
        (exchange) => exchangeTemplate(exchange, panel.surroundings, context),
      )}
      ${panel.later === 0 ? nothing : html`<button type="button" class="link-button earlier" @click=${() => context.post({ type: 'show-later' })}>${word('Show later messages ({0})', panel.later)}</button>`}
      ${!empty && panel.surroundings.route === undefined ? welcomeTemplate(panel, context) : nothing}
    </div>
    <div class="to-end">
      <button type="button" class="icon-button" aria-label=${word('Scroll to bottom')} title=${word('Scroll to bottom')} @click=${() => goToEnd(autoScroll)}>
        <span class="codicon codicon-arrow-down"></span>
      </button>
    </div>
    ${composerTemplate(panel.surroundings, context)}
    <div class="unseen" role="status" aria-live="polite" data-part="announcement">${announcement}</div>
  `;
}

/** Scrolls to the end. The button then disappears, so the message box gets the focus. */
function goToEnd(autoScroll: AppContext['autoScroll']): void {
  autoScroll.toEnd();
  focusBox(MESSAGE_BOX);
}

function bannerTemplate(
  { tone, text, actions }: PanelState['surroundings']['banners'][number],
  { post }: AppContext,
): TemplateResult {
  const problem = tone === 'problem';
  return html`<div class="card ${tone} banner" role=${problem ? 'alert' : 'status'}>
    <div class="card-title"><span class="codicon ${problem ? 'codicon-warning' : 'codicon-info'}" aria-hidden="true"></span><span>${text}</span></div>
    ${actions.length === 0 ? nothing : html`<div class="card-actions">${actions.map(({ action, label }) => html`<button type="button" class="vscode-button secondary" @click=${firstClick(() => post({ type: 'action', action, turnId: undefined }))}>${label}</button>`)}</div>`}
  </div>`;
}

/**
 * Shown in an empty conversation. With a route, it says how to ask. Without one, it says why there is none, with buttons to add one or
 * to try the demo.
 */
function welcomeTemplate({ surroundings }: PanelState, context: AppContext): TemplateResult {
  const { word, post } = context;
  if (surroundings.route !== undefined) {
    return html`<div class="welcome">
      <span class="codicon codicon-comment-discussion" aria-hidden="true"></span>
      <h2>${word('Ask svc-k3')}</h2>
      <p>${word('Ask a question. Press Enter to send, or Shift+Enter for a new line.')}</p>
      ${startersTemplate(surroundings.starters, context)}
    </div>`;
  }
  const { noRoute } = surroundings;
  const action = noRoute === undefined ? 'add-route' : 'switch-route';
  return html`<div class="welcome">
    <span class="codicon codicon-plug" aria-hidden="true"></span>
    ${noRoute === undefined ? html`<h2>${word('No route yet')}</h2>` : nothing}
    <p>${noRoute?.text ?? word('A route is the address of a service and its API key. The demo needs neither and runs on this machine.')}</p>
    <button type="button" class="vscode-button" @click=${() => post({ type: 'action', action, turnId: undefined })}>
      ${noRoute?.label ?? word('Add Route…')}
    </button>
    <button type="button" class="vscode-button secondary" @click=${() => post({ type: 'action', action: 'try-demo', turnId: undefined })}>
      ${word('Try the Demo (No Key)')}
    </button>
  </div>`;
}

/** A starter adds its context and, in an empty message box, its text. Nothing is sent before the user does. */
function startersTemplate(
  starters: readonly Starter[],
  { word, post, draft, setDraft }: AppContext,
): TemplateResult | typeof nothing {
  if (starters.length === 0) return nothing;
  const begin = ({ prompt, reference }: Starter) => {
    if (draft().trim() === '') {
      setDraft(prompt);
      post({ type: 'draft', text: prompt });
    }
    // Posted after the draft: a changed draft would remove the message that says why the reference was refused.
    post({ type: 'attach-context', references: [reference] });
    messageBoxElement()?.focus();
  };
  return html`<ul class="starters" role="list" aria-label=${word('Suggestions')}>${starters.map(
    (starter) =>
      html`<li><button type="button" class="vscode-button secondary" @click=${() => begin(starter)}><span class="codicon codicon-${starter.icon}" aria-hidden="true"></span>${starter.label}</button></li>`,
  )}</ul>`;
}

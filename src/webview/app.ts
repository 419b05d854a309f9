import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { WebviewMessage } from '../panel/messages.ts';
import type { PanelState, TurnText, TurnView } from '../panel/views.ts';
import type { PanelWord } from '../panel/words.ts';
import { composerTemplate } from './composer.ts';
import { exchangeTemplate } from './exchange.ts';
import type { Follower } from './follow.ts';
import type { Mentions } from './mention.ts';

export interface Editing {
  readonly exchangeId: string;
  readonly text: string;
}

/** What templates may do. */
export interface AppContext {
  readonly post: (message: WebviewMessage) => void;
  readonly word: (key: PanelWord, ...values: readonly (string | number)[]) => string;
  /** Whether a disclosure is open; `otherwise` until the reader has touched it. */
  readonly isOpen: (id: string, otherwise: boolean) => boolean;
  readonly toggle: (id: string, otherwise: boolean) => void;
  /** The element that shows a text which grows. */
  readonly text: (kind: 'answer' | 'reasoning', turnId: string, text: string, ended: boolean) => HTMLElement;
  /** The element that shows an answer that was asked for as JSON, once it has ended. */
  readonly structured: (turn: TurnView & TurnText) => HTMLElement;
  /** Epoch milliseconds on the host's clock, by which turns are timed. */
  readonly now: () => number;
  readonly draft: () => string;
  readonly setDraft: (text: string) => void;
  readonly send: () => void;
  /** The question that is being asked in other words, if one is. */
  readonly editing: () => Editing | undefined;
  readonly edit: (next: Editing | undefined) => void;
  /** Begins to edit the last question; false when there is none. */
  readonly editLast: () => boolean;
  readonly mentions: Mentions;
  readonly follower: Pick<Follower, 'toEnd'>;
}

export function appTemplate(
  panel: PanelState,
  announcement: string,
  find: TemplateResult | typeof nothing,
  context: AppContext,
): TemplateResult {
  const { word, follower } = context;
  const empty = panel.exchanges.length === 0;
  return html`
    ${find}
    <div class="log" role="log" aria-label=${word('Conversation')} aria-live="off" tabindex="0">
      ${panel.surroundings.banners.map((banner) => bannerTemplate(banner, context))}
      ${panel.earlier === 0 ? nothing : html`<button type="button" class="link-button earlier" @click=${() => context.post({ type: 'show-earlier' })}>${word('Show earlier messages ({0})', panel.earlier)}</button>`}
      ${empty ? welcomeTemplate(panel, context) : nothing}
      ${repeat(
        panel.exchanges,
        (exchange) => exchange.id,
        (exchange) => exchangeTemplate(exchange, panel.surroundings, context),
      )}
      ${panel.later === 0 ? nothing : html`<button type="button" class="link-button earlier" @click=${() => context.post({ type: 'show-later' })}>${word('Show later messages ({0})', panel.later)}</button>`}
      ${!empty && panel.surroundings.route === undefined ? welcomeTemplate(panel, context) : nothing}
    </div>
    <div class="to-end">
      <button type="button" class="icon-button" aria-label=${word('Scroll to the latest')} title=${word('Scroll to the latest')} @click=${() => follower.toEnd()}>
        <span class="codicon codicon-arrow-down"></span>
      </button>
    </div>
    ${composerTemplate(panel.surroundings, context)}
    <div class="unseen" role="status" aria-live="polite" data-part="announcement">${announcement}</div>
  `;
}

function bannerTemplate(
  { text, actions }: PanelState['surroundings']['banners'][number],
  { post }: AppContext,
): TemplateResult {
  return html`<div class="card note banner" role="status">
    <div class="card-title"><span class="codicon codicon-info" aria-hidden="true"></span><span>${text}</span></div>
    ${actions.length === 0 ? nothing : html`<div class="card-actions">${actions.map(({ action, label }) => html`<button type="button" class="vscode-button secondary" @click=${() => post({ type: 'action', action, turnId: undefined })}>${label}</button>`)}</div>`}
  </div>`;
}

/** What to do when nothing was asked yet: with a route, ask; without one, add it or try the demo. */
function welcomeTemplate({ surroundings }: PanelState, { word, post }: AppContext): TemplateResult {
  if (surroundings.route !== undefined) {
    return html`<div class="welcome">
      <span class="codicon codicon-comment-discussion" aria-hidden="true"></span>
      <h2>${word('Ask svc-k3')}</h2>
      <p>${word('Ask a question. Enter sends, Shift+Enter breaks the line.')}</p>
    </div>`;
  }
  return html`<div class="welcome">
    <span class="codicon codicon-plug" aria-hidden="true"></span>
    <h2>${word('No route yet')}</h2>
    <p>${word('A route is the address of the service and a key for it. The demo needs neither: it runs on this machine.')}</p>
    <button type="button" class="vscode-button" @click=${() => post({ type: 'action', action: 'add-route', turnId: undefined })}>
      ${word('Add Route…')}
    </button>
    <button type="button" class="vscode-button secondary" @click=${() => post({ type: 'action', action: 'try-demo', turnId: undefined })}>
      ${word('Try the Demo')}
    </button>
  </div>`;
}

import { html, nothing, type TemplateResult } from 'lit';
import type { ExchangeView, Surroundings } from '../panel/messages.ts';
import type { AppContext } from './app.ts';
import { turnTemplate } from './turn.ts';

/** A question longer than this is folded. In lines. */
const LONG_QUESTION = 12;

/** A question and the answer that is shown. */
export function exchangeTemplate(
  exchange: ExchangeView,
  around: Surroundings,
  context: AppContext,
): TemplateResult {
  return html`
    ${questionTemplate(exchange, context)}
    ${exchange.turn === undefined ? nothing : turnTemplate(exchange, exchange.turn, around, context)}
  `;
}

function questionTemplate(
  { id, question }: ExchangeView,
  { word, isOpen, toggle }: AppContext,
): TemplateResult {
  const long = question.text.split('\n', LONG_QUESTION + 1).length > LONG_QUESTION;
  const open = !long || isOpen(`question-${id}`, false);
  const start = question.text.trim().split('\n', 1)[0]?.slice(0, 80) ?? '';
  return html`<article class="message you" aria-label="${word('You')}: ${start}" tabindex="-1">
    <h3 class="who"><span class="codicon codicon-account" aria-hidden="true"></span>${word('You')}</h3>
    ${question.origin === undefined ? nothing : html`<div class="origin"><span class="codicon codicon-code" aria-hidden="true"></span>${question.origin}</div>`}
    <div class="question ${open ? '' : 'is-folded'}">${question.text}</div>
    ${long ? html`<button type="button" class="link-button" aria-expanded=${open} @click=${() => toggle(`question-${id}`, false)}>${open ? '−' : '…'} ${word('Details')}</button>` : nothing}
    ${
      question.images.length === 0
        ? nothing
        : html`<div class="thumbnails">${question.images.map(({ name, url }) => (url === undefined ? html`<span class="chip">${name}</span>` : html`<img class="thumbnail" src=${url} alt=${name} title=${name}>`))}</div>`
    }
  </article>`;
}

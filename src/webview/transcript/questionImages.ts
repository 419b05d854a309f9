import { html, nothing, type TemplateResult } from 'lit-html';
import type { ExchangeView } from '../../panel/views.ts';
import type { PageContext } from '../base/pageContext.ts';

type Image = ExchangeView['question']['images'][number];

/** The images of a question. Selecting one shows it larger. */
export function imagesTemplate(
  { id, question: { images } }: ExchangeView,
  context: PageContext,
): TemplateResult | typeof nothing {
  if (images.length === 0) return nothing;
  return html`<div class="thumbnails">${images.map((image, index) => imageTemplate(id, image, index, context))}</div>`;
}

/** An image with a button to stop sending it in later requests, or to send it again. */
function imageTemplate(
  exchangeId: string,
  { name, url, omitted }: Image,
  index: number,
  { word, post, isOpen, toggle }: PageContext,
): TemplateResult {
  const title = omitted ? word('{0}: no longer sent', name) : name;
  const label = omitted ? word('Send {0} again', name) : word('Stop sending {0}', name);
  const id = `image-${exchangeId}-${index}`;
  const large = isOpen(id, false);
  return html`<span class="image ${omitted ? 'is-omitted' : ''} ${large ? 'is-large' : ''}">
    ${
      url === undefined
        ? html`<span class="chip" title=${title}>${name}</span>`
        : html`<button type="button" class="image-button" aria-expanded=${large} title=${title} @click=${() => toggle(id, false)}><img class="thumbnail" src=${url} alt=${title}></button>`
    }
    <button type="button" class="icon-button" aria-label=${label} title=${label} @click=${() => post({ type: 'omit-image', exchangeId, index, omits: !omitted })}><span class="codicon ${omitted ? 'codicon-eye' : 'codicon-eye-closed'}"></span></button>
  </span>`;
}

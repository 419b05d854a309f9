/** The context of a message as chips: with buttons in the composer, without in a sent question. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ContextView } from '../../panel/context.ts';
import type { PageContext } from '../base/pageContext.ts';

const ICONS = {
  file: 'file',
  folder: 'folder',
  symbol: 'symbol-method',
  selection: 'list-selection',
  problems: 'warning',
  changes: 'diff',
  terminal: 'terminal',
} as const satisfies Record<ContextView['kind'], string>;

/** Chips for the list of attachments. */
export function contextChips(context: readonly ContextView[], app: PageContext): readonly TemplateResult[] {
  const { word, post } = app;
  return context.map((item, index) => {
    const { name, changed } = item;
    const renew = word('Update {0}', name);
    const remove = word('Remove {0}', name);
    return html`<li class="chip context ${changed === undefined ? '' : 'is-changed'}" title=${name}>
      ${chipContent(item, `attached-${name}`, app)}
      <span class="chip-buttons">${changed === undefined ? nothing : html`<button type="button" class="icon-button" aria-label=${renew} title=${renew} @click=${() => post({ type: 'renew-context', index })}><span class="codicon codicon-refresh"></span></button>`}
      <button type="button" class="icon-button" aria-label=${remove} title=${remove} @click=${() => post({ type: 'remove-context', index })}><span class="codicon codicon-close"></span></button></span>
      ${omittedList(item, `attached-${name}`, app)}
    </li>`;
  });
}

/** The context of a sent question. */
export function sentContext(
  exchangeId: string,
  context: readonly ContextView[],
  app: PageContext,
): TemplateResult | typeof nothing {
  if (context.length === 0) return nothing;
  return html`<ul class="attachments sent" role="list" aria-label=${app.word('Context')}>${context.map(
    (
      item,
      index,
    ) => html`<li class="chip context ${item.changed === undefined ? '' : 'is-changed'}" title=${item.name}>
      ${chipContent(item, `sent-${exchangeId}-${index}`, app)} ${omittedList(item, `sent-${exchangeId}-${index}`, app)}
    </li>`,
  )}</ul>`;
}

function chipContent(
  { kind, name, size, changed, omitted, omittedCount }: ContextView,
  id: string,
  app: PageContext,
): TemplateResult {
  const { word, isOpen, toggle } = app;
  return html`<span class="codicon codicon-${ICONS[kind]}" aria-hidden="true"></span><span class="chip-name">${name}</span>
    <span class="chip-facts"><span class="chip-size">${size}</span>
    ${changed === undefined ? nothing : html`<span class="chip-changed">${changed}</span>`}
    ${
      omitted.length === 0
        ? nothing
        : html`<button type="button" class="link-button" aria-expanded=${isOpen(id, false)} @click=${() => toggle(id, false)}>${word('{0} omitted', omittedCount)}</button>`
    }</span>`;
}

function omittedList(
  { omitted, omittedCount }: ContextView,
  id: string,
  { isOpen, word }: PageContext,
): TemplateResult | typeof nothing {
  if (omitted.length === 0 || !isOpen(id, false)) return nothing;
  return html`<ul class="omitted" tabindex="0" aria-label=${word('{0} omitted', omittedCount)}>${omitted.map((line) => html`<li>${line}</li>`)}</ul>`;
}

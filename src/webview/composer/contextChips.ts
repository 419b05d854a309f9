/** The context of a message as chips: with buttons in the composer, without in a sent question. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AttachedView, ContextView } from '../../panel/context.ts';
import { firstClick } from '../base/firstClick.ts';
import type { PageContext } from '../base/pageContext.ts';

const ICONS = {
  file: 'file',
  folder: 'folder',
  symbol: 'symbol-method',
  selection: 'list-selection',
  problems: 'warning',
  changes: 'diff',
  terminal: 'terminal',
  instructions: 'book',
} as const satisfies Record<ContextView['kind'], string>;

/** Kinds whose names are paths, the ends of which distinguish them. */
const PATHS: ReadonlySet<ContextView['kind']> = new Set(['file', 'folder', 'selection']);

/** Chips for the list of attachments. */
export function contextChips(context: readonly AttachedView[], app: PageContext): readonly TemplateResult[] {
  const { word, post } = app;
  return context.map((item) => {
    const { id, name, changed } = item;
    const renew = word('Update {0}', name);
    const remove = word('Remove {0}', name);
    return html`<li class="chip context ${changed === undefined ? '' : 'is-changed'}" title=${name}>
      ${chipContent(item, `attached-${name}`, app)}
      <span class="chip-buttons">${changed === undefined ? nothing : html`<button type="button" class="icon-button" aria-label=${renew} title=${renew} @click=${() => post({ type: 'renew-context', id })}><span class="codicon codicon-refresh"></span></button>`}
      <button type="button" class="icon-button" aria-label=${remove} title=${remove} @click=${firstClick(() => post({ type: 'remove-context', id }))}><span class="codicon codicon-close"></span></button></span>
      ${omittedList(item, `attached-${name}`, app)}
    </li>`;
  });
}

/** The instructions that are sent with the next message. Removing them leaves them out of the conversation. */
export function instructionsChip(
  item: ContextView | undefined,
  app: PageContext,
): TemplateResult | typeof nothing {
  if (item === undefined) return nothing;
  const remove = app.word('Remove {0}', item.name);
  const id = 'instructions';
  return html`<li class="chip context" title=${titleOf(item)}>
      ${chipContent(item, id, app)}
      ${item.ended === true ? nothing : html`<span class="chip-buttons"><button type="button" class="icon-button" aria-label=${remove} title=${remove} @click=${firstClick(() => app.post({ type: 'leave-out-instructions' }))}><span class="codicon codicon-close"></span></button></span>`}
      ${omittedList(item, id, app)}
    </li>`;
}

/** The name of an item; for instructions, with their size and their files. */
const titleOf = ({ name, size, files }: ContextView): string =>
  files === undefined ? name : [name, size, ...files.map(({ path, note }) => `${path}: ${note}`)].join('\n');

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
    ) => html`<li class="chip context ${item.changed === undefined ? '' : 'is-changed'}" title=${titleOf(item)}>
      ${chipContent(item, `sent-${exchangeId}-${index}`, app)} ${omittedList(item, `sent-${exchangeId}-${index}`, app)}
    </li>`,
  )}</ul>`;
}

function chipContent(item: ContextView, id: string, app: PageContext): TemplateResult {
  const { kind, name, size, changed, omitted, omittedCount, files } = item;
  const more = omitted.length === 0 ? '' : app.word('{0} omitted', omittedCount);
  const opens = (text: string) => listButton(text, id, app);
  return html`<span class="codicon codicon-${ICONS[kind]}" aria-hidden="true"></span><span class="chip-name${PATHS.has(kind) ? ' is-path' : ''}"><bdi dir=${PATHS.has(kind) ? 'ltr' : 'auto'}>${name}</bdi></span>
    <span class="chip-facts">${
      files === undefined
        ? html`<span class="chip-size">${size}</span>`
        : opens(more === '' ? size : `${size}, ${more}`)
    }
    ${changed === undefined ? nothing : html`<span class="chip-changed">${changed}</span>`}
    ${more === '' || files !== undefined ? nothing : opens(more)}</span>`;
}

function listButton(text: string, id: string, { isOpen, toggle }: PageContext): TemplateResult {
  return html`<button type="button" class="link-button" aria-expanded=${isOpen(id, false)} @click=${() => toggle(id, false)}>${text}</button>`;
}

/** A path that can wrap at its slashes. */
const breakable = (path: string) =>
  path.split('/').map((part, at) => (at === 0 ? part : html`/<wbr>${part}`));

/** The list of omitted content, below the files of instructions, which open on a click. */
function omittedList(
  { name, omitted, omittedCount, files = [] }: ContextView,
  id: string,
  { isOpen, word, post }: PageContext,
): TemplateResult | typeof nothing {
  if (omitted.length + files.length === 0 || !isOpen(id, false)) return nothing;
  const label = files.length === 0 ? word('{0} omitted', omittedCount) : name;
  return html`<ul class="omitted" tabindex="0" aria-label=${label}>${files.map(
    ({ path, note }) =>
      html`<li><button type="button" class="link-button" @click=${() => post({ type: 'open-path', path })}>${breakable(path)}</button> ${note}</li>`,
  )}${omitted.map((line) => html`<li>${line}</li>`)}</ul>`;
}

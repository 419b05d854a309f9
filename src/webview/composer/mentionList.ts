/** The list of suggestions above the message box. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ContextChoice } from '../../panel/context.ts';
import type { PanelWord } from '../../panel/words.ts';
import type { Mention } from './mentionText.ts';

export interface MentionList {
  /** The sign that has opened the list: `@` lists context, `/` lists commands and prompts. */
  readonly sign: Mention['sign'];
  readonly choices: readonly ContextChoice[];
  /** The index of the active choice; -1 if there is none. A choice about a problem with a setting is only reached with the arrow keys. */
  readonly active: number;
  /** The results for the current text have not arrived. */
  readonly looking: boolean;
}

const NAMES = { '@': 'Files, folders, and more', '/': 'Commands and prompts' } as const;

export const MENTION_LIST = 'mention-list';
export const optionId = (index: number) => `mention-${index}`;

export function mentionTemplate(
  list: MentionList | undefined,
  choose: (index: number) => void,
  word: (key: PanelWord) => string,
): TemplateResult | typeof nothing {
  if (list === undefined) return nothing;
  return html`<div class="mentions" id=${MENTION_LIST} role="listbox" tabindex="0" aria-label=${word(NAMES[list.sign])} aria-busy=${list.looking}
    @mousedown=${(event: MouseEvent) => event.preventDefault()}>
    ${list.choices.length === 0 ? html`<div class="mention-empty">${word('Searching…')}</div>` : nothing}
    ${list.choices.map(
      (
        { label, description, icon, action },
        index,
      ) => html`<div class="mention ${index === list.active ? 'is-active' : ''} ${action ? 'is-note' : ''}" role="option" id=${optionId(index)}
        aria-selected=${index === list.active} title=${description === '' ? label : `${label} — ${description}`} @click=${() => choose(index)}>
        <span class="codicon codicon-${icon}" aria-hidden="true"></span><span class="mention-label">${label}</span><span class="mention-description">${description}</span>
      </div>`,
    )}
  </div>`;
}

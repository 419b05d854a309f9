import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { Surroundings } from '../../panel/surroundings.ts';
import { firstClick } from '../base/firstClick.ts';
import type { ComposerContext } from './composerContext.ts';
import { contextChips, instructionsChip } from './contextChips.ts';
import { onDragLeave, onDragOver, onDrop, onPaste, rejectedImagesTemplate } from './imageDrop.ts';
import { MENTION_LIST, mentionTemplate, optionId } from './mentionList.ts';
import { canStop, flushDraft, maySend, onBlur, onCursor, onInput, onKey, stop } from './messageBoxKeys.ts';

/** The click count of the second click of a double-click, which is ignored: Stop appears in the place of Send. */
const SECOND = 2;

/** The message box, with its attachments, queue, and buttons. */
export function composerTemplate(around: Surroundings, context: ComposerContext): TemplateResult {
  const { word, post, draft } = context;
  const text = draft();
  const canSend = maySend(around, text);
  const mentioning = context.mentions.list();
  return html`<div class="composer" @dragover=${onDragOver} @dragleave=${onDragLeave} @drop=${(event: DragEvent) => onDrop(event, context)}>
    <div class="above-box">
    ${around.refusal === undefined ? nothing : html`<div class="refusal" role="alert"><span class="codicon codicon-error" aria-hidden="true"></span>${around.refusal}</div>`}
    ${rejectedImagesTemplate(around, context)}
    ${queueTemplate(around, context)}
    </div>
    <div class="entry">
    ${mentionTemplate(mentioning, context.mentions.choose, word)}
    ${openFileChip(around, context)}
    ${attachmentsTemplate(around, context)}
    <div class="box">
      <div class="drop-hint" aria-hidden="true"><span class="codicon codicon-add"></span>${word('Drop to add to message')}</div>
      <textarea rows="1" dir="auto" aria-label=${word('Message')} aria-autocomplete="list" aria-haspopup="listbox"
        aria-controls=${mentioning === undefined ? nothing : MENTION_LIST} aria-activedescendant=${mentioning?.choices[mentioning.active] === undefined ? nothing : optionId(mentioning.active)}
        @keyup=${(event: Event) => onCursor(event, context)} @click=${(event: Event) => onCursor(event, context)} @blur=${() => onBlur(context)}
        placeholder=${word('Ask svc-k3')} .value=${live(text)}
        @input=${(event: InputEvent) => onInput(event, context)}
        @paste=${(event: ClipboardEvent) => onPaste(event, context, () => flushDraft(context))}
        @keydown=${(event: KeyboardEvent) => onKey(event, around, context)}></textarea>
      <div class="tools">
        <div class="options" role="toolbar" aria-label=${word('Message options')}>
        <button type="button" class="icon-button" aria-label=${word('Attach')} title=${word('Attach')} @click=${firstClick(() => post({ type: 'attach' }))}><span class="codicon codicon-attach"></span></button>
        <button type="button" class="icon-button" aria-label=${word('Add context')} title=${word('Add context: type @, or hold Shift and drop files here')} @click=${() => context.mentions.begin()}><span class="codicon codicon-mention"></span></button>
        <button type="button" class="text-button" aria-label=${word('Effort')} data-value=${(around.effortOfPreset ? undefined : around.effort) ?? nothing} aria-description=${around.effort ?? nothing} title=${withHint(word('Effort: how much the model reasons'), around.effortHint)} @click=${() => post({ type: 'pick-effort' })}>
          <span class="codicon codicon-dashboard" aria-hidden="true"></span>
        </button>
        ${formatButton(around, context)}
        ${presetButton(around, context)}
        <button type="button" class="text-button" aria-label=${word('Tools')} data-value=${around.tools === 0 ? nothing : around.tools} aria-description=${withHint(word('{0, plural, one {# tool} other {# tools}}', around.tools), around.toolsHint)} title=${withHint(word('Tools that the model can use: {0}', around.tools), around.toolsHint)} @click=${() => post({ type: 'pick-tools' })}>
          <span class="codicon codicon-tools" aria-hidden="true"></span>
        </button>
        ${around.route === undefined ? nothing : html`<button type="button" class="text-button route" title=${word('Switch route: {0}', around.route.name)} @click=${() => post({ type: 'action', action: 'switch-route', turnId: undefined })}><span>${around.route.label}</span></button>`}
        </div>
        <span class="ends">${meterTemplate(around, context)}
        ${canStop(around, context) ? html`<button type="button" class="icon-button stop" aria-label=${word('Stop')} title=${word('Stop (Escape)')} @click=${({ detail }: MouseEvent) => detail !== SECOND && stop(around, context)}><span class="codicon codicon-debug-stop"></span></button>` : nothing}
        ${
          around.running && !canSend
            ? nothing
            : html`<button type="button" class="icon-button send" aria-label=${word('Send')} title=${word('Send (Enter)')} ?disabled=${!canSend} @click=${firstClick(context.send)}><span class="codicon codicon-send"></span></button>`
        }</span>
      </div>
    </div>
    </div>
  </div>`;
}

/** Adds a hint as a second line of a tooltip. */
const withHint = (text: string, hint: string) => (hint === '' ? text : `${text}\n${hint}`);

function formatButton(
  { answerFormat, formatHint }: Surroundings,
  { word, post }: ComposerContext,
): TemplateResult {
  const name = word('Answer format');
  return html`<button type="button" class="text-button format" aria-label=${name} data-value=${answerFormat ?? nothing} title=${withHint(`${word('Answer format: text or JSON')} (${answerFormat ?? word('Text')})`, formatHint)} aria-description=${answerFormat === undefined ? nothing : withHint(answerFormat, formatHint)}
    @click=${() => post({ type: 'pick-format' })}><span class="codicon codicon-json" aria-hidden="true"></span></button>`;
}

/** Shows the name of the preset, or only an icon if none is chosen. The icon is a warning if the preset can’t be used. */
function presetButton({ preset }: Surroundings, { word, post }: ComposerContext): TemplateResult {
  const title =
    preset === undefined
      ? word('Preset: instruction, tools, effort, and budget under one name')
      : word('{0}. {1}', `${word('Preset')}: ${preset.name}`, preset.detail);
  return html`<button type="button" class="text-button preset" aria-label=${word('Preset')} data-value=${preset?.name ?? nothing} title=${title} aria-description=${preset === undefined ? nothing : word('{0}. {1}', preset.name, preset.detail)}
    @click=${() => post({ type: 'pick-preset' })}><span class="codicon codicon-${preset?.unusable ? 'warning' : 'settings'}" aria-hidden="true"></span></button>`;
}

/** Messages that were sent while a turn runs. Each can be removed. A paused queue says so, and offers to send or clear it. */
function queueTemplate(
  around: Surroundings,
  { word, post }: ComposerContext,
): TemplateResult | typeof nothing {
  const { queue, queuePaused } = around;
  if (queue.length === 0) return nothing;
  return html`<ul class="attachments queue" role="list" aria-label=${word('Queued messages')}>${queue.map(
    ({ id, text }) => html`<li class="chip" title=${text}>
      <span class="codicon codicon-history" aria-hidden="true"></span><span dir="auto">${text}</span>
      <button type="button" class="icon-button" aria-label=${word('Remove {0}', text)} title=${word('Remove {0}', text)} @click=${firstClick(() => post({ type: 'remove-queued', id }))}><span class="codicon codicon-close"></span></button>
    </li>`,
  )}</ul>
  ${
    queuePaused
      ? html`<div class="queue-state"><span role="status">${word('The queue is paused. Queued messages: {0}', queue.length)}</span>
      ${around.running || around.deleted ? nothing : html`<button type="button" class="link-button" @click=${() => post({ type: 'send-queue' })}>${word('Send now')}</button>`}
      <button type="button" class="link-button" @click=${() => post({ type: 'clear-queue' })}>${word('Clear')}</button></div>`
      : nothing
  }`;
}

function attachmentsTemplate(
  { attachments, context, instructions }: Surroundings,
  app: ComposerContext,
): TemplateResult | typeof nothing {
  const { word, post } = app;
  if (attachments.length === 0 && context.length === 0 && instructions === undefined) return nothing;
  return html`<ul class="attachments" role="list" aria-label=${word('Attachments')}>${attachments.map(
    ({ name, url, note, detail, busy }, index) => html`<li class="chip" title=${detail} aria-busy=${busy}>
      ${url === undefined ? nothing : html`<img src=${url} alt="">`}${busy ? html`<span class="codicon codicon-loading codicon-modifier-spin" aria-hidden="true"></span>` : nothing}
      <span class="chip-words"><span class="chip-name" title=${busy ? nothing : name}>${name}</span>${note === '' ? nothing : html`<span class="hint">${note}</span>`}</span>
      <button type="button" class="icon-button" aria-label=${word('Remove {0}', name)} title=${word('Remove {0}', name)} @click=${firstClick(() => post({ type: 'remove-attachment', name, index }))}><span class="codicon codicon-close"></span></button>
    </li>`,
  )}${contextChips(context, app)}${instructionsChip(instructions, app)}</ul>`;
}

/** Offers to add the open file with one click while nothing was asked. */
function openFileChip(
  { starters, context }: Surroundings,
  { word, post }: ComposerContext,
): TemplateResult | typeof nothing {
  const open = starters.find(({ file }) => file !== undefined);
  if (open === undefined || context.length > 0) return nothing;
  const add = word('Add {0}', open.file ?? '');
  return html`<button type="button" class="chip suggested" aria-label=${add} title=${add} @click=${() => post({ type: 'attach-context', references: [open.reference] })}><span class="codicon codicon-add" aria-hidden="true"></span>${open.file}</button>`;
}

function meterTemplate({ meter }: Surroundings, { word }: ComposerContext): TemplateResult {
  const share = Math.min(1, meter.value / meter.max);
  return html`<span class="meter ${share > 0.8 ? 'is-high' : ''}" role="meter" tabindex="0" aria-label=${word('Context')} aria-valuemin="0"
    aria-valuenow=${meter.value} aria-valuemax=${meter.max} aria-valuetext=${meter.text} title=${meter.text}>
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <circle class="meter-ring" cx="8" cy="8" r="6" />
      <circle class="meter-value" cx="8" cy="8" r="6" pathLength="100" stroke-dasharray="${Math.max(share * 100, meter.value > 0 ? 2 : 0)} 100" transform="rotate(-90 8 8)" />
    </svg>
  </span>`;
}

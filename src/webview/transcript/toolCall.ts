import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { durationText } from '../../panel/durations.ts';
import type { ToolCallView, ToolDecision } from '../../panel/views.ts';
import type { PanelWord } from '../../panel/words.ts';
import { chevron, disclosure } from '../base/disclosure.ts';
import { joinList } from '../base/joinList.ts';
import { messageBoxElement } from '../base/messageBoxElement.ts';
import type { PageContext } from '../base/pageContext.ts';
import type { PlacedCall } from './callRows.ts';

const ICONS = {
  waiting: 'question',
  running: 'loading codicon-modifier-spin',
  done: 'pass',
  refused: 'circle-slash',
  failed: 'error',
  'not-run': 'debug-stackframe-dot',
} as const satisfies Record<ToolCallView['state'], string>;

const DECISIONS: readonly (readonly [PanelWord, ToolDecision])[] = [
  ['Allow once', 'once'],
  ['Allow in this conversation', 'conversation'],
  ['Always allow', 'always'],
  ['Refuse', 'refuse'],
];

/** The IDs of the disclosures of a call and of a group, which is named after its first call. */
const callFold = (turnId: string, { round, index }: PlacedCall) => `call-${turnId}/${round}/${index}`;
const groupFold = (turnId: string, first: PlacedCall) => `calls-${turnId}/${first.round}/${first.index}`;

const isCallOpen = (placed: PlacedCall, turnId: string, { isOpen }: PageContext) =>
  isOpen(callFold(turnId, placed), placed.call.state === 'failed');

/**
 * Finished calls, behind one line. While the group is collapsed, its calls are available to screen readers, but not to the Tab key. It
 * is expanded if one of its calls was expanded before it was a group.
 */
export function callGroupTemplate(
  calls: readonly PlacedCall[],
  turnId: string,
  context: PageContext,
): TemplateResult | typeof nothing {
  const [first] = calls;
  if (first === undefined) return nothing;
  const { word, isOpen, toggle } = context;
  const id = groupFold(turnId, first);
  const byDefault = calls.some((one) => isCallOpen(one, turnId, context));
  const open = isOpen(id, byDefault);
  const name = word('{0, plural, one {Used # tool} other {Used # tools}}', calls.length);
  const show = () => toggle(id, byDefault);
  return html`<div class="tool-group" role="group" aria-label=${name}>
    ${disclosure(open, name, show)}
    <div class=${open ? 'tool-calls' : 'tool-calls unseen'}>${repeat(
      calls,
      ({ round, index }) => `${round}/${index}`,
      (placed) => lineTemplate(placed, turnId, context, open ? undefined : show),
    )}</div>
  </div>`;
}

/** A call that is not in a group. A call that waits for the user is shown completely, with its buttons. */
export function toolCallTemplate(placed: PlacedCall, turnId: string, context: PageContext): TemplateResult {
  return placed.call.state === 'waiting'
    ? waitingTemplate(placed.call, context)
    : lineTemplate(placed, turnId, context, undefined);
}

/** The exact arguments and the approval buttons. */
function waitingTemplate(call: ToolCallView, { word, post }: PageContext): TemplateResult {
  const { name, approval, source, onlyOnce } = call;
  const decisions = DECISIONS.filter(([, one]) => !onlyOnce || one === 'once' || one === 'refuse');
  return html`<div class="tool-call is-waiting" role="group" tabindex="-1" aria-label=${word('Tool call, {0}', name)} data-state="waiting">
    <div class="tool-head">
      <span class="codicon codicon-tools" aria-hidden="true"></span><span class="tool-name">${name}</span>
      <span class="facts"><span class="codicon codicon-${ICONS.waiting}" aria-hidden="true"></span>${call.stateLabel}</span>
    </div>
    ${source ? html`<div class="tool-label">${word('Provided by {0}', source)}</div>` : nothing}
    ${changeTemplate(call, { word, post })}
    <span class="tool-label">${word('Arguments')}</span>
    <pre class="is-whole" tabindex="0" aria-label=${word('Arguments')}>${call.arguments}</pre>
    ${
      approval === undefined
        ? nothing
        : html`<div class="card-actions">${decisions.map(
            ([label, decision], at) =>
              html`<button type="button" class="vscode-button ${at === 0 ? '' : 'secondary'}" @click=${(
                event: MouseEvent,
              ) => {
                // The second click of a double-click can be on the next call, which is in this place by then.
                if (event.detail > 1) return;
                focusAfter(event);
                post({ type: 'tool-decision', approval, decision });
              }}>${word(label)}</button>`,
          )}</div>`
    }
  </div>`;
}

/** Why the user is asked again about a tool that was allowed. */
function changeTemplate(
  { changed, approval }: ToolCallView,
  { word, post }: Pick<PageContext, 'word' | 'post'>,
): TemplateResult | typeof nothing {
  if (changed === undefined || approval === undefined) return nothing;
  return html`<div class="tool-change"><span class="codicon codicon-warning" aria-hidden="true"></span><span>${changed}</span>
    <button type="button" class="link-button" @click=${() => post({ type: 'show-tool-changes', approval })}>${word('Show Changes')}</button></div>`;
}

/** Moves the focus to the next waiting call, or to the message box, because the buttons disappear. */
function focusAfter({ target }: Event): void {
  const card = target instanceof Element ? target.closest('.tool-call') : null;
  const waiting = [...document.querySelectorAll<HTMLElement>('.tool-call[data-state="waiting"]')];
  // Focuses the card instead of its first button, so that pressing the key again allows nothing.
  const next = waiting.find((one) => one !== card);
  (next ?? messageBoxElement())?.focus();
}

/**
 * A call as one line, which expands to its arguments and its result.
 *
 * @param showGroup expands the group around the call; undefined if the call is visible
 */
function lineTemplate(
  placed: PlacedCall,
  turnId: string,
  context: PageContext,
  showGroup: (() => void) | undefined,
): TemplateResult {
  const { call } = placed;
  const { word, toggle } = context;
  const { state, name } = call;
  const open = isCallOpen(placed, turnId, context);
  const took = state === 'running' ? [] : timeOf(call, context);
  const press = () => {
    if (showGroup === undefined || !open) toggle(callFold(turnId, placed), state === 'failed');
    showGroup?.();
  };
  return html`<div class="tool-call" role="group" tabindex="-1" aria-label=${word('Tool call, {0}', name)} data-state=${state} data-call="${placed.round}/${placed.index}">
    <div class="tool-head">
      <button type="button" class="tool-line" tabindex=${showGroup === undefined ? 0 : -1} aria-expanded=${open} aria-label=${[joinList([name, call.title], word), ...took].join(' · ')}
        title=${name} @click=${press}>${chevron(open)}<span class="tool-title">${call.title}</span>${took.map((time) => html`<span class="tool-time"> · ${time}</span>`)}</button>
      ${state === 'done' ? nothing : stateTemplate(call, context)}
      ${state === 'running' && call.startedAt !== undefined ? stopTemplate(call, turnId, context) : nothing}
    </div>
    ${open && showGroup === undefined ? detailsTemplate(placed, turnId, context) : nothing}
  </div>`;
}

/** The state of a call that is not done: how it failed, or how long it has been running. */
function stateTemplate(call: ToolCallView, context: PageContext): TemplateResult {
  const running = call.state === 'running' ? timeOf(call, context) : [];
  return html`<span class="facts"><span class="codicon codicon-${ICONS[call.state]}" aria-hidden="true"></span>${[call.stateLabel, ...running].join(' · ')}</span>`;
}

function stopTemplate(
  { id, name }: ToolCallView,
  turnId: string,
  { word, post }: PageContext,
): TemplateResult {
  const label = word('Stop the call to {0}', name);
  return html`<button type="button" class="icon-button" aria-label=${label} title=${label} @click=${() => post({ type: 'stop-call', turnId, callId: id })}><span class="codicon codicon-debug-stop"></span></button>`;
}

function timeOf({ startedAt, seconds, state }: ToolCallView, { word, now }: PageContext): readonly string[] {
  const running = state === 'running' && startedAt !== undefined;
  const took = running ? Math.floor((now() - startedAt) / 1000) : seconds;
  if (took === undefined || (running && took < 1)) return [];
  return [durationText(took * 1000, word)];
}

/** The arguments, the result, and its images. Arguments and result are shown as text. */
function detailsTemplate(
  { call, round, index }: PlacedCall,
  turnId: string,
  context: PageContext,
): TemplateResult {
  const { word, post } = context;
  const hasResult = call.result !== undefined && call.result !== '';
  return html`<div class="tool-details">
    ${partTemplate('Arguments', call.arguments, context)}
    ${hasResult ? partTemplate('Result', call.result, context) : nothing}
    ${hasResult ? html`<button type="button" class="link-button" @click=${() => post({ type: 'open-result', turnId, round, index })}>${word('Open result')}</button>` : nothing}
    ${
      call.images.length === 0
        ? nothing
        : html`<div class="thumbnails">${call.images.map((url) => html`<img class="thumbnail" src=${url} alt=${word('Result')}>`)}</div>`
    }
  </div>`;
}

const partTemplate = (name: 'Arguments' | 'Result', text: string, { word, paths }: PageContext) =>
  html`<span class="tool-label">${word(name)}</span>
    <pre tabindex="0" aria-label=${word(name)}>${paths(text)}</pre>`;

import { html, nothing, type TemplateResult } from 'lit';
import type { ToolCallView, ToolDecision } from '../panel/views.ts';
import type { PanelWord } from '../panel/words.ts';
import type { AppContext } from './appContext.ts';

/** A result with more lines or characters is collapsed. */
const LONG_LINES = 12;
const LONG_CHARACTERS = 1200;

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

/**
 * A tool call: the exact arguments, the approval buttons, and the result. All of it is shown as text.
 *
 * @param id unique on the page, for the state of disclosures
 */
export function toolCallTemplate(
  call: ToolCallView,
  id: string,
  turnId: string,
  context: AppContext,
): TemplateResult {
  const { word, post } = context;
  const { state, name, approval } = call;
  return html`<div class="tool-call" role="group" tabindex="-1" aria-label=${word('Tool call, {0}', name)} data-state=${state}>
    <div class="tool-head">
      <span class="codicon codicon-tools" aria-hidden="true"></span><span class="tool-name">${name}</span>
      <span class="facts"><span class="codicon codicon-${ICONS[state]}" aria-hidden="true"></span>${[call.stateLabel, ...timeOf(call, context)].join(' · ')}</span>
      ${state === 'running' ? stopTemplate(call, turnId, context) : nothing}
    </div>
    ${!call.source ? nothing : html`<div class="tool-label">${word('Provided by {0}', call.source)}</div>`}
    ${partTemplate('Arguments', call.arguments, `arguments-${id}`, state === 'waiting', context)}
    ${
      approval !== undefined
        ? html`<div class="card-actions">${DECISIONS.map(
            ([label, decision], at) =>
              html`<button type="button" class="vscode-button ${at === 0 ? '' : 'secondary'}" @click=${(
                event: Event,
              ) => {
                focusAfter(event);
                post({ type: 'tool-decision', approval, decision });
              }}>${word(label)}</button>`,
          )}</div>`
        : nothing
    }
    ${call.result === undefined || call.result === '' ? nothing : partTemplate('Result', call.result, `result-${id}`, false, context)}
    ${
      call.images.length === 0
        ? nothing
        : html`<div class="thumbnails">${call.images.map((url) => html`<img class="thumbnail" src=${url} alt=${word('Result')}>`)}</div>`
    }
  </div>`;
}

/** Moves the focus to the next waiting call, or to the message box, because the buttons disappear. */
function focusAfter({ target }: Event): void {
  const card = target instanceof Element ? target.closest('.tool-call') : null;
  const waiting = [...document.querySelectorAll<HTMLElement>('.tool-call[data-state="waiting"]')];
  // The card instead of its first button, so that pressing the key again allows nothing.
  const next = waiting.find((one) => one !== card);
  (next ?? document.querySelector<HTMLElement>('.composer textarea'))?.focus();
}

function stopTemplate(
  { id, name }: ToolCallView,
  turnId: string,
  { word, post }: AppContext,
): TemplateResult {
  const label = word('Stop the call to {0}', name);
  return html`<button type="button" class="icon-button" aria-label=${label} title=${label} @click=${() => post({ type: 'stop-call', turnId, callId: id })}><span class="codicon codicon-debug-stop"></span></button>`;
}

function timeOf({ startedAt, seconds, state }: ToolCallView, { word, now }: AppContext): readonly string[] {
  const running = state === 'running' && startedAt !== undefined;
  const took = running ? Math.floor((now() - startedAt) / 1000) : seconds;
  if (took === undefined || (running && took < 1)) return [];
  return [word('{0} s', took.toLocaleString(undefined, { maximumFractionDigits: took < 10 ? 1 : 0 }))];
}

/** The arguments or the result. Arguments that wait for an approval are shown completely. */
function partTemplate(
  name: 'Arguments' | 'Result',
  text: string,
  id: string,
  whole: boolean,
  { word, isOpen, toggle, paths }: AppContext,
): TemplateResult {
  const long =
    !whole && (text.length > LONG_CHARACTERS || text.split('\n', LONG_LINES + 1).length > LONG_LINES);
  const open = !long || isOpen(id, false);
  return html`<div class="tool-part">
    ${
      long
        ? html`<button type="button" class="disclosure" aria-expanded=${open} @click=${() => toggle(id, false)}><span class="codicon ${open ? 'codicon-chevron-down' : 'codicon-chevron-right'}" aria-hidden="true"></span>${word(name)}</button>`
        : html`<span class="tool-label">${word(name)}</span>`
    }
    <pre class=${whole ? 'is-whole' : ''} tabindex="0" aria-label=${word(name)} ?hidden=${!open}>${open && !whole ? paths(text) : text}</pre>
  </div>`;
}

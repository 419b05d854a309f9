/** Structured answers: a tree of values, or the text as it was received, with errors at their values. */
import { html, nothing, render, type TemplateResult } from 'lit';
import { type JsonNode, readJsonText } from '../panel/jsonText.ts';
import type { WebviewMessage } from '../panel/messages.ts';
import type { StructuredView, TurnText, TurnView } from '../panel/views.ts';
import type { AppContext } from './appContext.ts';
import { highlightSoon } from './highlight.ts';
import { rowTemplate } from './jsonRow.ts';
import {
  ancestorsOf,
  isOpenAtFirst,
  type JsonRow,
  nearestRow,
  stepOf,
  toRows,
  windowOf,
} from './jsonRows.ts';

export interface JsonViews {
  /** The element for the current answer of a turn. */
  readonly show: (turn: TurnView & TurnText) => HTMLElement;
}

export interface JsonViewsDeps {
  readonly post: (message: WebviewMessage) => void;
  readonly word: AppContext['word'];
  /** The user expands or collapses something, so the transcript must not scroll. */
  readonly hold: () => void;
}

/** The number of rows on the page. Large answers are shown in windows of this size. */
const MOST_ROWS = 300;

/** The views keep what is expanded and selected until the page is closed. */
export function createJsonViews(deps: JsonViewsDeps): JsonViews {
  const views = new Map<string, ReturnType<typeof createJsonView>>();
  return {
    show(turn) {
      const view = views.get(turn.id) ?? createJsonView(turn.id, deps);
      views.set(turn.id, view);
      if (turn.structured !== undefined) view.show(turn.structured, turn.answer);
      return view.element;
    },
  };
}

interface Shown {
  readonly view: StructuredView;
  readonly text: string;
  /** Undefined when there is no tree, because the text is not JSON or not complete. */
  readonly root: JsonNode | undefined;
}

function createJsonView(turnId: string, { post, word, hold }: JsonViewsDeps) {
  const element = document.createElement('div');
  element.className = 'structured';
  element.dataset['part'] = 'answer';
  element.setAttribute('role', 'group');
  let shown: Shown = { view: EMPTY, text: '', root: undefined };
  let code: HTMLElement | undefined;
  let asText = false;
  let active = '';
  let from = 0;
  let rows: readonly JsonRow[] = [];
  /** By pointer: what the user expanded or collapsed, and the ancestors of errors. */
  const open = new Map<string, boolean>();

  function show(view: StructuredView, text: string): void {
    if (view === shown.view && text === shown.text) return;
    if (text !== shown.text || view.brokenAt !== shown.view.brokenAt) code = undefined;
    const whole = view.state !== 'cut' && view.state !== 'not-json';
    const read = whole ? readJsonText(text) : undefined;
    for (const { pointer } of view.errors)
      for (const around of ancestorsOf(pointer)) if (!open.has(around)) open.set(around, true);
    shown = { view, text, root: read?.ok === true ? read.root : undefined };
    element.setAttribute('aria-label', word('Structured answer, {0}', view.name));
    element.dataset['state'] = view.state;
    draw();
  }

  function draw(focus = false): void {
    const { view, root } = shown;
    rows =
      root === undefined ? [] : toRows(root, (pointer, level) => open.get(pointer) ?? isOpenAtFirst(level));
    active = rows[nearestRow(rows, active)]?.pointer ?? '';
    const tree = root !== undefined && !asText;
    render(
      html`${headTemplate(tree)}${statusTemplate(view)}${errorsTemplate(view)}${tree ? treeTemplate(view) : codeElement()}`,
      element,
    );
    if (focus) focusRow(element.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]'));
  }

  /** Draws after an action of the user. */
  function redraw(focus = false): void {
    hold();
    draw(focus);
  }

  function headTemplate(tree: boolean): TemplateResult {
    const { view, root } = shown;
    const toggle = (name: 'Tree' | 'Text', pressed: boolean) =>
      html`<button type="button" class="text-button" aria-pressed=${pressed} @click=${() => {
        asText = name === 'Text';
        redraw();
      }}>${word(name)}</button>`;
    return html`<div class="code-head structured-head">
      <span class="codicon codicon-json" aria-hidden="true"></span><span class="code-language" title=${view.name}>${view.name}</span>
      ${root === undefined ? nothing : html`${toggle('Tree', tree)}${toggle('Text', !tree)}`}
      <button type="button" class="icon-button" aria-label=${word('Copy')} title=${word('Copy')} @click=${() => post({ type: 'copy', turnId })}><span class="codicon codicon-copy"></span></button>
      <button type="button" class="icon-button" aria-label=${word('Save as…')} title=${word('Save as…')} @click=${() => post({ type: 'structured', action: 'save', turnId })}><span class="codicon codicon-save-as"></span></button>
    </div>`;
  }

  function statusTemplate({ state, summary, repairable }: StructuredView): TemplateResult {
    const wrong = state === 'differs' || state === 'not-json';
    const icon = wrong ? 'error' : state === 'fits' ? 'pass' : 'info';
    return html`<div class="structured-status" role=${wrong ? 'alert' : 'status'}>
      <span class="codicon codicon-${icon}" aria-hidden="true"></span><span class="structured-summary">${summary}</span>
      ${repairable ? html`<button type="button" class="vscode-button" @click=${() => post({ type: 'structured', action: 'repair', turnId })}>${word('Ask for correction')}</button>` : nothing}
    </div>`;
  }

  function errorsTemplate({ errors }: StructuredView): TemplateResult | typeof nothing {
    if (errors.length === 0) return nothing;
    return html`<ul class="structured-errors" role="list" aria-label=${word('Errors')}>${errors.map(
      ({ pointer, message }) =>
        html`<li><button type="button" class="link-button" @click=${() => reveal(pointer)}><bdi class="json-pointer">${pointer === '' ? word('Entire answer') : pointer}</bdi> ${message}</button></li>`,
    )}</ul>`;
  }

  function treeTemplate(view: StructuredView): TemplateResult {
    const at = nearestRow(rows, active);
    from = windowOf(from, from, rows.length, MOST_ROWS);
    const later = Math.max(0, rows.length - from - MOST_ROWS);
    const messages = Map.groupBy(
      view.errors,
      ({ pointer }) => rows[nearestRow(rows, pointer)]?.pointer ?? '',
    );
    const page = (by: number) => () => {
      from = windowOf(from + by, from + by, rows.length, MOST_ROWS);
      active = rows[from]?.pointer ?? '';
      redraw();
    };
    // Only one row can be reached by Tab. It has to be on the page.
    const reachable = at >= from && at < from + MOST_ROWS ? at : from;
    return html`<div class="json-box">
      ${from === 0 ? nothing : html`<button type="button" class="link-button" @click=${page(-MOST_ROWS)}>${word('Show {0} earlier values', from)}</button>`}
      <div class="json-tree" role="tree" aria-label=${view.name} @keydown=${onKey} @click=${onClick}>${rows
        .slice(from, from + MOST_ROWS)
        .map((row, index) =>
          rowTemplate(
            row,
            index,
            shown.text,
            (messages.get(row.pointer) ?? []).map(({ message }) => message),
            from + index === reachable,
          ),
        )}</div>
      ${later === 0 ? nothing : html`<button type="button" class="link-button" @click=${page(MOST_ROWS)}>${word('Show {0} more values', later)}</button>`}
    </div>`;
  }

  /** Created once per text, because highlighting comes later and would be lost. */
  function codeElement(): HTMLElement {
    code ??= createCode(shown.text, shown.view.brokenAt);
    return code;
  }

  function goTo(pointer: string): void {
    active = pointer;
    const at = nearestRow(rows, pointer);
    from = windowOf(from, at, rows.length, MOST_ROWS);
    redraw(true);
  }

  function reveal(pointer: string): void {
    asText = false;
    for (const around of ancestorsOf(pointer)) open.set(around, true);
    draw();
    goTo(pointer);
  }

  function onKey(event: KeyboardEvent): void {
    const at = nearestRow(rows, active);
    const row = rows[at];
    if (row === undefined || event.altKey || event.shiftKey) return;
    if (event.ctrlKey || event.metaKey) {
      const copies = event.key.toLowerCase() === 'c' && (getSelection()?.isCollapsed ?? true);
      if (copies) post({ type: 'copy-text', text: shown.text.slice(row.node.from, row.node.to) });
      return;
    }
    const step = stepOf(rows, at, event.key);
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step.kind === 'go') goTo(rows[step.to]?.pointer ?? '');
    else {
      open.set(step.pointer, step.kind === 'open');
      redraw(true);
    }
  }

  function onClick({ target }: Event): void {
    const item = target instanceof Element ? target.closest<HTMLElement>('[role="treeitem"]') : null;
    const row = rows[from + Number(item?.dataset['row'] ?? Number.NaN)];
    // Selecting text to copy it is not a click.
    if (row === undefined || getSelection()?.isCollapsed === false) return;
    if (row.open !== undefined) open.set(row.pointer, !row.open);
    active = row.pointer;
    redraw(true);
  }

  return { element, show };
}

const EMPTY: StructuredView = {
  name: '',
  state: 'running',
  summary: '',
  errors: [],
  brokenAt: undefined,
  repairable: false,
};

function createCode(text: string, brokenAt: number | undefined): HTMLElement {
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.className = 'json-text';
  const code = document.createElement('code');
  pre.append(code);
  if (brokenAt === undefined) {
    code.dataset['language'] = 'json';
    code.textContent = text;
    highlightSoon(pre);
    return pre;
  }
  const mark = document.createElement('mark');
  // At the end of the text or of a line there is nothing to mark, so a space is added.
  mark.textContent = text.slice(brokenAt, brokenAt + 1).replace(/^[\r\n]?$/, ' $&');
  code.append(text.slice(0, brokenAt), mark, text.slice(brokenAt + 1));
  return pre;
}

/** Focuses a row, and scrolls to its value, which is further right in a deep row. */
function focusRow(row: HTMLElement | null): void {
  row?.focus();
  row?.querySelector('.json-line')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

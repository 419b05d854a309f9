/** Structured answers: a tree of values, or the text as it was received, with errors at their values. */
import { html, render, type TemplateResult } from 'lit-html';
import { readJsonText } from '../../panel/jsonText.ts';
import type { StructuredView, TurnText, TurnView } from '../../panel/views.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { PageContext } from '../base/pageContext.ts';
import { highlight } from '../text/highlight.ts';
import { createExpandedValues } from './expandedValues.ts';
import { createCode } from './jsonCode.ts';
import { errorsTemplate, headTemplate, statusTemplate } from './jsonHead.ts';
import { focusRow } from './jsonRow.ts';
import { createJsonTree, type JsonTree, rowStepOf, windowOf } from './jsonRows.ts';
import { windowTemplate } from './jsonWindow.ts';

export interface JsonViews {
  /** The element for the current answer of a turn. */
  readonly show: (turn: TurnView & TurnText) => HTMLElement;
  /** Shows the answer of a turn as text, because the tree contains only the expanded values. */
  readonly showText: (turnId: string) => void;
}

export interface JsonViewsDeps {
  readonly post: (message: WebviewMessage) => void;
  readonly word: PageContext['word'];
  /** Keeps the transcript from scrolling when the user expands or collapses something. */
  readonly hold: () => void;
}

/** The maximum number of rows on the page. Large answers are shown in windows, which are small enough to be drawn within a frame. */
const MOST_ROWS = 100;

/** Creates the views. Each keeps its expanded values and its active row until the page is closed. */
export function createJsonViews(deps: JsonViewsDeps): JsonViews {
  const views = new Map<string, ReturnType<typeof createJsonView>>();
  return {
    show(turn) {
      const view = views.get(turn.id) ?? createJsonView(turn.id, deps);
      views.set(turn.id, view);
      if (turn.structured !== undefined) view.show(turn.structured, turn.answer);
      return view.element;
    },
    showText: (turnId) => views.get(turnId)?.showText(),
  };
}

interface Shown {
  readonly view: StructuredView;
  readonly text: string;
  /** Undefined if the text is not JSON or not complete. */
  readonly tree: JsonTree | undefined;
  /** The value of each error, or its nearest ancestor that exists. */
  readonly wrong: readonly number[];
}

function createJsonView(turnId: string, { post, word, hold }: JsonViewsDeps) {
  const element = document.createElement('div');
  element.className = 'structured';
  element.dataset['part'] = 'answer';
  element.setAttribute('role', 'group');
  let shown: Shown = { view: EMPTY, text: '', tree: undefined, wrong: [] };
  let code: HTMLElement | undefined;
  let asText = false;
  /** The number of the value that can be reached by Tab. */
  let active = 0;
  let from = 0;
  const expanded = createExpandedValues();
  const actions = {
    copy: () => post({ type: 'copy', turnId }),
    save: () => post({ type: 'structured', action: 'save', turnId }),
    repair: () => post({ type: 'structured', action: 'repair', turnId }),
  };

  function show(view: StructuredView, text: string): void {
    if (view === shown.view && text === shown.text) return;
    if (text !== shown.text || view.brokenAt !== shown.view.brokenAt) code = undefined;
    const tree = treeOf(view, text);
    const wrong = tree === undefined ? [] : view.errors.map(({ pointer }) => tree.find(pointer));
    shown = { view, text, tree, wrong };
    if (tree !== undefined) for (const value of wrong) expanded.showValue(tree, value, false);
    element.setAttribute('aria-label', word('Structured answer, {0}', view.name));
    element.dataset['state'] = view.state;
    draw();
  }

  /** The tree of an answer. If the text is the same, the earlier tree. */
  function treeOf({ state }: StructuredView, text: string): JsonTree | undefined {
    if (state === 'cut' || state === 'not-json') return undefined;
    if (shown.tree !== undefined && text === shown.text) return shown.tree;
    const read = readJsonText(text);
    if (!read.ok) return undefined;
    const tree = createJsonTree(read.root);
    active = shown.tree === undefined ? 0 : tree.find(shown.tree.pointerOf(active));
    expanded.restore(tree);
    return tree;
  }

  function draw(focus = false): void {
    const { view, tree } = shown;
    active = tree?.row(tree.rowOf(active))?.value ?? 0;
    const asTree = asText ? undefined : tree;
    const head = tree === undefined ? undefined : { isTree: asTree !== undefined, showAs };
    render(
      html`${headTemplate(view.name, head, actions, word)}${statusTemplate(view, actions, word)}${errorsTemplate(view, showError, word)}${asTree ? treeTemplate(asTree) : codeElement()}`,
      element,
    );
    if (focus) focusRow(element.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]'));
  }

  function showAs(name: 'Tree' | 'Text'): void {
    asText = name === 'Text';
    redraw();
  }

  const showError = (index: number) => reveal(shown.wrong[index] ?? 0);

  /** Draws after an action of the user. */
  function redraw(focus = false): void {
    hold();
    draw(focus);
  }

  function treeTemplate(tree: JsonTree): TemplateResult {
    from = windowOf(from, from, tree.rowCount(), MOST_ROWS);
    const page = (by: number) => {
      from = windowOf(from + by, from + by, tree.rowCount(), MOST_ROWS);
      active = tree.row(from)?.value ?? 0;
      // Focuses the row, because the button may be gone.
      redraw(true);
    };
    return windowTemplate(
      { ...shown, tree },
      { from, most: MOST_ROWS, active },
      { page, onKey, onClick },
      word,
    );
  }

  /** Created once per text, because highlighting is added later and would be lost. */
  function codeElement(): HTMLElement {
    code ??= createCode(shown.text, shown.view.brokenAt);
    return code;
  }

  function goTo(tree: JsonTree, at: number): void {
    active = tree.row(at)?.value ?? 0;
    from = windowOf(from, at, tree.rowCount(), MOST_ROWS);
    redraw(true);
  }

  function reveal(value: number): void {
    const { tree } = shown;
    if (tree === undefined) return;
    asText = false;
    expanded.showValue(tree, value, true);
    // The tree may not be drawn yet, and then has no row to focus.
    draw();
    goTo(tree, tree.rowOf(value));
  }

  function onKey(event: KeyboardEvent): void {
    const { tree, text } = shown;
    const at = tree?.rowOf(active) ?? 0;
    const row = tree?.row(at);
    if (tree === undefined || row === undefined || event.defaultPrevented) return;
    if (event.altKey || event.shiftKey) return;
    if (event.ctrlKey || event.metaKey) {
      const copies = event.key.toLowerCase() === 'c' && (getSelection()?.isCollapsed ?? true);
      if (copies) post({ type: 'copy-text', text: text.slice(row.node.from, row.node.to) });
      return;
    }
    const step = rowStepOf(tree, at, event.key);
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step.kind === 'go') goTo(tree, step.to);
    else {
      expanded.set(tree, step.value, step.kind === 'open');
      redraw(true);
    }
  }

  function onClick({ target }: Event): void {
    const item = target instanceof Element ? target.closest<HTMLElement>('[role="treeitem"]') : null;
    const value = item?.dataset['value'];
    const { tree } = shown;
    const row = value === undefined ? undefined : tree?.row(tree.rowOf(Number(value)));
    // Selecting text to copy it is not a click.
    if (tree === undefined || row === undefined || getSelection()?.isCollapsed === false) return;
    if (row.open !== undefined) expanded.set(tree, row.value, !row.open);
    active = row.value;
    redraw(true);
  }

  function showText(): void {
    asText = true;
    redraw();
    // At once, because highlighting it later would remove the marks of the search.
    const text = codeElement().querySelector<HTMLElement>('code[data-language]:not([data-highlighted])');
    if (text !== null) highlight(text);
  }

  return { element, show, showText };
}

const EMPTY: StructuredView = {
  name: '',
  state: 'running',
  summary: '',
  errors: [],
  brokenAt: undefined,
  repairable: false,
};

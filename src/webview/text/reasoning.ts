/**
 * Reasoning as Markdown, in the same steps as in the Reasoning view. Only the last step is drawn; a finished step is rendered once and
 * never changes. Each step folds to its first line. The folded text stays on the page, so that it can be searched.
 */
import { createReasoningSteps } from '../../panel/reasoningSteps.ts';
import { createMarkdownElement } from './answer.ts';
import type { MarkdownIt } from './markdown.ts';
import type { TextElement } from './streamingTexts.ts';

export interface StepFolds {
  isFolded(step: number): boolean;
  toggle(step: number): void;
  /** The name of the button that folds a step. */
  name(step: number, title: string): string;
  /** The context of the step for the editor's context menu. */
  menu(step: number): unknown;
}

interface StepElement {
  readonly shown: TextElement;
  readonly button: HTMLButtonElement;
  /** White space at the end of the text, which Markdown leaves out. */
  gap: string;
}

export function createReasoningElement(
  md: MarkdownIt,
  onFinished: (blocks: readonly Element[]) => void,
  folds: StepFolds,
): TextElement {
  const element = document.createElement('div');
  element.dataset['part'] = 'reasoning';
  element.className = 'reasoning-text';
  element.addEventListener('keydown', (event) => moveFocus(element, event));
  const steps = createReasoningSteps();
  let waiting = '';
  let last: StepElement | undefined;
  let count = 0;

  function add(texts: ReturnType<typeof steps.append>): void {
    for (const { step, text } of texts) {
      if (last === undefined || step >= count) begin();
      last?.shown.append(text);
      if (last !== undefined) last.gap = spaceAtEnd(text.trim() === '' ? last.gap + text : text);
    }
    nameLast();
  }

  function nameLast(): void {
    if (last === undefined) return;
    const name = folds.name(count - 1, steps.title(count - 1));
    last.button.ariaLabel = name;
    last.button.title = name;
  }

  function begin(): void {
    nameLast();
    end();
    last = createStep(createMarkdownElement(md, onFinished), count, folds);
    element.append(last.button.parentElement ?? last.button);
    count++;
  }

  function end(): void {
    if (last === undefined) return;
    last.shown.finish();
    // Restores the white space, so that the text of the page is that of the reasoning without markup.
    const body = last.shown.element;
    const end = body.querySelector(':scope > .answer-group:nth-last-child(2)')?.lastChild;
    if (end instanceof Text && end.data.trim() === '') end.remove();
    body.parentElement?.after(last.gap);
  }

  return {
    element,
    append(text) {
      waiting += text;
    },
    draw() {
      add(steps.append(waiting));
      waiting = '';
      last?.shown.draw();
    },
    finish() {
      add([...steps.append(waiting), ...steps.finish()]);
      waiting = '';
      end();
      last = undefined;
    },
  };
}

function createStep(shown: TextElement, step: number, folds: StepFolds): StepElement {
  const element = document.createElement('div');
  element.className = 'step';
  element.dataset['vscodeContext'] = JSON.stringify(folds.menu(step));
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'step-fold';
  // One tab stop; the arrow keys move to the others.
  button.tabIndex = step === 0 ? 0 : -1;
  const icon = document.createElement('span');
  button.append(icon);
  shown.element.classList.add('step-body');
  element.append(button, shown.element);
  const show = () => {
    const folded = folds.isFolded(step);
    element.classList.toggle('is-folded', folded);
    button.ariaExpanded = String(!folded);
    icon.className = `codicon codicon-chevron-${folded ? 'right' : 'down'}`;
  };
  button.addEventListener('click', () => {
    folds.toggle(step);
    show();
  });
  show();
  return { shown, button, gap: '' };
}

/** Moves to the button of another step with the arrow keys, Home, and End. */
function moveFocus(element: HTMLElement, event: KeyboardEvent): void {
  const buttons = [...element.querySelectorAll<HTMLElement>('.step-fold')];
  if (event.defaultPrevented) return;
  const at = event.target instanceof HTMLElement ? buttons.indexOf(event.target) : -1;
  if (at === -1) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  const next = to === undefined ? undefined : buttons[to];
  if (next === undefined) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

function spaceAtEnd(text: string): string {
  return text.slice(text.trimEnd().length);
}

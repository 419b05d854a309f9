/** Draws the panel and appended text, at most once in a frame. No other code draws. */
import { render, type TemplateResult } from 'lit-html';
import type { PanelState } from '../../panel/panelState.ts';
import { MESSAGE_BOX } from '../base/messageBoxElement.ts';
import { setTabStops } from '../base/roving.ts';
import type { StreamingTexts } from '../text/streamingTexts.ts';
import type { AutoScroll } from './autoScroll.ts';
import { focusWhenHere, keepFocus } from './focusKeeper.ts';

export interface Drawing {
  /** Draws everything in the next frame. */
  schedule(): void;
  /** Draws everything at once, so that the next key goes to the right content. */
  now(): void;
  /** Draws only appended text, in the next frame. */
  scheduleTexts(): void;
}

export interface DrawingDeps {
  readonly root: HTMLElement;
  readonly texts: Pick<StreamingTexts, 'waiting' | 'draw' | 'laidOut'>;
  readonly autoScroll: Pick<AutoScroll, 'drawInPlace' | 'attach' | 'contentGrew'>;
  panel(): PanelState | undefined;
  template(panel: PanelState): TemplateResult;
  /** Called when everything was drawn. */
  onDrawn(): void;
}

export function createDrawing({ root, texts, autoScroll, ...deps }: DrawingDeps): Drawing {
  const messageBox = () => root.querySelector<HTMLElement>(MESSAGE_BOX);
  /** Whether a frame is requested. With `changed`, it also draws everything around the texts. */
  let scheduled = false;
  let changed = false;

  function scheduleTexts(): void {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(draw);
  }

  function draw(): void {
    scheduled = false;
    const panel = deps.panel();
    if (panel === undefined) return;
    const around = changed;
    changed = false;
    if (around || texts.waiting() === 'due') {
      autoScroll.drawInPlace(() => {
        if (around) keepFocus(() => render(deps.template(panel), root), messageBox);
        if (texts.waiting() === 'due') texts.draw();
      });
      if (around) autoScroll.attach(root.querySelector<HTMLElement>('.log'));
      // This measures the page, so its layout is done afterwards.
      autoScroll.contentGrew();
      texts.laidOut();
      if (around) {
        setTabStops(root);
        deps.onDrawn();
      }
    }
    if (texts.waiting() !== 'nothing') scheduleTexts();
  }

  return {
    schedule() {
      changed = true;
      scheduleTexts();
    },
    now() {
      changed = true;
      draw();
    },
    scheduleTexts,
  };
}

/** Runs a function after the next drawing, which may create the element that the function needs. */
export function afterDrawing(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}

/**
 * Focuses an element that the next drawing may create, once the page has the focus. Not if the find bar is opened in the meantime,
 * which is drawn at once.
 *
 * @param when `focusUnlessMoved` if the request can be late
 */
export function focusBox(selector: string, when = focusWhenHere): void {
  const before = document.activeElement;
  afterDrawing(() =>
    when(() => {
      const now = document.activeElement;
      if (now === before || !now?.matches('.find-box'))
        document.querySelector<HTMLElement>(selector)?.focus();
    }),
  );
}

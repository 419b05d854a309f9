/** Typesets the math in finished blocks when the page is idle. The script for it is loaded when it is first needed. */
import { whenIdle } from '../base/whenIdle.ts';
import { toMathFragment } from './sanitize.ts';
import { hasSelectionEnd } from './selection.ts';

type Typesetter = Pick<typeof import('./math.ts'), 'toMathMl'>;

/** Longer formulas stay as they are written. In UTF-16 code units. */
const LONGEST_FORMULA = 5000;

// The URL of this script, from which the URL of the other script is derived. `currentScript` is only set while this script starts.
const { currentScript } = document;
const address = currentScript instanceof HTMLScriptElement ? currentScript.src : undefined;

let loading: Promise<Typesetter> | undefined;

/** Formulas in which the user has selected something. Replacing the text would end the selection. */
const selected: HTMLElement[] = [];

document.addEventListener('selectionchange', () => typesetSoon(selected.splice(0)));

/** Typesets the math in these elements. */
export function typesetSoon(blocks: readonly Element[]): void {
  const formulas = blocks.flatMap((block) => [
    ...block.querySelectorAll<HTMLElement>('.math'),
    ...selfOf(block),
  ]);
  if (formulas.length === 0 || address === undefined) return;
  loading ??= import(new URL('math.js', address).href);
  loading.then(
    ({ toMathMl }) =>
      whenIdle(() => {
        for (const formula of formulas) typeset(formula, toMathMl);
      }),
    () => {
      // The formulas stay as they are written. The next call tries again.
      loading = undefined;
    },
  );
}

const selfOf = (block: Element): readonly HTMLElement[] =>
  block instanceof HTMLElement && block.classList.contains('math') ? [block] : [];

function typeset(formula: HTMLElement, toMathMl: Typesetter['toMathMl']): void {
  const tex = formula.textContent ?? '';
  if (tex.length > LONGEST_FORMULA || formula.querySelector('math') !== null) return;
  if (hasSelectionEnd(formula)) {
    selected.push(formula);
    return;
  }
  try {
    formula.replaceChildren(toMathFragment(toMathMl(tex, formula.dataset['math'] === 'display')));
    formula.title = tex;
  } catch {
    // The formula isn't valid TeX, so it stays as it is written.
  }
}

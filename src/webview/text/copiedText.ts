/**
 * What is copied of a selection with formulas or tasks: these as they are written. The browser would copy x² as x2, and tasks without
 * their boxes.
 */
const FORMULA = '.math[title]';
const BOX = '.task-box';

/** Leaves a selection without these to the browser, and so what is selected in a text box, or only within a formula. */
export function copyAsWritten(event: ClipboardEvent): void {
  const selection = document.getSelection();
  const isInBox = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  if (event.clipboardData === null || isInBox || selection === null || selection.isCollapsed) return;
  // On the page, because its text has line ends as it is laid out.
  const copied = document.createElement('div');
  copied.className = 'unseen';
  copied.append(selection.getRangeAt(0).cloneContents());
  if (copied.querySelector(`${FORMULA}, ${BOX}`) === null) return;
  for (const head of copied.querySelectorAll('.code-head')) head.remove();
  event.clipboardData.setData('text/html', copied.innerHTML);
  for (const formula of copied.querySelectorAll<HTMLElement>(FORMULA)) {
    const mark = formula.dataset['math'] === 'display' ? '$$' : '$';
    formula.textContent = mark + formula.title + mark;
  }
  for (const box of copied.querySelectorAll(BOX))
    box.replaceWith(box.classList.contains('codicon-pass-filled') ? '[x] ' : '[ ] ');
  document.body.append(copied);
  event.clipboardData.setData('text/plain', copied.innerText);
  copied.remove();
  event.preventDefault();
}

/**
 * Selects elements that are copied as their Markdown source: formulas, tasks, and footnotes. The browser would copy x² as x2, tasks
 * without their boxes, and a number with a footnote as another number.
 */
const WRITTEN = '.math[title], .task-box, .footnote-ref, .footnote-mark';

function toWritten(element: HTMLElement): string {
  const { classList, dataset, textContent, title } = element;
  if (classList.contains('task-box')) return classList.contains('codicon-pass-filled') ? '[x] ' : '[ ] ';
  if (classList.contains('footnote-ref')) return `[^${textContent}]`;
  if (classList.contains('footnote-mark')) return `[^${textContent}]:`;
  const mark = dataset['math'] === 'display' ? '$$' : '$';
  return mark + title + mark;
}

/** Copies a selection with such elements. Leaves other selections to the browser, and those in a text box, or within a single formula. */
export function copyAsWritten(event: ClipboardEvent): void {
  const selection = document.getSelection();
  const isInBox = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  if (event.clipboardData === null || isInBox || selection === null || selection.isCollapsed) return;
  // Added to the page, because `innerText` has the line ends of the layout only there.
  const copied = document.createElement('div');
  copied.className = 'unseen';
  copied.append(selection.getRangeAt(0).cloneContents());
  const elements = copied.querySelectorAll<HTMLElement>(WRITTEN);
  if (elements.length === 0) return;
  for (const head of copied.querySelectorAll('.code-head')) head.remove();
  event.clipboardData.setData('text/html', copied.innerHTML);
  for (const element of elements) {
    const written = toWritten(element);
    if (element.localName === 'div') element.textContent = written;
    else element.replaceWith(written);
  }
  document.body.append(copied);
  event.clipboardData.setData('text/plain', copied.innerText);
  copied.remove();
  event.preventDefault();
}

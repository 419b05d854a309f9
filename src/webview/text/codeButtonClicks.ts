/** The actions of the buttons of a code block. */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';

/** How long the button shows that the code was copied, in milliseconds. */
const COPIED_MS = 1500;

/**
 * Runs the action of a button on the text of its block, which highlighting doesn't change.
 *
 * @returns whether the code was copied, which is announced to screen readers
 */
export function pressCodeButton(button: HTMLElement, post: (message: WebviewMessage) => void): boolean {
  const block = button.closest<HTMLElement>('.code');
  const text = block?.querySelector('code')?.textContent ?? '';
  const exchangeId = button.closest<HTMLElement>('[data-exchange]')?.dataset['exchange'] ?? '';
  const info = block?.dataset['info'] ?? '';
  const action = button.dataset['code'];
  if (action === 'insert' || action === 'apply') post({ type: 'code', action, exchangeId, text, info });
  if (action === 'newFile') post({ type: 'code', action: 'new-file', exchangeId, text, info });
  if (action !== 'copy') return false;
  post({ type: 'copy-text', text });
  button.classList.replace('codicon-copy', 'codicon-check');
  setTimeout(() => button.classList.replace('codicon-check', 'codicon-copy'), COPIED_MS);
  return true;
}

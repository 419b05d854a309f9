/** The buttons of a code block: what they hand to the host is the code as it came, which the page only colours. */
import type { WebviewMessage } from '../panel/messages.ts';

/** How long the button shows that it has copied, in milliseconds. */
const COPIED_MS = 1500;

/** @returns whether the code was copied, which is announced */
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
  const icon = button.querySelector('.codicon');
  icon?.classList.replace('codicon-copy', 'codicon-check');
  setTimeout(() => icon?.classList.replace('codicon-check', 'codicon-copy'), COPIED_MS);
  return true;
}

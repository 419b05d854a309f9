/** The door for what a webview says. */
import type { WebviewMessage } from '../panel/messages.ts';

const MESSAGE_TYPES: ReadonlySet<string> = new Set<WebviewMessage['type']>([
  'ready',
  'send',
  'stop',
  'draft',
  'attach',
  'attach-images',
  'attach-addresses',
  'dismiss-rejected',
  'remove-attachment',
  'complete',
  'attach-context',
  'remove-context',
  'renew-context',
  'pick-effort',
  'pick-format',
  'structured',
  'pick-tools',
  'action',
  'regenerate',
  'show-earlier',
  'show-later',
  'show-exchange',
  'find',
  'edit',
  'fork',
  'omit-image',
  'show-version',
  'remove-queued',
  'show-attempt',
  'open-reasoning',
  'copy',
  'copy-text',
  'tool-decision',
  'stop-call',
  'open-link',
  'code',
  'proposal',
  'seen',
]);

/** Messages are told by their type; one that nobody knows is dropped (security.md). The page that sends them is ours. */
export function parseWebviewMessage(message: unknown): WebviewMessage | undefined {
  const type =
    typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
  return typeof type === 'string' && MESSAGE_TYPES.has(type) ? (message as WebviewMessage) : undefined;
}

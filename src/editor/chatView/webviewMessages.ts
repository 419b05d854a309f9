/** The door for what a webview says. */
import type { PageMessage, WebviewMessage } from '../../panel/messages.ts';
import { fieldOf } from '../base/fields.ts';

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

/** Messages are told by their type; unknown ones are dropped (docs/security.md). The page that sends them is ours. */
export function parsePageMessage(said: unknown): PageMessage | undefined {
  const message = fieldOf(said, 'message');
  const type = fieldOf(message, 'type');
  if (typeof type !== 'string' || !MESSAGE_TYPES.has(type)) return undefined;
  const conversationId = fieldOf(said, 'conversationId');
  return {
    message: message as WebviewMessage,
    conversationId: typeof conversationId === 'string' ? conversationId : undefined,
  };
}

/** What the templates of the message box can read and do. */
import type { PageContext } from '../base/pageContext.ts';
import type { Mentions } from './mention.ts';
import type { Recall } from './recall.ts';

export interface ComposerContext extends PageContext {
  /** The ID of the shown conversation. Undefined before the first snapshot. */
  readonly conversationId: () => string | undefined;
  readonly draft: () => string;
  readonly setDraft: (text: string) => void;
  readonly send: () => void;
  /** Whether a message waits for files that the page reads. */
  readonly isReading: () => boolean;
  readonly stopReading: () => void;
  /** Starts editing the last question. Returns false if there is none. */
  readonly editLast: () => boolean;
  readonly mentions: Mentions;
  readonly recall: Pick<Recall, 'step' | 'kept'>;
}

/** What the templates of the message box can read and do. */
import type { PageContext } from '../base/pageContext.ts';
import type { Mentions } from './mention.ts';
import type { Recall } from './recall.ts';

export interface ComposerContext extends PageContext {
  readonly draft: () => string;
  readonly setDraft: (text: string) => void;
  readonly send: () => void;
  /** Starts editing the last question. Returns false when there is none. */
  readonly editLast: () => boolean;
  readonly mentions: Mentions;
  readonly recall: Pick<Recall, 'step' | 'kept'>;
}

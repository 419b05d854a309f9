/** What the templates of the panel can read and do. */
import type { ComposerContext } from '../composer/composerContext.ts';
import type { TranscriptContext } from '../transcript/transcriptContext.ts';
import type { AutoScroll } from './autoScroll.ts';

export interface AppContext extends ComposerContext, TranscriptContext {
  readonly autoScroll: Pick<AutoScroll, 'toEnd'>;
}

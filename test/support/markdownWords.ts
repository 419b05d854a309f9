/** Texts for the Markdown of the pages, in tests of its rendering. */
import type { createMarkdown } from '../../src/webview/text/markdown.ts';

type Words = Parameters<typeof createMarkdown>[0];

export const MARKDOWN_WORDS: Words = {
  code: 'Code',
  copy: 'Copy',
  insert: 'Insert at cursor',
  apply: 'Apply',
  newFile: 'New file',
  footnote: 'Footnote {0}',
  done: 'Done',
  open: 'Not done',
};

/** For texts that no test checks. */
export const NO_WORDS: Words = {
  code: '',
  copy: '',
  insert: '',
  apply: '',
  newFile: '',
  footnote: '{0}',
  done: '',
  open: '',
};

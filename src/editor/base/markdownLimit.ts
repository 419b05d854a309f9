/** The editor cuts longer Markdown off, and what the user agrees to would not be shown. In characters. */
export const MAX_MARKDOWN = 100_000;

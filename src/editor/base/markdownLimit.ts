/**
 * The maximum length of Markdown that the editor shows, in UTF-16 code units. It truncates longer text, and would hide a part of what
 * the user is asked to agree to.
 */
export const MAX_MARKDOWN = 100_000;

/**
 * Finds the key in a text that a user pasted or set in an environment variable. Leaves out the white space around it, quotation
 * marks (as in `.env` files), and `Bearer`. Returns an empty text if there is no key. Returns undefined if it is only the word
 * `Bearer`, or has characters that a header can't carry: spaces, line breaks, and everything that isn't ASCII. Such a key would
 * fail later with a less helpful error, or be sent in a damaged form.
 */
export function parseKey(text: string): string | undefined {
  const key = text
    .trim()
    .replace(/^"(.*)"$|^'(.*)'$/s, '$1$2')
    .replace(/^bearer\s+/i, '');
  return isSendable(key) && !/^bearer$/i.test(key) ? key : undefined;
}

/** Whether a header can carry a key. */
export const isSendable = (key: string): boolean => /^[\x21-\x7e]*$/.test(key);

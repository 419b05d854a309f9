/** Searches the titles of conversations, which the index of the database doesn't contain. */

/**
 * The conversations whose title contains all words of a query, and all phrases in quotation marks, anywhere. Case and
 * accents are ignored.
 */
export function findTitles<Titled extends { readonly title: string }>(
  conversations: readonly Titled[],
  query: string,
): readonly Titled[] {
  const words = [...fold(query).matchAll(/"([^"]+)"?|([^\s"]+)/g)].map(
    ([, phrase, word]) => phrase ?? word ?? '',
  );
  if (words.length === 0) return [];
  return conversations.filter(({ title }) => {
    const folded = fold(title);
    return words.every((word) => folded.includes(word));
  });
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

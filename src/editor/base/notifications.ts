/**
 * A text that others wrote, for a message of the editor: those take `[words](command:…)` for a link and would run it
 * (docs/security.md). Titles, file names and the names of windows can be imported, or belong to somebody else.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

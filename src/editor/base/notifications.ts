/**
 * Text from outside, for a notification: the editor shows `[text](command:…)` there as a link that runs the command
 * (docs/security.md). Titles, file names, and names of windows can come from other people.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Quick picks whose items are found by the extension. */

/** Without this, the editor moves items whose label begins with what is typed to the top. */
export function keepOrder(pick: object): void {
  if ('sortByLabel' in pick) pick.sortByLabel = false;
}

/** Text from outside for a quick pick or the status bar, which would show `$(…)` as an icon. */
export const withoutIcons = (text: string): string => text.replaceAll('$(', '$ (');

/** Quick picks whose items are found by the extension. */

/** Without this, the editor moves items whose label begins with what is typed to the top. */
export function keepOrder(pick: object): void {
  if ('sortByLabel' in pick) pick.sortByLabel = false;
}

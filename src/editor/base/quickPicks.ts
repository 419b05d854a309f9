/** Quick picks whose items the extension filters and orders. */
import type * as vscode from 'vscode';

/** Without this, the editor moves items whose label begins with what is typed to the top. */
export function keepOrder(pick: object): void {
  if ('sortByLabel' in pick) pick.sortByLabel = false;
}

/** Text from outside for a quick pick or the status bar, which would show `$(…)` as an icon. */
export const withoutIcons = (text: string): string => text.replaceAll('$(', '$ (');

/** For an item whose texts all come from outside, such as file names, or texts of Git, a service, or the model. */
export function plainItem<Item extends vscode.QuickPickItem>(item: Item): Item {
  const { label, description, detail } = item;
  return {
    ...item,
    label: withoutIcons(label),
    ...(description !== undefined && { description: withoutIcons(description) }),
    ...(detail !== undefined && { detail: withoutIcons(detail) }),
  };
}

/**
 * The item that Enter accepts: the selected item if it is listed now, otherwise the first one. Right after other keys, the editor can
 * still have an item of the previous list selected.
 */
export const chosenOf = <Item extends vscode.QuickPickItem>(
  { selectedItems: [selected] }: Pick<vscode.QuickPick<Item>, 'selectedItems'>,
  listed: readonly Item[],
): Item | undefined => listed.find((item) => item === selected) ?? listed[0];

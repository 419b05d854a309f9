/** Quick picks whose items are found by the extension. */
import type * as vscode from 'vscode';

/** Without this, the editor moves items whose label begins with what is typed to the top. */
export function keepOrder(pick: object): void {
  if ('sortByLabel' in pick) pick.sortByLabel = false;
}

/** Text from outside for a quick pick or the status bar, which would show `$(…)` as an icon. */
export const withoutIcons = (text: string): string => text.replaceAll('$(', '$ (');

/** An item with texts from outside only, such as the names of files or what Git, a service, or the model says. */
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
 * What Enter selects of the items that are listed now, by default the first one: right after other keys, the editor has
 * selected an item of the list before them.
 */
export const chosenOf = <Item extends vscode.QuickPickItem>(
  { selectedItems: [selected] }: Pick<vscode.QuickPick<Item>, 'selectedItems'>,
  listed: readonly Item[],
): Item | undefined => listed.find((item) => item === selected) ?? listed[0];

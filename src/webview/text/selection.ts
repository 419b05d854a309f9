/** The user's selection on the page. */

/** The nodes where a non-empty selection starts and ends. The browser may have to lay out the page for this. */
export function endsOfSelected(): readonly Node[] {
  const selection = document.getSelection();
  return selection === null || selection.isCollapsed ? [] : selectionNodes(selection);
}

/** Whether a non-empty selection starts or ends in a node. */
export const hasSelectionEnd = (node: Node): boolean => endsOfSelected().some((end) => node.contains(end));

/** The nodes where the selection starts and ends, even if it is empty: the user may have pressed the button and drag soon. */
export function selectionEnds(): readonly Node[] {
  const selection = document.getSelection();
  return selection === null ? [] : selectionNodes(selection);
}

const selectionNodes = ({ anchorNode, focusNode }: Selection): readonly Node[] =>
  [anchorNode, focusNode].filter((node) => node !== null);

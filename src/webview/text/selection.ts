/** What the user has selected on the page. */

/** Where a selection that is not empty starts and ends. To find out, the browser may have to lay out the page. */
export function endsOfSelected(): readonly Node[] {
  const selection = document.getSelection();
  return selection === null || selection.isCollapsed ? [] : selectionNodes(selection);
}

/** Whether a selection that is not empty starts or ends in a node. */
export const hasSelectionEnd = (node: Node): boolean => endsOfSelected().some((end) => node.contains(end));

/** Where the selection starts and ends. An empty one counts: the user may have pressed the button and drag soon. */
export function selectionEnds(): readonly Node[] {
  const selection = document.getSelection();
  return selection === null ? [] : selectionNodes(selection);
}

const selectionNodes = ({ anchorNode, focusNode }: Selection): readonly Node[] =>
  [anchorNode, focusNode].filter((node) => node !== null);

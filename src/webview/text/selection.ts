/** What the user has selected on the page. */

/** Whether a selection that is not empty starts or ends in a node. */
export function hasSelectionEnd(node: Node): boolean {
  const selection = document.getSelection();
  return (
    selection !== null &&
    !selection.isCollapsed &&
    selectionNodes(selection).some((end) => node.contains(end))
  );
}

/** Where the selection starts and ends. An empty one counts: the user may have pressed the button and drag soon. */
export function selectionEnds(): readonly Node[] {
  const selection = document.getSelection();
  return selection === null ? [] : selectionNodes(selection);
}

const selectionNodes = ({ anchorNode, focusNode }: Selection): readonly Node[] =>
  [anchorNode, focusNode].filter((node) => node !== null);

/** The text of an element and its descendants, and ranges in it. */

export interface ElementText {
  readonly text: string;
  /** Creates a range from offsets in the text, in UTF-16 code units. Undefined for an element without text. */
  range(start: number, end: number): Range | undefined;
}

/** @param isPart returns false for text nodes to leave out, such as those of buttons */
export function createElementText(element: Node, isPart: (node: Text) => boolean = () => true): ElementText {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode())
    if (isPart(node)) nodes.push(node);
  return textOfNodes(nodes);
}

/** The joined text of text nodes. */
export function textOfNodes(nodes: readonly Text[]): ElementText {
  const starts: number[] = [];
  let text = '';
  for (const { data } of nodes) {
    starts.push(text.length);
    text += data;
  }
  /** The index of the last node that begins at or before an offset. */
  const at = (offset: number): number => {
    let from = 0;
    let to = nodes.length - 1;
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      if ((starts[middle] ?? 0) <= offset) from = middle;
      else to = middle - 1;
    }
    return from;
  };
  const place = (index: number, offset: number): [Text, number] | undefined => {
    const node = nodes[index];
    return node && [node, Math.min(offset - (starts[index] ?? 0), node.length)];
  };
  return {
    text,
    range(start, end) {
      const first = place(at(start), start);
      const last = place(at(Math.max(start, end - 1)), end);
      if (first === undefined || last === undefined) return undefined;
      const range = document.createRange();
      range.setStart(...first);
      range.setEnd(...last);
      return range;
    },
  };
}

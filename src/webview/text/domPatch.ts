/**
 * Changes nodes of the page into newly rendered ones. Nodes that are the same stay, so that a selection, the focus, and a pressed
 * button in them survive. Only the changed part of a text is replaced: libraries that patch elements set the whole text, which ends a
 * selection in it.
 */

/**
 * Changes the children of an element into those of a fragment, which is then empty.
 *
 * @param from the first child to change; null to append only
 */
export function patchChildren(
  parent: Element,
  from: ChildNode | null,
  next: DocumentFragment | Element,
): void {
  let shown = from;
  for (const node of [...next.childNodes]) {
    const old = shown;
    shown = old?.nextSibling ?? null;
    if (old === null) parent.append(node);
    else patchNode(old, node);
  }
  while (shown !== null) {
    const old = shown;
    shown = old.nextSibling;
    old.remove();
  }
}

/** Changes a node into another one, or replaces it if they are of different kinds. */
export function patchNode(shown: ChildNode, wanted: ChildNode): void {
  if (shown instanceof Text && wanted instanceof Text) patchText(shown, wanted.data);
  else if (shown instanceof Element && wanted instanceof Element && shown.nodeName === wanted.nodeName) {
    patchAttributes(shown, wanted);
    // Highlighted code has the same text in other nodes.
    if (!shown.hasAttribute('data-highlighted')) patchChildren(shown, shown.firstChild, wanted);
  } else shown.replaceWith(wanted);
}

function patchText(shown: Text, text: string): void {
  const { data } = shown;
  if (data === text) return;
  if (text.startsWith(data)) {
    shown.appendData(text.slice(data.length));
    return;
  }
  const end = Math.min(data.length, text.length);
  let same = 0;
  while (same < end && data[same] === text[same]) same++;
  shown.replaceData(same, data.length - same, text.slice(same));
}

function patchAttributes(shown: Element, wanted: Element): void {
  for (const { name, value } of wanted.attributes)
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  for (const { name } of [...shown.attributes]) {
    const highlighted = name === 'data-highlighted' && shown.textContent === wanted.textContent;
    // A card that has got the focus by a key has this attribute, and would lose the focus without it.
    const focused = name === 'tabindex' && shown === document.activeElement;
    if (!wanted.hasAttribute(name) && !highlighted && !focused) shown.removeAttribute(name);
  }
}

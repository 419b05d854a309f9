/**
 * A paragraph that is still growing. Emphasis can begin anywhere in it, so it is rendered as a whole, but most of its HTML is
 * what it was before. So only the nodes after that are created and compared again.
 */

/** The start tag of a paragraph that HTML consists of. */
const START = /^<p(?: [^<>]*)?>/;
const END = '</p>\n';
/** The tags of the renderer. Their attributes have no bracket (sanitize.ts). */
const TAG = /<(\/?)([a-z]+\d?)(?: [^<>]*)?>/g;

/** What changes in a paragraph: its child nodes from `from` on, and the HTML of the new ones. */
export interface ParagraphUpdate {
  readonly from: number;
  readonly html: string;
}

/**
 * What changes from the HTML of a paragraph to a later one of it. Undefined if one of them isn't a paragraph alone, or if no
 * child node stays that isn't the last one.
 */
export function updateParagraph(shown: string, next: string): ParagraphUpdate | undefined {
  const [start] = START.exec(next) ?? [];
  if (start === undefined || !shown.startsWith(start) || !isOneParagraph(shown) || !isOneParagraph(next))
    return undefined;
  const same = Math.min(lengthOfSame(shown, next), next.length - END.length);
  let [depth, nodes, end] = [0, 0, start.length];
  let kept: ParagraphUpdate | undefined;
  for (const { 0: tag, 1: slash, 2: name, index } of next.slice(0, same).matchAll(TAG)) {
    if (index < start.length) continue;
    if (depth === 0 && index > end) nodes++;
    if (slash === '/') depth--;
    else if (name !== 'br') depth++;
    if (depth > 0) continue;
    end = index + tag.length;
    nodes++;
    kept = { from: nodes, html: next.slice(end, -END.length) };
  }
  return kept;
}

const isOneParagraph = (html: string): boolean =>
  html.endsWith(END) && html.indexOf('</p>') === html.length - END.length;

/** The length of what two texts begin with. */
function lengthOfSame(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

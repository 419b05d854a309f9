/**
 * A paragraph that is still growing. Emphasis can begin anywhere in it, so the whole paragraph is rendered, but most of its HTML is the
 * same as before. So only the nodes after the common start are created and compared again.
 */

/** The start tag of HTML that is a paragraph. */
const START = /^<p(?: [^<>]*)?>/;
const END = '</p>\n';
/** The tags of the renderer. Their attributes contain no angle brackets (sanitize.ts). */
const TAG = /<(\/?)([a-z]+\d?)(?: [^<>]*)?>/g;

/** The change of a paragraph: its child nodes from index `from` on are replaced by those of `html`. */
export interface ParagraphUpdate {
  readonly from: number;
  readonly html: string;
}

/**
 * The change from the HTML of a paragraph to its later HTML. Undefined if one of them isn't a single paragraph, or if no child node
 * before the last one stays the same.
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

/** The length of the common start of two texts. */
function lengthOfSame(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

import DOMPurify from 'dompurify';

/** Elements that could load something, or that could imitate the panel's own elements. */
const FORBIDDEN = [
  'img',
  'picture',
  'video',
  'audio',
  'source',
  'svg',
  'math',
  'style',
  'form',
  'input',
  'textarea',
  'iframe',
];

/**
 * Anything but text and tags that load, run, and lead to nothing, whose attributes are a direction, a level, or classes. Most of
 * an answer has nothing else, and for a long answer DOMPurify takes longer than the renderer.
 */
const NEEDS_SANITIZER =
  /<(?!\/?(?:p|h[1-6]|em|strong|s|code|span|blockquote|ul|ol|li|hr|br|table|thead|tbody|tr|th|td)(?: (?:dir="auto"|aria-level="\d"|class="[\w -]*"))*>)/;

/**
 * Converts rendered model output to nodes. The renderer creates no raw HTML; this is a second check (docs/security.md).
 */
export function toFragment(html: string): DocumentFragment {
  return NEEDS_SANITIZER.test(html) ? sanitize(html) : document.createRange().createContextualFragment(html);
}

/** Converts HTML to nodes that load and run nothing, whatever it is. */
export function sanitize(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: FORBIDDEN,
    FORBID_ATTR: ['style', 'srcset', 'src', 'background', 'id', 'name'],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    // Otherwise, the expression would apply to their values, too.
    ADD_URI_SAFE_ATTR: ['dir', 'tabindex', 'type', 'start'],
  });
}

/**
 * Converts typeset math to nodes: elements of MathML only. Styles and what links or loads is removed, because formulas
 * come from the model, and the policy of the page allows no styles in attributes.
 */
export function toMathFragment(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { mathMl: true },
    FORBID_TAGS: ['mglyph', 'maction', 'annotation', 'annotation-xml', 'semantics'],
    FORBID_ATTR: ['style', 'href', 'xlink:href', 'src', 'id', 'name'],
    ALLOW_DATA_ATTR: false,
  });
}

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
 * Anything but text and the tags that the renderer and the colors of code create, with their attributes: none of them loads or
 * runs something, and links lead to the web. An answer has nothing else; for a long one, DOMPurify takes longer than
 * the renderer.
 */
const NEEDS_SANITIZER = toNeedsSanitizer(
  'p|h[1-6]|em|strong|s|code|pre|div|span|button|sup|blockquote|ul|ol|li|hr|br|table|thead|tbody|tr|th|td|a',
  [
    'dir="(?:auto|ltr)"',
    'type="button"',
    'href="https?:\\/\\/[^"<>]*"',
    'role="(?:group|toolbar|img|note)"',
    // A value with a bracket may be meant for another parser.
    '(?:class|title|tabindex|start|aria-label|aria-level|data-(?:info|language|code|path|math|footnote|note))="[^"<>]*"',
  ],
);

/** An expression that matches HTML with other tags, or with other attributes. */
function toNeedsSanitizer(tags: string, attributes: readonly string[]): RegExp {
  return new RegExp(`<(?!\\/?(?:${tags})(?: (?:${attributes.join('|')}))*>)`);
}

/** One for all: the browser updates each range that is still in memory at each change of the page. */
const range = document.createRange();

/** Whether HTML has anything but what the renderer and the colors of code create. */
export const needsSanitizer = (html: string): boolean => NEEDS_SANITIZER.test(html);

/**
 * Converts rendered model output to nodes. The renderer creates no raw HTML; this is a second check (docs/security.md).
 */
export function toFragment(html: string): DocumentFragment {
  return needsSanitizer(html) ? sanitize(html) : range.createContextualFragment(html);
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

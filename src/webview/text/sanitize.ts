import DOMPurify from 'dompurify';

/** Elements that could load resources, or that could imitate the panel's own elements. */
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
 * Matches HTML that needs the sanitizer: anything but text and the tags and attributes that the renderer and the syntax highlighting
 * create. None of them loads resources or runs code, and links lead to the web. Answers normally have nothing else, and for a long
 * answer, DOMPurify takes longer than the renderer.
 */
const NEEDS_SANITIZER = toNeedsSanitizer(
  'p|h[1-6]|em|strong|s|code|pre|div|span|button|sup|blockquote|ul|ol|li|hr|br|table|thead|tbody|tr|th|td|a',
  [
    'dir="(?:auto|ltr)"',
    'type="button"',
    'href="https?:\\/\\/[^"<>]*"',
    'role="(?:group|toolbar|img|note)"',
    // A value with an angle bracket may be meant to confuse another parser.
    '(?:class|title|tabindex|start|aria-label|aria-level|data-(?:info|language|code|path|math|footnote|note))="[^"<>]*"',
  ],
);

/** Creates an expression that matches HTML with other tags, or with other attributes. */
function toNeedsSanitizer(tags: string, attributes: readonly string[]): RegExp {
  return new RegExp(`<(?!\\/?(?:${tags})(?: (?:${attributes.join('|')}))*>)`);
}

/** A single range for all calls: the browser updates each range that is still in memory at each change of the page. */
const range = document.createRange();

/** Whether HTML has other elements or attributes than the renderer and the syntax highlighting create. */
export const needsSanitizer = (html: string): boolean => NEEDS_SANITIZER.test(html);

/** Converts rendered model output to nodes. The renderer creates no raw HTML; this is a second check (docs/security.md). */
export function toFragment(html: string): DocumentFragment {
  return needsSanitizer(html) ? sanitize(html) : range.createContextualFragment(html);
}

/** Converts any HTML to nodes that load and run nothing. */
export function sanitize(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: FORBIDDEN,
    FORBID_ATTR: ['style', 'srcset', 'src', 'background', 'id', 'name'],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    // Without this, the expression would apply to the values of these attributes, too.
    ADD_URI_SAFE_ATTR: ['dir', 'tabindex', 'type', 'start'],
  });
}

/**
 * Converts typeset math to nodes of MathML only. Removes styles, links, and attributes that load resources, because formulas come from
 * the model, and the content security policy of the page allows no style attributes.
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

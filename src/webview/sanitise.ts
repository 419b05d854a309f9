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
 * Converts rendered model output to nodes. The renderer creates no raw HTML; this is a second check (docs/security.md).
 */
export function toFragment(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: FORBIDDEN,
    FORBID_ATTR: ['style', 'srcset', 'src', 'background', 'id', 'name'],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
  });
}

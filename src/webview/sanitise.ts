import DOMPurify from 'dompurify';

/** Elements that could reach out, or that our own structure is made of. */
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

/** HTML of rendered model output as nodes. The renderer makes no raw HTML; this checks again (docs/security.md). */
export function toFragment(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: FORBIDDEN,
    FORBID_ATTR: ['style', 'srcset', 'src', 'background', 'id', 'name'],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
  });
}

/**
 * The content security policy of a page: our script and styles, and no connections (docs/security.md).
 *
 * @param source where styles, fonts, and images of the extension come from
 */
export function toPolicy(source: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data:`,
  ].join('; ');
}

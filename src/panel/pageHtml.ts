/** The HTML of a page: the chat, or the usage page. */
import { toPolicy } from './contentSecurityPolicy.ts';

export interface PageHtml {
  /** The value of `data-k3` on its body. */
  readonly kind: 'chat' | 'usage';
  /** Name of the script and the style in `dist`. */
  readonly bundle: string;
  readonly title: string;
  /** The language in which the page formats numbers, as a BCP 47 tag. */
  readonly language: string;
  /**
   * The language of the texts. English if they have no translation, so that screen readers don't read them by the rules of
   * another language.
   */
  readonly textLanguage: string;
  readonly nonce: string;
  /** Where styles, fonts, and images of the extension come from. */
  readonly source: string;
  /** The address of a file in `dist`. */
  asset(file: string): string;
}

/** The content security policy of the page allows our script and styles and no connections (docs/security.md). */
export function toPageHtml({
  kind,
  bundle,
  title,
  language,
  textLanguage,
  nonce,
  source,
  asset,
}: PageHtml): string {
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${toPolicy(source, nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset(`${bundle}.css`)}">
<title>${title}</title>
</head>
<body data-k3="${kind}" lang="${textLanguage}"><main id="app"></main><script nonce="${nonce}" src="${asset(`${bundle}.js`)}"></script></body>
</html>`;
}

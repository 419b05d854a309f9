import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { type PageHtml, toPageHtml } from '../../panel/pageHtml.ts';
import { ofTexts } from './plural.ts';

/** Webview options that allow scripts, and resources from `dist` only. */
export function toWebviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
}

/** The icon of a tab. The editor shows it as an image, which doesn’t have the color of the text around it. */
export function toTabIcon(extensionUri: vscode.Uri): {
  readonly light: vscode.Uri;
  readonly dark: vscode.Uri;
} {
  const icon = (theme: 'light' | 'dark') => vscode.Uri.joinPath(extensionUri, 'media', `k3-${theme}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}

/** The HTML of a page, with a new nonce. */
export function toPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: Pick<PageHtml, 'kind' | 'bundle' | 'title'>,
): string {
  return toPageHtml({
    ...page,
    language: vscode.env.language,
    textLanguage: ofTexts(),
    nonce: randomBytes(16).toString('base64url'),
    source: webview.cspSource,
    asset: (file) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString(),
  });
}

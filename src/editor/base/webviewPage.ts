import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { type PageHtml, toPageHtml } from '../../panel/pageHtml.ts';

/** Webview options that allow scripts, and resources from `dist` only. */
export function toWebviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
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
    nonce: randomBytes(16).toString('base64url'),
    source: webview.cspSource,
    asset: (file) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString(),
  });
}

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { toPolicy } from '../../panel/policy.ts';

/** Webview options that allow scripts, and resources from `dist` only. */
export function toWebviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
}

/** A page: the value of `data-k3` on its body, the bundle in `dist` that it loads, and its title. */
export interface PageOptions {
  readonly kind: 'chat' | 'usage';
  readonly bundle: string;
  readonly title: string;
}

/** The HTML of a page. Its policy allows our script and styles and no connections (docs/security.md). */
export function toPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { kind, bundle, title }: PageOptions,
): string {
  const nonce = randomBytes(16).toString('base64url');
  const asset = (file: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString();
  const policy = toPolicy(webview.cspSource, nonce);
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset(`${bundle}.css`)}">
<title>${title}</title>
</head>
<body data-k3="${kind}"><div id="app"></div><script nonce="${nonce}" src="${asset(`${bundle}.js`)}"></script></body>
</html>`;
}

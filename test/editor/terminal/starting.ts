import * as vscode from 'vscode';

/**
 * Whether the editor can start a terminal. The tests install VS Code 1.103 without install scripts, and so without the
 * compiled part of node-pty; later versions have it in their package.
 */
export function canStartTerminals(): boolean {
  const [, minor = ''] = vscode.version.split('.');
  return Number(minor) >= 104 || vscode.env.uiKind === vscode.UIKind.Desktop;
}

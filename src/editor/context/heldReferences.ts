/** The URIs and the names of references that the user attaches. */
import * as vscode from 'vscode';
import { labelOf } from '../workspace/textSources.ts';
import type { HeldReference } from './contextResult.ts';

const t = vscode.l10n.t;

/**
 * In a remote window, the webview uses `vscode-remote` URIs. In the extension host, the same files have `file` URIs, unless the extension
 * host runs on the user's machine, where a `file` URI would be another file.
 */
export function toLocal(uri: vscode.Uri): vscode.Uri {
  const isHere = vscode.extensions.getExtension('k3-chat.k3-chat')?.extensionKind !== vscode.ExtensionKind.UI;
  return uri.scheme === 'vscode-remote' && isHere ? vscode.Uri.file(uri.path) : uri;
}

export const toLocalReference = (reference: HeldReference): HeldReference =>
  reference.kind === 'file'
    ? { kind: 'file', uri: toLocal(vscode.Uri.parse(reference.uri)).toString() }
    : reference;

export const labelOfReference = (reference: HeldReference): string =>
  nameOfReference(reference) ?? reference.kind;

/** The name of a reference; undefined if it has none of its own. */
export function nameOfReference(reference: HeldReference): string | undefined {
  if ('uri' in reference && reference.uri !== undefined) return labelOf(vscode.Uri.parse(reference.uri));
  if (reference.kind === 'problems') return t('Problems');
  return reference.kind === 'changes' ? t('Changes') : undefined;
}

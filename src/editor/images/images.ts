/** Images: looking at them and scaling them, in a worker. */
import * as vscode from 'vscode';
import { createImageScaler, type ImageScaler } from './imageScaler.ts';

export interface ImagesDeps {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

export function createImages({ context }: ImagesDeps): ImageScaler {
  return createImageScaler({
    worker: vscode.Uri.joinPath(context.extensionUri, 'dist/imageWorker.cjs').fsPath,
  });
}

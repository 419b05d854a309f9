/** Checks and scales images in a worker thread. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import { createImageScaler, type ImageScaler } from './imageScaler.ts';

export interface ImagesDeps {
  readonly base: Pick<Base, 'log'>;
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

export function createImages({ base, context }: ImagesDeps): ImageScaler {
  return createImageScaler({
    worker: vscode.Uri.joinPath(context.extensionUri, 'dist/imageWorker.cjs').fsPath,
    log: base.log,
  });
}

/** Checks and scales images in a worker thread. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import { createImageScaler, type ImageScaler } from './imageScaler.ts';

export interface ImagesDeps {
  readonly base: Pick<Base, 'log'>;
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

export function createImages({ base, context }: ImagesDeps): ImageScaler {
  const built = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
  return createImageScaler({
    worker: built('imageWorker.js'),
    codecs: {
      jpeg: built('mozjpeg_dec.wasm.br'),
      webp: built('webp_dec.wasm.br'),
      resize: built('squoosh_resize_bg.wasm.br'),
    },
    log: base.log,
  });
}

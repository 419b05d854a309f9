import * as vscode from 'vscode';
import { MAX_IMAGE_BYTES, sniffImage } from '../chat/images.ts';
import type { ImageAttachment } from '../chat/turn.ts';
import { withoutLinks } from './notifications.ts';

const t = vscode.l10n.t;

/** Lets the reader choose images. Each is checked by its first bytes; what the service would refuse is refused here. */
export async function pickImages(): Promise<readonly ImageAttachment[]> {
  const files = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: t('Add Image to Chat'),
    filters: { [t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'], [t('All files')]: ['*'] },
  });
  const images = await Promise.all((files ?? []).map(readImage));
  return images.filter((image) => image !== undefined);
}

async function readImage(file: vscode.Uri): Promise<ImageAttachment | undefined> {
  const name = withoutLinks(file.path.slice(file.path.lastIndexOf('/') + 1));
  const bytes = await vscode.workspace.fs.readFile(file);
  const type = sniffImage(bytes);
  if (type === undefined) {
    void vscode.window.showWarningMessage(
      t('{0} is no PNG, JPEG, GIF or WebP image, which are what the service takes.', name),
    );
    return undefined;
  }
  if (bytes.byteLength > MAX_IMAGE_BYTES) {
    const size = (bytes.byteLength / 1024 / 1024).toFixed(1);
    void vscode.window.showWarningMessage(
      t('{0} has {1} MiB; the service takes 3.75. Save it smaller and add it again.', name, size),
    );
    return undefined;
  }
  return { name, url: `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}` };
}

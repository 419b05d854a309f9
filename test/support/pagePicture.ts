/** Pictures of pages alone, for people to look at. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../ui/screenshots/', import.meta.url));
const takesPictures = process.env['K3_PICTURES'] !== 'none';

/** Saves a picture in test/ui/screenshots, unless `K3_PICTURES` is `none`. A page is in it as a whole with `fullPage`. */
export async function savePicture(
  of: Pick<Page, 'screenshot'> | Pick<Locator, 'screenshot'>,
  name: string,
  options: { readonly fullPage?: boolean } = {},
): Promise<void> {
  if (!takesPictures) return;
  await mkdir(folder, { recursive: true });
  await of.screenshot({ ...options, path: `${folder}${name}.png` });
}

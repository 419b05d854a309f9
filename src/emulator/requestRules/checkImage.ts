/** The rules for image input (Q6). */
import type { RouteKind } from '../../service/types.ts';
import type { RequestImage } from '../completionRequest.ts';
import { parseImage } from '../images.ts';
import { toObject } from '../json.ts';
import { refuseInvalid } from '../refusal.ts';
import { type Checked, failed, passed } from './checkResult.ts';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Accepts `{url}` with base64 bytes of a PNG, JPEG, GIF, or WebP, or with `ms://<file_id>`. Public URLs are refused,
 * and so are plain strings, which only other services accept.
 */
export function checkImage(value: unknown, at: string, route: RouteKind): Checked<RequestImage> {
  const invalid = (message: string): Checked<never> => failed(refuseInvalid(route, message));
  const url = toObject(value)?.['url'];
  if (typeof url !== 'string') return invalid(`${at} must be an object with a string url`);
  if (/^https?:/i.test(url)) {
    return invalid(`${at}: public image URLs are not supported; send base64 data or ms://<file_id>`);
  }
  const file = /^ms:\/\/(\S+)$/.exec(url)?.[1];
  if (file !== undefined) return passed({ kind: 'file', id: file });
  const comma = url.indexOf(',');
  const head = comma === -1 ? '' : url.slice(0, comma);
  // The first bytes decide which type of image it is, but it has to be declared as an image.
  if (!/^data:image\/[^,]+;base64$/i.test(head))
    return invalid(`${at} must be base64 data of an image, or ms://<file_id>`);
  const data = url.slice(comma + 1);
  if (!BASE64.test(data) || data.length % 4 === 1) return invalid(`${at}: the base64 data is damaged`);
  const bytes = Buffer.from(data, 'base64');
  const info = parseImage(bytes);
  if (info === undefined) return invalid(`${at}: unsupported image format; use png, jpeg, gif or webp`);
  return passed({ kind: 'bytes', info, size: bytes.length });
}

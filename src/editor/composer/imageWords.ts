/** Images in words: what became of them, and why one is not sent. */
import * as vscode from 'vscode';
import { type AttachedImage, MAX_PIXELS, MAX_SOURCE_BYTES } from '../../chat/imagePlan.ts';
import { IMAGE_TOKENS } from '../../chat/tokens.ts';
import type { Surroundings } from '../../panel/views.ts';
import { formatTokens } from '../base/formats.ts';
import type { ImageRefusal } from '../images/imageScaler.ts';
import type { WorkingImage } from './composers.ts';

const t = vscode.l10n.t;

/** Why an image is not sent, besides what its bytes say. */
export type IntakeRefusal =
  | Exclude<ImageRefusal, { kind: 'cancelled' }>
  | { readonly kind: 'too-many-bytes'; readonly bytes: number }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'outside' }
  | { readonly kind: 'public-address' };

type Chip = Surroundings['attachments'][number];

const tokens = () => t('about {0} tokens', formatTokens(IMAGE_TOKENS));

export function toImageChip({ name, thumbnail, scaling }: AttachedImage): Chip {
  const chip = { name, url: thumbnail, busy: false };
  if (scaling === undefined) return { ...chip, note: tokens(), detail: tokens() };
  const { from, to, stilled } = scaling;
  const what = t(
    'Scaled from {0} × {1} pixels, {2}, to {3} × {4} pixels, {5}; {6}.',
    formatTokens(from.width),
    formatTokens(from.height),
    formatBytes(from.bytes),
    formatTokens(to.width),
    formatTokens(to.height),
    formatBytes(to.bytes),
    tokens(),
  );
  return {
    ...chip,
    note: t('scaled from {0} × {1}, {2}', formatTokens(from.width), formatTokens(from.height), tokens()),
    detail: stilled ? `${what} ${t('Of the animation the first picture is left.')}` : what,
  };
}

export function toWorkingChip({ name }: WorkingImage): Chip {
  const detail = t('It is checked, and scaled when it is too large. What you send waits for it.');
  return { name, url: undefined, busy: true, note: t('Scaling…'), detail };
}

/** What the image is, and what to do. */
export function describeImageRefusal(name: string, refusal: IntakeRefusal): string {
  switch (refusal.kind) {
    case 'other-type':
      return describeType(name, refusal.type);
    case 'damaged':
      return t(
        '{0} is damaged or cut off and cannot be decoded, so it was not attached. Export or download it again.',
        name,
      );
    case 'too-many-pixels':
      return t(
        '{0} has {1} × {2} pixels; above {3} megapixels an image is not decoded. Save it smaller, or cut out what matters.',
        name,
        formatTokens(refusal.width),
        formatTokens(refusal.height),
        MAX_PIXELS / 1_000_000,
      );
    case 'too-many-bytes':
      return t(
        '{0} has {1}; above {2} an image is not read. Save it smaller.',
        name,
        formatBytes(refusal.bytes),
        formatBytes(MAX_SOURCE_BYTES),
      );
    case 'scaling-failed':
      return t(
        '{0} could not be scaled: it took too long, or more memory than there is. Save it smaller and attach it again.',
        name,
      );
    case 'unreadable':
      return t('{0} could not be read: {1}', name, refusal.message);
    case 'outside':
      return t('{0} is outside of the workspace, and is attached only when you choose it yourself.', name);
    case 'public-address':
      return t(
        '{0} is a public address. The service takes none: it wants the bytes of the image. Save it and attach the file; or write some words around the address to send it as text.',
        name,
      );
  }
}

function describeType(name: string, type: Extract<IntakeRefusal, { kind: 'other-type' }>['type']): string {
  switch (type) {
    case 'SVG':
      return t(
        '{0} holds an SVG drawing, and the service takes PNG, JPEG, GIF or WebP. Export it as PNG, or attach its source as a text file.',
        name,
      );
    case 'PDF':
      return t(
        '{0} is a PDF, and the service takes PNG, JPEG, GIF or WebP. Attach a screenshot of the page.',
        name,
      );
    case undefined:
      return t('{0} is no image that the service takes: PNG, JPEG, GIF or WebP.', name);
    default:
      return t(
        '{0} is of type {1}, and the service takes PNG, JPEG, GIF or WebP. Save it as PNG or JPEG first.',
        name,
        type,
      );
  }
}

function formatBytes(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  if (mebibytes < 0.1) return t('{0} KiB', Math.ceil(bytes / 1024));
  return t('{0} MiB', mebibytes.toLocaleString(vscode.env.language, { maximumFractionDigits: 1 }));
}

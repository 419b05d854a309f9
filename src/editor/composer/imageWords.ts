/** Labels and messages about images: their size and scaling, and why an image was not attached. */
import * as vscode from 'vscode';
import { MAX_PIXELS } from '../../conversation/images/imageHeader.ts';
import { type AttachedImage, MAX_SOURCE_BYTES } from '../../conversation/images/imagePlan.ts';
import { IMAGE_TOKENS } from '../../conversation/usage/tokens.ts';
import type { Surroundings } from '../../panel/surroundings.ts';
import { aboutTokensText, formatTokens } from '../base/formats.ts';
import { joinSentences } from '../base/sentences.ts';
import type { WorkingItem } from '../context/attachments.ts';
import type { ImageRefusal } from '../images/imageScaler.ts';

const t = vscode.l10n.t;

/** Why an image is not attached. */
export type IntakeRefusal =
  | Exclude<ImageRefusal, { kind: 'cancelled' }>
  | { readonly kind: 'too-many-bytes'; readonly bytes: number }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'outside' }
  /** The user didn't allow access. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'public-address' };

type Chip = Surroundings['attachments'][number];

const tokens = () => aboutTokensText(IMAGE_TOKENS);

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
    detail: joinSentences([what, stilled ? t('Only the first frame of the animation is kept.') : '']),
  };
}

export function toWorkingChip({ name, isContext }: WorkingItem): Chip {
  const chip = { name, url: undefined, busy: true };
  if (isContext)
    return {
      ...chip,
      note: t('Reading…'),
      detail: t('Your message is sent after {0} is read or removed.', name),
    };
  const detail = t('The image is checked, and scaled if it is too large. Your message is sent after that.');
  return { ...chip, note: t('Scaling…'), detail };
}

/** Why an image was not attached, and the next step. */
export function describeImageRefusal(name: string, refusal: IntakeRefusal): string {
  switch (refusal.kind) {
    case 'other-type':
      return describeType(name, refusal.type);
    case 'damaged':
      return t(
        '{0} was not attached because it is damaged or incomplete. Export or download it again.',
        name,
      );
    case 'too-many-pixels':
      return t(
        '{0} has {1} × {2} pixels. The limit is {3} megapixels. Save a smaller version or crop the image.',
        name,
        formatTokens(refusal.width),
        formatTokens(refusal.height),
        MAX_PIXELS / 1_000_000,
      );
    case 'too-many-bytes':
      return t(
        '{0} has {1}. The limit is {2}. Save a smaller version.',
        name,
        formatBytes(refusal.bytes),
        formatBytes(MAX_SOURCE_BYTES),
      );
    case 'scaling-failed':
      return t(
        'Couldn’t scale {0} because it took too long or needed too much memory. Save a smaller version and attach it again.',
        name,
      );
    case 'unreadable':
      return t('Couldn’t read {0}: {1}', name, refusal.message);
    case 'outside':
      return t('{0} is outside the workspace and can be attached only if you select it yourself.', name);
    case 'refused':
      return t('{0} was not attached because access was not allowed.', name);
    case 'public-address':
      return t(
        '{0} is a public address, which the service doesn’t accept for images. Save the image and attach the file. To send the address as text, add other text to its line.',
        name,
      );
  }
}

function describeType(name: string, type: Extract<IntakeRefusal, { kind: 'other-type' }>['type']): string {
  switch (type) {
    case 'SVG':
      return t(
        '{0} is an SVG image. The service accepts PNG, JPEG, GIF, and WebP. Export it as PNG, or attach its source as a text file.',
        name,
      );
    case 'PDF':
      return t(
        '{0} is a PDF. The service accepts PNG, JPEG, GIF, and WebP. Attach a screenshot of the page.',
        name,
      );
    case undefined:
      return t('{0} is not a supported image. The service accepts PNG, JPEG, GIF, and WebP.', name);
    default:
      return t(
        '{0} has type {1}. The service accepts PNG, JPEG, GIF, and WebP. Save it as PNG or JPEG.',
        name,
        type,
      );
  }
}

function formatBytes(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  if (mebibytes < 0.1) return t('{0} KB', Math.ceil(bytes / 1024));
  return t('{0} MB', mebibytes.toLocaleString(vscode.env.language, { maximumFractionDigits: 1 }));
}

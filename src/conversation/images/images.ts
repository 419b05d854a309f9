/**
 * Detects image types by their first bytes, which take precedence over the declared type
 * (docs/service.md, Images).
 */
import type { ImageType } from '../../service/imageTypes.ts';

/**
 * The type of an image that can be sent, or undefined for everything else, including SVG, AVIF, HEIC, BMP,
 * and TIFF.
 */
export function sniffImage(bytes: Uint8Array): ImageType | undefined {
  const head = headOf(bytes, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'webp';
  return undefined;
}

/** Types that the service refuses, by their common names, for the error message. */
export type OtherType = 'SVG' | 'AVIF' | 'HEIC' | 'BMP' | 'TIFF' | 'ICO' | 'PDF' | 'JPEG (CMYK…)';

/**
 * How many characters of a text are searched for the root element of an SVG. Declarations and comments can
 * come before it.
 */
const SVG_HEAD = 4096;
const AVIF_BRANDS = /^(avif|avis)/;
const HEIC_BRANDS = /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1)/;

/** The type of bytes that aren't an image of the four types, or undefined if it is unknown. */
export function sniffOther(bytes: Uint8Array): OtherType | undefined {
  const head = headOf(bytes, 16);
  if (head.slice(4, 8) === 'ftyp') {
    const brands = headOf(bytes, 64)
      .slice(8)
      .replace(/^(.{4}).{4}/s, '$1');
    const known = brands.match(/.{4}/gs) ?? [];
    // Both kinds can have `mif1` as the major brand, and name their own kind only among the compatible
    // brands.
    if (known.some((brand) => AVIF_BRANDS.test(brand))) return 'AVIF';
    if (known.some((brand) => HEIC_BRANDS.test(brand))) return 'HEIC';
    return undefined;
  }
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'TIFF';
  if (head.startsWith('\0\0\x01\0')) return 'ICO';
  if (head.startsWith('%PDF-')) return 'PDF';
  // Two letters are not specific enough, so the fields that are always zero in a bitmap must match as well.
  if (head.startsWith('BM') && head.slice(6, 10) === '\0\0\0\0') return 'BMP';
  if (/<svg[\s>]/i.test(toText(bytes.subarray(0, SVG_HEAD)))) return 'SVG';
  return undefined;
}

/** Text in UTF-8, or in UTF-16 if it has a BOM. */
function toText(bytes: Uint8Array): string {
  const mark = headOf(bytes, 2);
  const encoding = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

function headOf(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(...bytes.subarray(0, length));
}

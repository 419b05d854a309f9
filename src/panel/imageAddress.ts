/** URLs of images in text that is typed, pasted, or dropped. `ms://<file_id>` can be sent, public URLs can't. */

const REFERENCE = /ms:\/\/[A-Za-z0-9_-]+(?:[.:][A-Za-z0-9_-]+)*/;
const LINE = new RegExp(`^[ \\t]*(${REFERENCE.source})[ \\t]*$`);
const WORDS = new RegExp(`(?<![^\\s("'“‘\`])${REFERENCE.source}(?=$|[\\s.,;:!?)"'”’\`])`, 'g');
const PUBLIC = /^(?:!\[[^\]]*\]\()?(https?:\/\/[^\s)]+)\)?$/i;
const IMAGE_PATH = /\.(?:png|jpe?g|jfif|gif|webp|svg|avif|heic|heif|bmp|tiff?|ico)$/i;

export function isReference(address: string): boolean {
  return LINE.test(address) && address.trim() === address;
}

/** A text without the lines that consist only of a reference, and those references. */
export function takeReferenceLines(text: string): {
  readonly text: string;
  readonly references: readonly string[];
} {
  const lines = text.split('\n');
  const references = lines.flatMap((line) => LINE.exec(line)?.[1] ?? []);
  if (references.length === 0) return { text, references };
  return { text: lines.filter((line) => !LINE.test(line)).join('\n'), references };
}

/** References within a sentence. The text keeps them, because they are part of the sentence. */
export function referencesIn(text: string): readonly string[] {
  return [...new Set(text.match(WORDS) ?? [])];
}

/** The public URL of an image, if the text consists only of that URL or of a Markdown image with it. */
export function publicImageIn(text: string): string | undefined {
  const trimmed = text.trim();
  const address = PUBLIC.exec(trimmed)?.[1];
  if (address === undefined || !URL.canParse(address)) return undefined;
  return trimmed.startsWith('!') || isImagePath(new URL(address).pathname) ? address : undefined;
}

export function isImagePath(path: string): boolean {
  return IMAGE_PATH.test(path);
}

/** Whether a file is attached as an image. An SVG is added as text, because it is code and the service has no such images. */
export function isImageFile(path: string): boolean {
  return isImagePath(path) && !/\.svg$/i.test(path);
}

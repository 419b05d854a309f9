/** A key that must not be found anywhere but in the editor's secret storage. */
export const CANARY = 'sk-canary-Zq7/9+Xw2=Kf4LmPvB8';

type Form = readonly [name: string, bytes: Buffer];

/** The forms in which a key could be found in a file or message. */
function formsOf(key: string): readonly Form[] {
  const plain = Buffer.from(key);
  const half = plain.length >> 1;
  return [
    ['plain', plain],
    // In a database file, the key can be divided between two pages; then at least one half of it is complete.
    ['first half', plain.subarray(0, half)],
    ['second half', plain.subarray(half)],
    ['UTF-16', Buffer.from(key, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(key, 'utf16le').swap16()],
    ['percent-encoded', Buffer.from(encodeURIComponent(key))],
    ['hexadecimal', Buffer.from(plain.toString('hex'))],
    ...[0, 1, 2].flatMap((shift): Form[] => {
      // The characters that don't depend on the bytes around the key.
      const from = 4 * Math.ceil(shift / 3);
      const encoded = Buffer.concat([Buffer.alloc(shift), plain]).toString('base64');
      const sure = encoded.slice(from, Math.floor((shift + plain.length) / 3) * 4);
      return [
        [`Base64, at ${shift}`, Buffer.from(sure)],
        [`Base64 of addresses, at ${shift}`, Buffer.from(sure.replaceAll('+', '-').replaceAll('/', '_'))],
      ];
    }),
  ];
}

/** The names of the forms in which a key is among these bytes. */
export function occurrencesOf(bytes: Uint8Array, key: string): readonly string[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return formsOf(key).flatMap(([name, form]) => (all.includes(form) ? [name] : []));
}

/** The forms of the key of the tests, with their bytes as characters. */
export const BYTE_FORMS: readonly (readonly [name: string, bytes: string])[] = formsOf(CANARY).map(
  ([name, form]) => [name, form.toString('latin1')],
);

/** The forms of the key of the tests that can be searched in a text. */
export const TEXT_FORMS: readonly string[] = formsOf(CANARY)
  .filter(([name]) => !name.startsWith('UTF-16') && !name.endsWith('half'))
  .map(([, form]) => form.toString());

/**
 * Removes the API key from what a service says about a request. Some servers repeat it in an error, and those texts are
 * shown, logged, stored, and copied (docs/security.md, Addresses and keys).
 */
import { ServiceError } from './errors.ts';
import type { BodyStreamEvent } from './types.ts';

/** In characters. A shorter key would be found inside words. */
const SHORTEST_KEY = 6;
const MASK = '•••';

export interface KeyMask {
  /** A text without the key, also if it ends in the middle of the key. */
  text(text: string): string;
  error(error: ServiceError): ServiceError;
  /** Masks the ids and names of a chunk, which are logged. The text of the model is unchanged. */
  event(event: BodyStreamEvent): BodyStreamEvent;
}

export function createKeyMask(key: string): KeyMask {
  const forms = key.length < SHORTEST_KEY ? [] : formsOf(key);
  const has = (text: string | undefined) => text !== undefined && forms.some((form) => text.includes(form));
  const mask = (text: string) => forms.reduce(withoutForm, text);
  return {
    text: mask,
    error(error) {
      const details = Object.fromEntries(
        Object.entries(error.details).map(([name, value]) => [
          name,
          typeof value === 'string' ? mask(value) : value,
        ]),
      );
      const isSame = Object.entries(error.details).every(([name, value]) => details[name] === value);
      // The cause is left out, because it has the same text.
      return isSame ? error : new ServiceError(error.kind, details);
    },
    event(event) {
      if (event.type !== 'chunk') return event;
      const { id, model, finishReason } = event.chunk;
      if (!has(id) && !has(model) && !has(finishReason)) return event;
      const masked = (text: string | undefined) => (text === undefined ? undefined : mask(text));
      const facts = { id: masked(id), model: masked(model), finishReason: masked(finishReason) };
      return { type: 'chunk', chunk: { ...event.chunk, ...facts } };
    },
  };
}

/** The forms of the key in JSON, addresses, and headers, the longest first. */
function formsOf(key: string): readonly string[] {
  const encoded = encodeURIComponent(key);
  const forms = [
    key,
    JSON.stringify(key).slice(1, -1),
    encoded,
    encoded.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    encoded.toLowerCase(),
    Buffer.from(key).toString('base64'),
    Buffer.from(key)
      .toString('base64')
      .replace(/={1,2}$/, ''),
    Buffer.from(key).toString('base64url'),
  ];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function withoutForm(text: string, form: string): string {
  const masked = text.replaceAll(form, MASK);
  // Long texts are cut off, with or without an ellipsis, which can be in the middle of the key.
  const whole = masked.replace(/…$/, '');
  const end = masked.slice(whole.length);
  for (let length = Math.min(form.length - 1, whole.length); length >= SHORTEST_KEY; length--)
    if (whole.endsWith(form.slice(0, length))) return `${whole.slice(0, -length)}${MASK}${end}`;
  return masked;
}

import { readFileSync } from 'node:fs';
import { extensions, l10n } from 'vscode';

/** The key of the list of translations in a packaged bundle. No message is empty, so no message has this key. */
const LIST = '';
/** In the package: the English texts, in the same order as the translations of each language. */
const ENGLISH = 'l10n/texts.json';

let places: ReadonlyMap<string, number> | undefined;

/**
 * Replaces `vscode.l10n.t` when the extension is built (scripts/lib/oneEditorApi.mjs). In the package, the translations of a language
 * are a list without the English texts, which would otherwise be in the package five times (scripts/lib/packedTexts.mjs). In a
 * checkout, they have the format that the editor expects.
 */
export function translate(message: string, ...args: readonly (string | number | boolean)[]): string {
  return l10n.t(packed(message) ?? message, ...args);
}

/** The translation of a text; undefined in English, in a checkout, and for a text that isn't in the list. */
function packed(message: string): string | undefined {
  const list: unknown = l10n.bundle?.[LIST];
  if (!Array.isArray(list)) return undefined;
  places ??= readPlaces();
  const text: unknown = list[places?.get(message) ?? -1];
  return typeof text === 'string' ? text : undefined;
}

/** Undefined if the file was removed while the window is open: English texts are better than an error for each text. */
function readPlaces(): ReadonlyMap<string, number> | undefined {
  const folder = extensions.getExtension('k3-chat.k3-chat')?.extensionPath;
  try {
    const texts: unknown = JSON.parse(readFileSync(`${folder}/${ENGLISH}`, 'utf8'));
    return Array.isArray(texts) ? new Map(texts.map((text, place) => [String(text), place])) : undefined;
  } catch {
    return undefined;
  }
}

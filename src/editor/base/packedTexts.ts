import { readFileSync } from 'node:fs';
import { extensions, l10n } from 'vscode';

/** Under this name, the translations of a package are a list. No text is empty, so none has this name. */
const LIST = '';
/** In the package: the English texts in the order of each list. */
const ENGLISH = 'l10n/texts.json';

let places: ReadonlyMap<string, number> | undefined;

/**
 * Takes the place of `vscode.l10n.t` when the extension is built (scripts/lib/oneEditorApi.mjs). In the package, the translations of a
 * language are a list without the English texts, which would be there five times (scripts/lib/packedTexts.mjs). In a checkout, they
 * are what the editor expects.
 */
export function translate(message: string, ...args: readonly (string | number | boolean)[]): string {
  return l10n.t(packed(message) ?? message, ...args);
}

/** The translation of a text; nothing in English, in a checkout, and for a text that is in no list. */
function packed(message: string): string | undefined {
  const list: unknown = l10n.bundle?.[LIST];
  if (!Array.isArray(list)) return undefined;
  places ??= readPlaces();
  const text: unknown = list[places?.get(message) ?? -1];
  return typeof text === 'string' ? text : undefined;
}

/** Nothing if the file was removed under a running window: English texts are better than an error at each of them. */
function readPlaces(): ReadonlyMap<string, number> | undefined {
  const folder = extensions.getExtension('k3-chat.k3-chat')?.extensionPath;
  try {
    const texts: unknown = JSON.parse(readFileSync(`${folder}/${ENGLISH}`, 'utf8'));
    return Array.isArray(texts) ? new Map(texts.map((text, place) => [String(text), place])) : undefined;
  } catch {
    return undefined;
  }
}

import * as vscode from 'vscode';
import { compactText } from '../../panel/numberFormats.ts';
import { fillPlaceholders } from '../../panel/placeholders.ts';

/**
 * A text whose form depends on a number: `plural(t('{0, plural, one {# file} other {# files}}'), files.length)`. The
 * translation has the forms of its language. `t` gets no values, because it knows no forms.
 */
export function plural(message: string, ...values: readonly (string | number)[]): string {
  return fillPlaceholders(message, vscode.env.language, values, undefined, ofTexts());
}

/** The language of the texts: English if the editor has no translations for the display language. */
export const ofTexts = (): string => (vscode.l10n.bundle === undefined ? 'en' : vscode.env.language);

/** The same with short numbers, for where there is little room: “5.8K tokens”. */
export function compactPlural(message: string, ...values: readonly (string | number)[]): string {
  return fillPlaceholders(message, vscode.env.language, values, compactText, ofTexts());
}

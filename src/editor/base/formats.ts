/** Numbers in the display language of the editor. */
import * as vscode from 'vscode';
import { DURATION_WORDS, durationText } from '../../panel/durations.ts';
import { moneyText, numberText, percentText } from '../../panel/numberFormats.ts';
import { MIN_USD } from '../../panel/usage.ts';
import { toWords } from './panelWords.ts';
import { compactPlural, plural } from './plural.ts';

const t = vscode.l10n.t;

export function formatTokens(tokens: number): string {
  return numberText(tokens, vscode.env.language);
}

/** A number of tokens with its unit. */
export function tokensText(tokens: number): string {
  return plural(t('{0, plural, one {# token} other {# tokens}}'), Math.round(tokens));
}

/** The same where there is little room: “5.8K tokens”. */
export function compactTokens(tokens: number): string {
  return compactPlural(t('{0, plural, one {# token} other {# tokens}}'), Math.round(tokens));
}

/** An estimated number of tokens with its unit. */
export function aboutTokensText(tokens: number): string {
  return plural(t('about {0, plural, one {# token} other {# tokens}}'), Math.round(tokens));
}

/** The same where there is little room. */
export function aboutCompactTokens(tokens: number): string {
  return compactPlural(t('about {0, plural, one {# token} other {# tokens}}'), Math.round(tokens));
}

/** USD. Small amounts have more decimals, so that they are not shown as zero. */
export function formatCost(usd: number): string {
  if (usd > 0 && usd < MIN_USD) return t('less than {0}', formatCost(MIN_USD));
  const digits = usd === 0 ? 2 : usd < 0.01 ? 4 : usd < 1 ? 3 : 2;
  return moneyText(usd, vscode.env.language, digits);
}

/** Formats a duration in milliseconds: `0.8 s`, `12 s`, `2 min 05 s`, `3 h 05 min`, `1 d 12 h`. */
export function formatSeconds(ms: number): string {
  const words = toWords(DURATION_WORDS);
  return durationText(ms, (word, ...values) => plural(words[word], ...values));
}

export function formatShare(part: number, total: number): string {
  return percentText(total === 0 ? 0 : part / total, vscode.env.language);
}

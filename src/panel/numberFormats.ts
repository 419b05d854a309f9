/** Numbers in a display language, in the extension host and in the pages. `language` is a tag like `de` or `zh-cn`. */

/** Cached, because creating a format takes longer than all other work for a line with figures. */
const formats = new Map<string, Intl.NumberFormat>();

function toText(value: number, language: string, options: Intl.NumberFormatOptions): string {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, format);
  return format.format(value);
}

/** @param least the minimum number of decimals, which are shown even if they are zero */
export function numberText(value: number, language: string, most = 0, least = 0): string {
  // These look the same in all display languages. Creating the first format of a page takes 15 ms on a busy machine, before
  // anything is shown.
  if (least === 0 && Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  return toText(value, language, { minimumFractionDigits: least, maximumFractionDigits: most });
}

/** With at most one decimal and the unit of its size: `5.8K`. */
export function compactText(value: number, language: string): string {
  return toText(value, language, { notation: 'compact' });
}

/** @param digits the minimum number of decimals, which are shown even if they are zero; at most `most` */
export function moneyText(usd: number, language: string, digits: number, most = digits): string {
  return toText(usd, language, {
    style: 'currency',
    currency: 'USD',
    // “$” in every language: there are no amounts in other dollars.
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: most,
  });
}

/** @param share 0 to 1 */
export function percentText(share: number, language: string): string {
  return toText(share, language, { style: 'percent' });
}

/**
 * @param day `2026-11-22`
 * @param form `short` leaves out the year
 */
export function dayText(day: string, language: string, form: 'medium' | 'short' = 'medium'): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(language, {
    timeZone: 'UTC',
    ...(form === 'medium' ? { dateStyle: 'medium' } : { month: 'numeric', day: 'numeric' }),
  });
}

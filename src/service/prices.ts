/** What tokens cost (R10). */

/** USD per million tokens. */
export interface Prices {
  readonly input: number;
  /** For input that the service has in its cache. */
  readonly cachedInput: number;
  /** For answers and reasoning. */
  readonly output: number;
}

/** The prices that the service documents, and the default of the setting `k3.prices`. */
export const DEFAULT_PRICES: Prices = { input: 3, cachedInput: 0.3, output: 15 };

/** The numbers and names that the service documents (docs/service.md). */

/** The version of the interface, as it stands in every path. This is the only place that names it (M2). */
export const VERSION_PREFIX = '/v1';

/** The only model the service has (Q3). */
export const DEFAULT_MODEL = 'svc-k3';

/** Output budget in tokens when a request names none; reasoning counts against it (Q7). */
export const DEFAULT_MAX_COMPLETION_TOKENS = 131_072;

/** Context window, and the ceiling to which a larger budget is clamped without a word (Q8, F4). In tokens. */
export const CONTEXT_WINDOW_TOKENS = 1_048_576;

/** Function definitions a request may carry (Q11). */
export const MAX_TOOLS = 128;

/** Prompt tokens below which the prefix cache is not counted in blocks, and the size of a block (R11). */
export const CACHE_THRESHOLD_TOKENS = 1024;
export const CACHE_BLOCK_TOKENS = 256;

/** USD per million tokens (R10). */
export interface Prices {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

export const DEFAULT_PRICES: Prices = { input: 3, cachedInput: 0.3, output: 15 };

/** Requests that one question may cause on its own, the first included (E6). */
export const MAX_TRIES = 3;

/**
 * Characters of one event of a response, or of a response that is no event stream. Real ones stay far below; a server
 * that never ends its line is not to fill the memory of the editor.
 */
export const LONGEST_EVENT = 64 * 1024 * 1024;

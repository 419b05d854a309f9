/** The limits and names that the service documents (docs/service.md). */

/** The API version in every path. Only this line names it (M2). */
export const VERSION_PREFIX = '/v1';

/** The only model that the service offers (Q3). */
export const DEFAULT_MODEL = 'svc-k3';

/** The output budget of a request that doesn't set one, in tokens. Reasoning counts against it (Q7). */
export const DEFAULT_MAX_COMPLETION_TOKENS = 131_072;

/**
 * The context window, in tokens. The service reduces a larger output budget to it without reporting that (Q8,
 * F4).
 */
export const CONTEXT_WINDOW_TOKENS = 1_048_576;

/** The maximum number of tools in a request (Q11). */
export const MAX_TOOLS = 128;

/** The number of prompt tokens from which the cache is counted in blocks, and the size of a block in tokens (R11). */
export const CACHE_THRESHOLD_TOKENS = 1024;
export const CACHE_BLOCK_TOKENS = 256;

/** The maximum number of times that a request is sent if it fails, including the first time (E6). */
export const MAX_TRIES = 3;

/**
 * The maximum length of an event, of all text of an event stream, or of another response, in characters. Real ones are
 * far shorter. The limit keeps a server that never ends from filling the editor's memory.
 */
export const MAX_EVENT_LENGTH = 64 * 1024 * 1024;

/** The number of characters that are kept of each text of an error. A gateway can repeat a whole request after its message. */
export const MESSAGE_LENGTH = 10_000;

/** The number of characters of an unreadable body that an error shows. */
export const EXCERPT_LENGTH = 400;

/** The maximum length of all headers of a response, in bytes. Some gateways send more than Node's limit of 16 KiB. */
export const MAX_HEADERS_LENGTH = 256 * 1024;

/** Returns the path of a Chromium: $K3_CHROMIUM, the machine's own, Debian's package, or one from the npm registry. */
export function ensureChromium(): Promise<string>;

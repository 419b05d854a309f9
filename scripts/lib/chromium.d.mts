/** The path of a Chromium: $K3_CHROMIUM, the machine's own, Debian's package, or the one from the npm registry. */
export function ensureChromium(): Promise<string>;

export function referenceOf(manifest: unknown, words: Record<string, string>): string;

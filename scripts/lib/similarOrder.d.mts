export function inSimilarOrder(texts: readonly string[]): string[];

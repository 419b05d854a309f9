export function packTexts(files: Record<string, Uint8Array>): Record<string, Uint8Array>;

export function librariesOf(files: readonly string[]): string[];
export function noticesOf(root: string, files: readonly string[]): string;

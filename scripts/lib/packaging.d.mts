export function packageInto(file: string, cwd: string): Promise<string[]>;
export function unpackInto(folder: string, file: string): Promise<void>;
export function compressAgain(file: string): Promise<void>;

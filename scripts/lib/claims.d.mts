export function claim(file: string): (() => void) | undefined;
export function oneAtATime<T>(file: string, body: () => Promise<T>): Promise<T>;

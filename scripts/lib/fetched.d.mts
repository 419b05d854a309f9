export function fetched(
  name: string,
  line: string,
  fill: (folder: string) => Promise<unknown>,
): Promise<string>;
export function installPackage(folder: string, ...specs: string[]): Promise<void>;

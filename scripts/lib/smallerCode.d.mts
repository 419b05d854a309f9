export function makeSmaller(
  file: string,
  options: { isModule: boolean; hasMap?: boolean; folder?: string },
): Promise<void>;

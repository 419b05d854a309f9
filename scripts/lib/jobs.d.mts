export function longestFirst<T extends { readonly name: string; readonly seconds: number }>(
  jobs: readonly T[],
  times: Readonly<Record<string, number>>,
): T[];

export function run(
  command: string,
  args: readonly string[],
  options?: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly quiet?: boolean },
): Promise<{ readonly code: number; readonly output: string }>;

export interface Program {
  code: string;
  map?: string;
}
export function kept(
  folder: string,
  from: readonly unknown[],
  make: () => Promise<Program>,
  most?: number,
): Promise<Program>;

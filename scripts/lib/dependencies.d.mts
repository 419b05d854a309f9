export function ensureDependencies(): Promise<void>;
export function refuseLinked(folder: string): Promise<void>;

export function removeEarlierBuild(outdir: string, project: string): void;
export function isUpToDate(file: string, sources: string): boolean;

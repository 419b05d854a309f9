export function removeEarlierBuild(outdir: string, project: string): void;

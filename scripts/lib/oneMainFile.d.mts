import type { Plugin } from 'esbuild';
export function oneMainFile(entry: string): Plugin;

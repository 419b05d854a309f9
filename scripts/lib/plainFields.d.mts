import type { Plugin } from 'esbuild';

export const plainFields: Plugin;

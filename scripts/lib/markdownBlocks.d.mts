import type { Plugin } from 'esbuild';

export const markdownBlocks: Plugin;

import type { Plugin } from 'esbuild';

export function namedIcons(css: string, sources: string): { css: string; characters: string };
export function iconsOf(root: string): { css: string; characters: string };
export function iconFont(root: string): Plugin;

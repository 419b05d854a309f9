import type { Plugin } from 'esbuild';

export declare const oneEditorApi: Plugin;
export declare function withOneApi(code: string): string;

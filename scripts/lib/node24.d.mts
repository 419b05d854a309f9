export const OLDEST_NODE: string;
export function ensureNode24(): Promise<string>;
export function ensureNode(version: string): Promise<string>;
export function underNode24(): Promise<void>;

export function ensureCodeServer(): Promise<{ vscode: string; nodeMajor: string }>;

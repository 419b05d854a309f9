export function ensureMcpServer(): Promise<string>;

export interface EditorServer {
  /** The address of its workbench, such as http://127.0.0.1:4711. */
  url: string;
  /** Resolves when the process has ended. */
  ended: Promise<unknown>;
  /** Its output so far. */
  log(): string;
  stop(): Promise<void>;
}

export const calmSettings: Record<string, unknown>;
export const chromiumSwitches: string[];
export function writeSettings(dataFolder: string, settings: Record<string, unknown>): Promise<void>;
export function startEditorServer(options: {
  dataFolder: string;
  env?: Record<string, string | undefined>;
  trust?: boolean;
  port?: number;
  extension?: string;
  token?: string;
  lean?: boolean;
  driver?: boolean;
}): Promise<EditorServer>;
export function workbenchAddress(
  url: string,
  options: { folder?: string; extension: string; tests?: string },
): string;

export function installPackageFile(dataFolder: string, file: string): Promise<void>;

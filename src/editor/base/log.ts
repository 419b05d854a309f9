/** The log holds facts about requests, never a header, a body, or a key (docs/security.md). */
export interface Log {
  info(line: string): void;
  warn(line: string): void;
}

/** Lines counted from 0. The end is included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

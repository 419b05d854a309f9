export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
export function mutationsOf(name: string, source: string): Mutation[];
export function described(source: string, mutation: Mutation): { line: number; change: string };

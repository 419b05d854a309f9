interface Graph {
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly page: ReadonlySet<string>;
  readonly program: ReadonlySet<string>;
}

export interface AffectedTests {
  readonly unit: readonly string[];
  readonly editor: readonly string[];
  readonly pages: readonly string[];
  readonly workbench: readonly string[];
}

export function affectedTests(changed: readonly string[], graph: Graph): AffectedTests;

export function readGraph(): Promise<Graph>;

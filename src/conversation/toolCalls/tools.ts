/** The types of tools for a turn: definitions, calls, and results. */

/** A function that the model can call. */
export interface ToolDefinition {
  /** The name on the wire: letters, digits, `_`, and `-`, at most 64 characters, unique. */
  readonly name: string;
  readonly description: string;
  /** The JSON schema of the arguments: an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Who provides the tool: `k3` for our own, otherwise the source that the editor reports. Shown to the user
   * and used for approvals.
   */
  readonly source: string;
}

/** The result of a tool. */
export interface ToolResult {
  readonly text: string;
  /** Images of the result. Those that are omitted are not sent, because the route does not take images. */
  readonly images?: readonly { readonly type: string; readonly base64: string; readonly omitted?: true }[];
  readonly failed?: true;
  /** The user refused the call. The text says so to the model. */
  readonly refused?: true;
  /** The user stopped the running call. The text says so to the model. */
  readonly stopped?: true;
}

/** The images of a result that go with requests. */
export const sentImagesIn = (result: ToolResult | undefined): NonNullable<ToolResult['images']> =>
  (result?.images ?? []).filter(({ omitted }) => omitted !== true);

/** A call whose arguments were parsed and validated against the tool's schema. */
export interface ReadyCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Provides tools to a turn and runs calls. `run` rejects only if the signal was aborted. */
export interface Toolbox {
  readonly definitions: readonly ToolDefinition[];
  /** The titles of the tools of others, as the user reads them, by the names of the tools. */
  readonly titles?: ReadonlyMap<string, string>;
  /** A hash of everything that determines the tools, except the tools of others, see `hashOfChoice`. */
  readonly choice?: string;
  /** @param onState called when the call starts to wait for the user's approval, and when it starts to run */
  run(
    call: ReadyCall,
    signal: AbortSignal,
    onState?: (state: 'waiting' | 'running') => void,
  ): Promise<ToolResult>;
}

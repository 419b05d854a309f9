/** What tools are to a turn: what is offered, what is called, and what comes back. */

/** A function that the model may call. */
export interface ToolDefinition {
  /** As it goes over the wire: letters, digits, `_` and `-`, at most 64, unique. */
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments: an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Who offers it: `k3` for our own, otherwise what the editor says, for people and for approvals. */
  readonly source: string;
}

/** What a tool gave. */
export interface ToolResult {
  readonly text: string;
  /** Images that belong to it. */
  readonly images?: readonly { readonly type: string; readonly base64: string }[];
  readonly failed?: true;
  /** The reader did not allow the call; the text says so to the model. */
  readonly refused?: true;
  /** The reader stopped the call while it ran; the text says so to the model. */
  readonly stopped?: true;
}

/** A call whose arguments were parsed and validated against the tool's schema. */
export interface ReadyCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Offers tools to a turn and runs what is called. `run` rejects only when the signal was aborted. */
export interface Toolbox {
  readonly definitions: readonly ToolDefinition[];
  /** @param onState told when the call begins to wait for the reader, and when it begins to run */
  run(
    call: ReadyCall,
    signal: AbortSignal,
    onState?: (state: 'waiting' | 'running') => void,
  ): Promise<ToolResult>;
}

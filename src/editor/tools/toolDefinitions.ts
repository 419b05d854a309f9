/** The interface of the built-in tools, and helpers for their definitions and arguments. */
import type * as vscode from 'vscode';
import { OWN_SOURCE } from '../../conversation/toolCalls/toolNames.ts';
import type { ToolDefinition, ToolResult } from '../../conversation/toolCalls/tools.ts';
import type { ToolFileAccess } from './toolFileAccess.ts';

/** The context of a call. */
export interface ToolContext {
  readonly conversationId: string;
  readonly access: ToolFileAccess;
  readonly signal: AbortSignal;
  /** Reports whether the call waits for the user. */
  enter(state: 'waiting' | 'running'): void;
  /** Cancelled together with the signal, for functions of the editor. */
  readonly token: vscode.CancellationToken;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface BuiltInTool {
  readonly definition: ToolDefinition;
  /** What a call with these arguments does, as one line for the user. The arguments may be wrong or incomplete. */
  title(args: ToolArguments): string;
  /** Set if the tool does more than read files, so that it isn't available in Restricted Mode. */
  readonly needsTrust?: true;
  /** Throws a `ToolRefusal` when access isn't allowed or the arguments are wrong. */
  run(args: ToolArguments, call: ToolContext): Promise<ToolResult>;
}

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The schema of the argument for a file or folder. */
export const PATH = {
  type: 'string',
  description: 'A path relative to the workspace, with / between its parts.',
};

/** Creates the definition of a built-in tool, which accepts no other arguments than these. */
export function createDefinition(
  name: string,
  description: string,
  properties: Properties,
  required: readonly string[],
): ToolDefinition {
  const parameters = { type: 'object', additionalProperties: false, required, properties };
  return { name, description, parameters, source: OWN_SOURCE };
}

/** Reads a string argument. Arguments are already validated, so undefined means an omitted optional argument. */
export const textIn = (args: ToolArguments, key: string): string | undefined => {
  const value = args[key];
  return typeof value === 'string' ? value : undefined;
};

/** Reads a number argument, like `textIn`. */
export const numberIn = (args: ToolArguments, key: string): number | undefined => {
  const value = args[key];
  return typeof value === 'number' ? value : undefined;
};

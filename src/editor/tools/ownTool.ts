/** What a tool of our own is, and what it gets. */
import type * as vscode from 'vscode';
import { OWN_SOURCE } from '../../chat/toolNames.ts';
import type { ToolDefinition, ToolResult } from '../../chat/tools.ts';
import type { ToolPlaces } from './toolPlaces.ts';

/** What a call has at hand. */
export interface OwnCall {
  readonly conversationId: string;
  readonly places: ToolPlaces;
  readonly signal: AbortSignal;
  /** The same as the signal, for the editor's own functions. */
  readonly token: vscode.CancellationToken;
}

export type OwnArguments = Readonly<Record<string, unknown>>;

export interface OwnTool {
  readonly definition: ToolDefinition;
  /** Needs more than reading files, so it is not offered in Restricted Mode. */
  readonly needsTrust?: true;
  /** Throws a `ToolRefusal` for what the model may not have or has to ask otherwise. */
  run(args: OwnArguments, call: OwnCall): Promise<ToolResult>;
}

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The argument by which a tool is told which file or folder. */
export const PATH = {
  type: 'string',
  description: 'A path relative to the workspace, with / between its parts.',
};

/** The definition of a tool of ours: no other arguments than these, and these required. */
export function createDefinition(
  name: string,
  description: string,
  properties: Properties,
  required: readonly string[],
): ToolDefinition {
  const parameters = { type: 'object', additionalProperties: false, required, properties };
  return { name, description, parameters, source: OWN_SOURCE };
}

/** Arguments are validated before they come here; what is optional may be missing. */
export const textIn = (args: OwnArguments, key: string): string | undefined => {
  const value = args[key];
  return typeof value === 'string' ? value : undefined;
};

export const numberIn = (args: OwnArguments, key: string): number | undefined => {
  const value = args[key];
  return typeof value === 'number' ? value : undefined;
};

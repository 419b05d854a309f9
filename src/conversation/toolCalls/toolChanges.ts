/** What has changed of a tool since the user allowed it. */
import { hashOfTool } from './toolNames.ts';
import type { ToolDefinition } from './tools.ts';

/** What a tool said of itself when it was allowed. */
export type AllowedDefinition = Pick<ToolDefinition, 'description' | 'parameters'>;

/** An approval. */
export interface ApprovedTool {
  /** The hash of the tool's complete definition. When the definition changes, the approval no longer applies. */
  readonly hash: string;
  readonly name: string;
  readonly source: string;
  /** To show what has changed. Only the hash decides whether the approval applies. */
  readonly definition?: AllowedDefinition | undefined;
}

export type ToolChange = 'description' | 'parameters' | 'both';

/**
 * The definition of a tool that the user has allowed before it changed, the latest one. A server with the same name in
 * another workspace is another server, and what was allowed of it is not what has changed.
 *
 * @param scope where the source is valid, see `hashOfTool`
 */
export function allowedBefore(
  approved: readonly ApprovedTool[],
  tool: ToolDefinition,
  scope: string,
): AllowedDefinition | undefined {
  return approved.findLast(
    ({ hash, name, source, definition }) =>
      name === tool.name &&
      source === tool.source &&
      definition !== undefined &&
      hashOfTool({ ...tool, ...definition }, scope) === hash,
  )?.definition;
}

export function toolChangeOf(before: AllowedDefinition, tool: ToolDefinition): ToolChange {
  const hash = hashOfTool(tool);
  if (hashOfTool({ ...tool, description: before.description }) === hash) return 'parameters';
  return hashOfTool({ ...tool, parameters: before.parameters }) === hash ? 'description' : 'both';
}

/** All that a tool says of itself, as text that can be compared line by line. */
export function toDefinitionText({ description, parameters }: AllowedDefinition): string {
  return `${description}\n\n${JSON.stringify(parameters, undefined, 2)}\n`;
}

/** Finds what has changed in a tool since the user allowed it. */
import { hashOfTool } from './toolNames.ts';
import type { ToolDefinition } from './tools.ts';

/** The definition of a tool at the time when it was allowed. */
export type AllowedDefinition = Pick<ToolDefinition, 'description' | 'parameters'>;

/** An approval. */
export interface ApprovedTool {
  /** The hash of the tool's complete definition. When the definition changes, the approval no longer applies. */
  readonly hash: string;
  readonly name: string;
  readonly source: string;
  /** Used to show what has changed. Only the hash decides whether the approval applies. */
  readonly definition?: AllowedDefinition | undefined;
}

export type ToolChange = 'description' | 'parameters' | 'both';

/**
 * The latest definition of a tool that the user allowed before the tool changed. A server with the same name in another workspace
 * is another server, so an approval of its tools doesn't count.
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

/** The description and the parameters of a tool, as text that can be compared line by line. */
export function toDefinitionText({ description, parameters }: AllowedDefinition): string {
  return `${description}\n\n${JSON.stringify(parameters, undefined, 2)}\n`;
}

/** Names of tools on the wire, and the identity that an approval is bound to. */
import { createHash } from 'node:crypto';
import type { ToolDefinition } from './tools.ts';

const MAX_CHARACTERS = 64;

/** The source of our own tools. */
export const OWN_SOURCE = 'k3';

/** The prefix of the source of tools from MCP servers. The name of the server follows. */
export const SERVER_SOURCE = 'MCP: ';

/**
 * A valid wire name for each of these tool names. An invalid name gets a part of its hash, so that it doesn't
 * depend on other tools or change over time. A name that is already taken counts as invalid.
 *
 * @param names without duplicates
 * @param taken names on the wire that belong to other tools
 */
export function toWireNames(
  names: readonly string[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const wire = new Map<string, string>();
  for (const name of names) {
    const plain = name.replace(/[^\w-]/g, '_');
    const fits = plain === name && name.length > 0 && name.length <= MAX_CHARACTERS && !taken.has(name);
    wire.set(name, fits ? name : withHash(plain, name));
  }
  return wire;
}

function withHash(plain: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${plain.slice(0, MAX_CHARACTERS - hash.length - 1)}_${hash}`;
}

/** Compares tools by name, so that their order is stable and the prefix of a request stays cached. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/**
 * The identity that an approval is bound to (docs/security.md, Approvals of tools): the name, description, parameters, and source
 * of a tool. If one of them changes, the hash changes.
 *
 * @param scope where the source is valid; empty if it is valid everywhere
 */
export function hashOfTool({ name, description, parameters, source }: ToolDefinition, scope = ''): string {
  const whole = JSON.stringify([name, description, sorted(parameters), source, scope]);
  return createHash('sha256').update(whole).digest('hex');
}

/** The value with the keys of all objects sorted, so that the same schema always has the same hash. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

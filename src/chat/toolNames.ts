/** Names of tools on the wire, and the identity to which an approval is bound. */
import { createHash } from 'node:crypto';
import type { ToolDefinition } from './tools.ts';

const MOST_CHARACTERS = 64;

/** `k3` is the source of our own tools. */
export const OWN_SOURCE = 'k3';

/** How the sources of tools of MCP servers begin; the name of the server follows. */
export const SERVER_SOURCE = 'MCP: ';

/**
 * A name for each of these, as the wire takes it: a name that does not fit gets a piece of its hash, so that it is the
 * same tomorrow and in any company. A name that is taken already counts as one that does not fit.
 *
 * @param names each of them once
 * @param taken names on the wire that belong to others
 */
export function toWireNames(
  names: readonly string[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const wire = new Map<string, string>();
  for (const name of names) {
    const plain = name.replace(/[^\w-]/g, '_');
    const fits = plain === name && name.length > 0 && name.length <= MOST_CHARACTERS && !taken.has(name);
    wire.set(name, fits ? name : withHash(plain, name));
  }
  return wire;
}

function withHash(plain: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${plain.slice(0, MOST_CHARACTERS - hash.length - 1)}_${hash}`;
}

/** The order in which tools are offered: the same whoever came first, so that the prefix of a request stays cached. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/**
 * What an approval is bound to (CVE-2025-54136): the name, the words, the arguments and the source of a tool. When one
 * of them is another, so is this.
 *
 * @param scope where the source means what it says; empty when it does everywhere
 */
export function hashOfTool({ name, description, parameters, source }: ToolDefinition, scope = ''): string {
  const whole = JSON.stringify([name, description, sorted(parameters), source, scope]);
  return createHash('sha256').update(whole).digest('hex');
}

/** The same value with the keys of every object in one order: a schema is the same however it was written down. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

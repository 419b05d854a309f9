/**
 * Suggests a name for a new route from its address: “example” for `https://api.example.com`, “local” for this computer. If the name is
 * taken, a number is added.
 */
import { isLoopbackAddress } from '../../service/address.ts';

/** Labels at the start of a host name that don't identify its owner. */
const GENERAL = new Set(['api', 'www', 'gateway', 'llm', 'ai', 'v1']);

export function suggestRouteName(root: string, taken: ReadonlySet<string>): string {
  const name = nameOf(root);
  for (let number = 1; ; number++) {
    const suggested = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(suggested)) return suggested;
  }
}

function nameOf(root: string): string {
  if (isLoopbackAddress(root)) return 'local';
  const { hostname } = new URL(root);
  // The parts of an IP address have no meaning.
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname;
  const labels = hostname.split('.');
  const owned = labels.slice(0, Math.max(1, labels.length - 1));
  return owned.find((label) => !GENERAL.has(label)) ?? hostname;
}

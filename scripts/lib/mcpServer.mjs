/** Installs a real MCP server from the npm registry, written by the authors of the protocol for testing clients. */
import { join } from 'node:path';
import { fetched, installPackage } from './fetched.mjs';

const version = '2026.8.31';

/** Returns the file that starts the server when it is run with the argument `stdio`. */
export async function ensureMcpServer() {
  const name = '@modelcontextprotocol/server-everything';
  const folder = await fetched(
    `mcp-everything-${version}`,
    `Getting an MCP server for the tests (${name} ${version}) …`,
    (part) => installPackage(part, `${name}@${version}`),
  );
  return join(folder, 'node_modules', name, 'dist/index.js');
}

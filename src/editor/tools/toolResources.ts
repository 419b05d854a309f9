/** Resources in the results of MCP servers, of which the editor gives only the addresses. */
import { isBinaryFileSync } from 'isbinaryfile';
import * as vscode from 'vscode';
import { SERVER_SOURCE } from '../../conversation/toolCalls/toolNames.ts';
import { fieldOf } from '../base/ownField.ts';

/** The type of data that is the address of a resource, in JSON. */
export const RESOURCE_LINK = 'application/vnd.code.resource-link';

/**
 * The text of a resource, or a note in brackets with its address. Reads only what the server of the tool provides: an
 * address of a file or a page could lead anywhere. Never rejects.
 *
 * @param source who provides the tool
 */
export async function readToolResource(link: Uint8Array, source: string): Promise<string> {
  const uri = uriOf(link);
  if (uri === undefined) return '[A resource without an address.]';
  const note = (what: string) => `[${what}: ${uri.toString(true)}]`;
  if (uri.scheme !== 'mcp-resource' || !isOfSource(uri, source)) return note('A resource that was not read');
  try {
    const bytes = Buffer.from(await vscode.workspace.fs.readFile(uri));
    return isBinaryFileSync(bytes) ? note('A resource that is not text') : bytes.toString();
  } catch {
    return note('A resource that cannot be read');
  }
}

/**
 * In its links, the editor names the server by its ID, which has its name, in hexadecimal digits. But a server can call other data
 * a link as well, and name another server. What an extension gives is its own affair: it can read all of them.
 */
function isOfSource({ authority }: vscode.Uri, source: string): boolean {
  const id = Buffer.from(authority, 'hex')
    .toString()
    .replace(/^mcp\.config\.\w+/, '');
  return (
    !source.startsWith(SERVER_SOURCE) || toPlain(id).includes(toPlain(source.slice(SERVER_SOURCE.length)))
  );
}

/** The names of tools have names of servers in other letters. */
const toPlain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function uriOf(link: Uint8Array): vscode.Uri | undefined {
  try {
    const uri = fieldOf(JSON.parse(Buffer.from(link).toString()), 'uri');
    if (typeof uri === 'string') return vscode.Uri.parse(uri, true);
    const part = (name: string) => String(fieldOf(uri, name) ?? '');
    const [scheme, authority, path, query] = [part('scheme'), part('authority'), part('path'), part('query')];
    return scheme ? vscode.Uri.from({ scheme, authority, path, query }) : undefined;
  } catch {
    return undefined;
  }
}

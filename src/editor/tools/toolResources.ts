/** Resources in the results of MCP servers, of which the editor gives only the addresses. */
import { isBinaryFileSync } from 'isbinaryfile';
import * as vscode from 'vscode';
import { SERVER_SOURCE } from '../../conversation/toolCalls/toolNames.ts';
import { fieldOf } from '../base/ownField.ts';

/** The type of data that is the address of a resource, in JSON. */
export const RESOURCE_LINK = 'application/vnd.code.resource-link';

/** Larger ones are not read, as files. In bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Who provides a tool. */
export interface ToolProvider {
  readonly source: string;
  /** The name of the tool in the editor. */
  readonly editorName: string;
  /** The MCP server, as newer editors name it, which can have dashes in place of spaces. */
  readonly server?: string;
}

/**
 * The text of a resource, or a note in brackets with its address. Reads only what the server of the tool provides: an
 * address of a file or a page could lead anywhere. Never rejects.
 */
export async function readToolResource(link: Uint8Array, tool: ToolProvider): Promise<string> {
  const uri = uriOf(link);
  if (uri === undefined) return '[A resource without an address.]';
  const note = (what: string) => `[${what}: ${uri.toString(true)}]`;
  if (uri.scheme !== 'mcp-resource' || !isOfSource(uri, tool)) return note('A resource that was not read');
  try {
    const bytes = Buffer.from(await vscode.workspace.fs.readFile(uri));
    if (bytes.length > MAX_BYTES) return note('A resource that is too large');
    return isBinaryFileSync(bytes) ? note('A resource that is not text') : bytes.toString();
  } catch {
    return note('A resource that cannot be read');
  }
}

/**
 * In its links, the editor names the server by its ID, which has its name at the end, in hexadecimal digits. But a server can call
 * other data a link as well, and name another server. What an extension gives is its own affair: it can read all of them.
 */
function isOfSource({ authority }: vscode.Uri, { source, editorName, server }: ToolProvider): boolean {
  if (!source.startsWith(SERVER_SOURCE)) return true;
  const id = Buffer.from(authority, 'hex').toString().toLowerCase();
  const configured = /^(?:mcp\.config|workspace-dot-mcp)\.\w+\.(.+)$/s.exec(id)?.[1];
  const name = configured ?? id.slice(Math.max(id.lastIndexOf('/'), id.lastIndexOf('.')) + 1);
  if (server === undefined) return isNamedBy(name, editorName);
  const own = toLabel(server);
  const isEnd = configured === undefined && [`.${own}`, `/${own}`].some((end) => toLabel(id).endsWith(end));
  const whole = configured ?? id;
  return isEnd || toLabel(whole) === own || ALIASES.get(own)?.test(whole) === true;
}

const toLabel = (name: string): string => name.toLowerCase().replace(/\s+/g, '-');

/** The names of servers that the editor gives another one. */
const ALIASES: ReadonlyMap<string, RegExp> = new Map([
  ['github', /(?:^|github\/)github-mcp-server$/],
  ['playwright', /microsoft\/playwright-mcp$/],
]);

/** The names of tools begin with that of their server, cut, and with a number if several begin so. */
const CUT = 12;

function isNamedBy(name: string, editorName: string): boolean {
  const start = name
    .replace(/[^a-z0-9_.-]+/g, '_')
    .replaceAll('.', '_')
    .slice(0, CUT);
  const rest = editorName.slice(`mcp_${start}`.length);
  return editorName.startsWith(`mcp_${start}`) && (start.length === CUT || /^\d*_/.test(rest));
}

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

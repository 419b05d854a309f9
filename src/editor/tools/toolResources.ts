/** Reads resources in the results of MCP servers. The editor only passes on their URIs. */
import { isBinaryFileSync } from 'isbinaryfile';
import * as vscode from 'vscode';
import { SERVER_SOURCE } from '../../conversation/toolCalls/toolNames.ts';
import { fieldOf } from '../base/ownField.ts';

/** The MIME type of data that contains the URI of a resource, as JSON. */
export const RESOURCE_LINK = 'application/vnd.code.resource-link';

/** The maximum size of a resource, as of files. In bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The provider of a tool. */
export interface ToolProvider {
  readonly source: string;
  /** The name of the tool in the editor. */
  readonly editorName: string;
  /** The name of the MCP server, which newer editors report. It can have dashes in place of spaces. */
  readonly server?: string;
}

/**
 * The text of a resource, or a note in brackets with its URI. Reads only what the server of the tool provides, because the
 * URI of a file or a page could lead anywhere. Never rejects.
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
 * Whether a URI is a resource of the server of a tool. In links that the editor creates, the authority is the ID of the
 * server in hexadecimal digits, which ends in its name. But a server can also declare other data to be a link, and name
 * another server. Extensions aren't checked, because they can read all resources anyway.
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

/** Servers to which the editor gives another name. */
const ALIASES: ReadonlyMap<string, RegExp> = new Map([
  ['github', /(?:^|github\/)github-mcp-server$/],
  ['playwright', /microsoft\/playwright-mcp$/],
]);

/**
 * The editor prefixes the names of tools with the name of their server, cut to this length, and adds a number if several
 * servers have the same prefix.
 */
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

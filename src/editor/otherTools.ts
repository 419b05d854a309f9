/** Tools of others: what the editor knows of them, and what they give. Extensions and MCP servers put them there. */
import * as vscode from 'vscode';
import { readImageHeader } from '../chat/imageHeader.ts';
import { planImage } from '../chat/imagePlan.ts';
import { sniffImage, sniffOther } from '../chat/images.ts';
import { byName, SERVER_SOURCE, toWireNames } from '../chat/toolNames.ts';
import type { ToolDefinition, ToolResult } from '../chat/tools.ts';
import { textOfPromptElement } from '../chat/toolText.ts';

/** The part of `vscode.lm` that is used here; an editor may have none of it. */
export type EditorTools = Partial<Pick<typeof vscode.lm, 'tools' | 'invokeTool'>>;

export interface OtherTool extends ToolDefinition {
  /** As the editor calls it. */
  readonly editorName: string;
}

export interface OtherTools {
  /** Those that are there at the moment, in a stable order. */
  list(): readonly OtherTool[];
  /** Rejects only when the signal was aborted. */
  run(tool: OtherTool, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
}

/** @param taken names on the wire that our own tools have */
export function createOtherTools(taken: ReadonlySet<string>, lm: EditorTools = vscode.lm): OtherTools {
  return {
    list() {
      const tools = (lm.tools ?? []).map((tool) => ({ tool, source: sourceOf(tool) }));
      const foreign = tools.flatMap(({ tool, source }) => (source === undefined ? [] : [{ tool, source }]));
      const names = toWireNames([...new Set(foreign.map(({ tool }) => tool.name))], taken);
      const seen = new Set<string>();
      return foreign
        .flatMap(({ tool, source }): readonly OtherTool[] => {
          const name = names.get(tool.name);
          if (name === undefined || seen.has(name)) return [];
          seen.add(name);
          const { description, inputSchema } = tool;
          return [
            { name, description, parameters: toParameters(inputSchema), source, editorName: tool.name },
          ];
        })
        .toSorted(byName);
    },
    async run(tool, args, signal) {
      if (lm.invokeTool === undefined) return { text: 'The editor runs no tools.', failed: true };
      const cancelling = new vscode.CancellationTokenSource();
      const cancel = () => cancelling.cancel();
      signal.addEventListener('abort', cancel);
      try {
        const options = { input: args, toolInvocationToken: undefined };
        const running = lm.invokeTool(tool.editorName, options, cancelling.token);
        return toResult((await untilAborted(running, signal)).content);
      } catch (error) {
        signal.throwIfAborted();
        return { text: error instanceof Error ? error.message : String(error), failed: true };
      } finally {
        signal.removeEventListener('abort', cancel);
        cancelling.dispose();
      }
    },
  };
}

/** A tool may not care that it was cancelled; the turn does not wait for it. */
function untilAborted<T>(running: Thenable<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    running.then(resolve, reject);
  });
}

/** Tools without arguments have no schema; the wire wants an object. */
function toParameters(schema: object | undefined): Readonly<Record<string, unknown>> {
  const fields: Readonly<Record<string, unknown>> = { ...schema };
  return fields['type'] === 'object' ? fields : { properties: {}, ...fields, type: 'object' };
}

/**
 * Who offers a tool. The stable API does not say, so it is looked up: tools of extensions stand in their manifests, those
 * of MCP servers are tagged. Undefined for our own tool for other chats, which would ask itself.
 */
function sourceOf(tool: vscode.LanguageModelToolInformation): string | undefined {
  const extension = vscode.extensions.all.find((one) => contributes(one.packageJSON, tool.name));
  if (extension?.id.toLowerCase() === 'k3-chat.k3-chat') return undefined;
  if (extension !== undefined) return extension.id;
  if (tool.tags.includes('mcp') || tool.name.startsWith('mcp_')) return `${SERVER_SOURCE}${serverOf(tool)}`;
  return 'VS Code';
}

function contributes(manifest: unknown, name: string): boolean {
  const contributed = fieldOf(fieldOf(manifest, 'contributes'), 'languageModelTools');
  return Array.isArray(contributed) && contributed.some((one: unknown) => fieldOf(one, 'name') === name);
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([k]) => k === key)?.[1]
    : undefined;
}

/** `mcp_everything_echo` is of the server `everything`; newer editors say `everything/echo` as well. */
function serverOf(tool: vscode.LanguageModelToolInformation): string {
  const full = fieldOf(tool, 'fullReferenceName');
  if (typeof full === 'string' && full.includes('/')) return full.slice(0, full.lastIndexOf('/'));
  return /^mcp_([^_]+)_/.exec(tool.name)?.[1] ?? tool.name;
}

/** The parts of a result. Of data that is neither text nor an image, only the kind and size are told. */
function toResult(content: readonly unknown[]): ToolResult {
  const texts: string[] = [];
  const images: { readonly type: string; readonly base64: string }[] = [];
  for (const part of content) {
    const data = dataOf(part);
    if (part instanceof vscode.LanguageModelTextPart) texts.push(part.value);
    else if (part instanceof vscode.LanguageModelPromptTsxPart) texts.push(textOfPromptElement(part.value));
    else if (data === undefined) texts.push('[A part of a kind that is not known here.]');
    else if (data.type.startsWith('image/')) {
      const image = toImage(data.bytes);
      if (typeof image === 'string') texts.push(image);
      else images.push(image);
    } else if (/^text\/|[/+]json$/.test(data.type)) texts.push(new TextDecoder().decode(data.bytes));
    else texts.push(`[Data: ${data.type}, ${data.bytes.length} bytes.]`);
  }
  return { text: texts.join('\n'), ...(images.length > 0 && { images }) };
}

/** An image as it may go to the service, or what is told in its place. Its bytes say what it is, not its label (Q6). */
function toImage(bytes: Uint8Array): { readonly type: string; readonly base64: string } | string {
  const header = readImageHeader(bytes);
  if (header === undefined) {
    const type = sniffImage(bytes);
    return type === undefined
      ? `[An image that the service does not take: ${sniffOther(bytes) ?? 'of an unknown type'}.]`
      : `[A damaged image: ${type}.]`;
  }
  const { type, width, height } = header;
  if (planImage(header, bytes.length).kind !== 'verbatim')
    return `[An image that is too large to send: ${type}, ${width} × ${height} pixels, ${bytes.length} bytes.]`;
  return { type: `image/${type}`, base64: Buffer.from(bytes).toString('base64') };
}

/** A data part is known by its shape: the oldest editor that is served has no class for it. */
function dataOf(part: unknown): { readonly type: string; readonly bytes: Uint8Array } | undefined {
  const bytes = fieldOf(part, 'data');
  const type = fieldOf(part, 'mimeType');
  return bytes instanceof Uint8Array && typeof type === 'string' ? { type, bytes } : undefined;
}

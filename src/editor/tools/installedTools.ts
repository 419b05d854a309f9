/** Tools of others: what the editor knows of them, and what they give. Extensions and MCP servers put them there. */
import * as vscode from 'vscode';
import { byName, SERVER_SOURCE, toWireNames } from '../../chat/toolNames.ts';
import type { ToolDefinition, ToolResult } from '../../chat/tools.ts';
import { textOfPromptElement } from '../../chat/toolText.ts';
import { untilAborted } from '../../service/abort.ts';
import { fieldOf } from '../base/fields.ts';
import type { ImageScaler } from '../images/imageScaler.ts';
import { fitToolImage, type ToolImage } from './toolImages.ts';

/** The part of `vscode.lm` that is used here; an editor may have none of it. */
export type EditorTools = Partial<Pick<typeof vscode.lm, 'tools' | 'invokeTool'>>;

export interface InstalledTool extends ToolDefinition {
  /** As the editor calls it. */
  readonly editorName: string;
}

export interface InstalledTools {
  /** Those that are there at the moment, in a stable order. */
  list(): readonly InstalledTool[];
  /** Rejects only when the signal was aborted. */
  run(tool: InstalledTool, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
}

export interface InstalledToolsDeps {
  /** Names on the wire that our own tools have. */
  readonly taken: ReadonlySet<string>;
  readonly scaler: Pick<ImageScaler, 'examine'>;
  readonly lm?: EditorTools;
}

export function createInstalledTools({ taken, scaler, lm = vscode.lm }: InstalledToolsDeps): InstalledTools {
  return {
    list() {
      const tools = (lm.tools ?? []).map((tool) => ({ tool, source: sourceOf(tool) }));
      const foreign = tools.flatMap(({ tool, source }) => (source === undefined ? [] : [{ tool, source }]));
      const names = toWireNames([...new Set(foreign.map(({ tool }) => tool.name))], taken);
      const seen = new Set<string>();
      return foreign
        .flatMap(({ tool, source }): readonly InstalledTool[] => {
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
        // A tool may not care that it was cancelled; the turn does not wait for it.
        return await toResult((await untilAborted(running, signal)).content, scaler, signal);
      } catch (error) {
        signal.throwIfAborted();
        // The editor asks as well about some tools, and this is its word for a no.
        if (error instanceof Error && error.name === 'Canceled')
          return { text: 'The user refused this call.', failed: true, refused: true };
        return { text: error instanceof Error ? error.message : String(error), failed: true };
      } finally {
        signal.removeEventListener('abort', cancel);
        cancelling.dispose();
      }
    },
  };
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

/** `mcp_everything_echo` is of the server `everything`; newer editors say `everything/echo` as well. */
function serverOf(tool: vscode.LanguageModelToolInformation): string {
  const full = fieldOf(tool, 'fullReferenceName');
  if (typeof full === 'string' && full.includes('/')) return full.slice(0, full.lastIndexOf('/'));
  return /^mcp_([^_]+)_/.exec(tool.name)?.[1] ?? tool.name;
}

/** The parts of a result. Of data that is neither text nor an image, only the kind and size are told. */
async function toResult(
  content: readonly unknown[],
  scaler: Pick<ImageScaler, 'examine'>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const texts: string[] = [];
  const images: ToolImage[] = [];
  for (const part of content) {
    const data = dataOf(part);
    if (part instanceof vscode.LanguageModelTextPart) texts.push(part.value);
    else if (part instanceof vscode.LanguageModelPromptTsxPart) texts.push(textOfPromptElement(part.value));
    else if (data === undefined) texts.push('[A part of a kind that is not known here.]');
    else if (data.type.startsWith('image/')) {
      const { image, note } = await fitToolImage(scaler, data.bytes, signal);
      if (note !== undefined) texts.push(note);
      if (image !== undefined) images.push(image);
    } else if (/^text\/|[/+]json$/.test(data.type)) texts.push(new TextDecoder().decode(data.bytes));
    else texts.push(`[Data: ${data.type}, ${data.bytes.length} bytes.]`);
  }
  return { text: texts.join('\n'), ...(images.length > 0 && { images }) };
}

/** A data part is known by its shape: the oldest editor that is served has no class for it. */
function dataOf(part: unknown): { readonly type: string; readonly bytes: Uint8Array } | undefined {
  const bytes = fieldOf(part, 'data');
  const type = fieldOf(part, 'mimeType');
  return bytes instanceof Uint8Array && typeof type === 'string' ? { type, bytes } : undefined;
}

/** Tools that extensions and MCP servers register in the editor: lists them, runs them, and converts their results. */
import * as vscode from 'vscode';
import { toPlainName, toToolName } from '../../conversation/toolCalls/callTitle.ts';
import { MAX_RESULT } from '../../conversation/toolCalls/runCalls.ts';
import { byName, SERVER_SOURCE, toWireNames } from '../../conversation/toolCalls/toolNames.ts';
import type { ToolDefinition, ToolResult } from '../../conversation/toolCalls/tools.ts';
import { textOfPromptElement } from '../../conversation/toolCalls/toolText.ts';
import { untilAborted } from '../../service/abort.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { withToken } from '../base/cancellation.ts';
import { fieldOf } from '../base/ownField.ts';
import type { ImageScaler } from '../images/imageScaler.ts';
import { type DeclaredTool, declaredTools } from './declaredTools.ts';
import { fitToolImage, type ToolImage } from './toolImages.ts';
import { RESOURCE_LINK, readToolResource, type ToolProvider } from './toolResources.ts';

/** The part of `vscode.lm` that is used here. Some editors don't have it. */
export type EditorTools = Partial<Pick<typeof vscode.lm, 'tools' | 'invokeTool'>>;

/** A tool of an extension or server. Its name in the editor can differ from its name in requests. */
export interface InstalledTool extends ToolDefinition, ToolProvider {
  /** The name to show to the user. */
  readonly title: string;
}

export interface InstalledTools {
  /** The currently registered tools, in a stable order. */
  list(): readonly InstalledTool[];
  /** Runs a tool. Errors of the tool are returned as failed results; rejects only when the signal is aborted. */
  run(tool: InstalledTool, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
}

export interface InstalledToolsDeps {
  /** The names in requests that the built-in tools use. */
  readonly taken: ReadonlySet<string>;
  readonly scaler: Pick<ImageScaler, 'examine'>;
  readonly lm?: EditorTools;
}

export function createInstalledTools({ taken, scaler, lm = vscode.lm }: InstalledToolsDeps): InstalledTools {
  return {
    list() {
      const declared = declaredTools();
      const foreign = (lm.tools ?? []).flatMap((tool) => {
        const source = sourceOf(tool, declared.get(tool.name));
        return source === undefined ? [] : [{ tool, source }];
      });
      const names = toWireNames([...new Set(foreign.map(({ tool }) => tool.name))], taken);
      const seen = new Set<string>();
      return foreign
        .flatMap(({ tool, source }): readonly InstalledTool[] => {
          const name = names.get(tool.name);
          if (name === undefined || seen.has(name)) return [];
          seen.add(name);
          const { description, inputSchema } = tool;
          const server = namedServerOf(tool);
          return [
            {
              name,
              description,
              parameters: toParameters(inputSchema),
              source,
              editorName: tool.name,
              ...(server !== undefined && { server }),
              title: declared.get(tool.name)?.title ?? plainNameOf(tool),
            },
          ];
        })
        .toSorted(byName);
    },
    async run(tool, args, signal) {
      if (lm.invokeTool === undefined) return { text: 'This editor cannot run tools.', failed: true };
      const { invokeTool } = lm;
      try {
        const options = { input: args, toolInvocationToken: undefined };
        // A tool may ignore the cancellation, so this doesn't wait for the tool after an abort.
        const given = await withToken(signal, (token) =>
          untilAborted(invokeTool(tool.editorName, options, token), signal),
        );
        const result = await toResult(given.content, tool, scaler, signal);
        if (!isFailure(given)) return result;
        // The service has no field for failures, so the text tells the model.
        return { ...result, text: `The tool reported an error:\n${result.text}`, failed: true };
      } catch (error) {
        signal.throwIfAborted();
        return error instanceof Error && error.name === 'Canceled'
          ? toCanceled(tool)
          : { text: messageOf(error), failed: true };
      }
    },
  };
}

/**
 * The result of a canceled call. The editor asks for its own confirmation of some tools. It throws the same error when the
 * user cancels that and when an MCP server ends before it has answered.
 */
const toCanceled = ({ source }: InstalledTool): ToolResult =>
  source.startsWith(SERVER_SOURCE)
    ? {
        text: 'The editor canceled this call: the server of the tool ended, or the user declined it.',
        failed: true,
      }
    : { text: 'The user refused this call.', failed: true, refused: true };

/** The parameters of a tool as an object schema, which the service requires. Tools without arguments have no schema. */
function toParameters(schema: object | undefined): Readonly<Record<string, unknown>> {
  const fields: Readonly<Record<string, unknown>> = { ...schema };
  return fields['type'] === 'object' ? fields : { properties: {}, ...fields, type: 'object' };
}

/**
 * The extension or server that provides a tool. The stable API doesn't report it, so it is derived: extensions declare
 * their tools in their manifests, and tools of MCP servers have a tag. Undefined for `k3_ask_svc_k3`, with which svc-k3
 * would ask itself.
 */
function sourceOf(
  tool: vscode.LanguageModelToolInformation,
  declared: DeclaredTool | undefined,
): string | undefined {
  if (declared?.extensionId.toLowerCase() === 'k3-chat.k3-chat') return undefined;
  if (declared !== undefined) return declared.extensionId;
  if (tool.tags.includes('mcp') || tool.name.startsWith('mcp_')) return `${SERVER_SOURCE}${serverOf(tool)}`;
  return 'VS Code';
}

/**
 * The title of a tool that no extension declares. The API has no titles for tools of MCP servers, so it is derived from
 * their name.
 */
function plainNameOf(tool: vscode.LanguageModelToolInformation): string {
  const full = fieldOf(tool, 'fullReferenceName');
  const own = typeof full === 'string' ? full.slice(full.lastIndexOf('/') + 1) : undefined;
  return own ? toPlainName(own) : toToolName(tool.name);
}

/** `mcp_everything_echo` belongs to the server `everything`. Newer editors also provide `everything/echo`. */
const serverOf = (tool: vscode.LanguageModelToolInformation): string =>
  namedServerOf(tool) ?? /^mcp_([^_]+)_/.exec(tool.name)?.[1] ?? tool.name;

function namedServerOf(tool: vscode.LanguageModelToolInformation): string | undefined {
  const full = fieldOf(tool, 'fullReferenceName');
  return typeof full === 'string' && full.includes('/') ? full.slice(0, full.lastIndexOf('/')) : undefined;
}

/**
 * Whether a result says that the tool failed. The stable API has no field for this: the editor sets `hasError`, and a tool
 * that passes on the result of an MCP server can have its `isError`. For its own MCP tools, the editor doesn't pass that
 * on.
 */
const isFailure = (result: unknown): boolean =>
  fieldOf(result, 'hasError') === true || fieldOf(result, 'isError') === true;

/** Converts the parts of a result. Data that is neither text nor an image is replaced by its type and size. */
async function toResult(
  content: readonly unknown[],
  tool: ToolProvider,
  scaler: Pick<ImageScaler, 'examine'>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const texts: string[] = [];
  const images: ToolImage[] = [];
  for (const part of content) {
    const data = dataOf(part);
    if (part instanceof vscode.LanguageModelTextPart) texts.push(part.value);
    else if (part instanceof vscode.LanguageModelPromptTsxPart) texts.push(textOfPromptElement(part.value));
    else if (data === undefined) texts.push('[A part of an unknown kind.]');
    else if (data.type === RESOURCE_LINK) {
      // Text beyond the limit would be cut off anyway, and a search can link to hundreds of resources.
      const isFull = texts.reduce((sum, { length }) => sum + length, 0) > MAX_RESULT;
      if (!isFull) texts.push(await untilAborted(readToolResource(data.bytes, tool), signal));
    } else if (data.type.startsWith('image/')) {
      const { image, note } = await fitToolImage(scaler, data.bytes, signal);
      if (note !== undefined) texts.push(note);
      if (image !== undefined) images.push(image);
    } else if (/^text\/|[/+]json$/.test(data.type)) texts.push(new TextDecoder().decode(data.bytes));
    else texts.push(`[Data: ${data.type}, ${data.bytes.length} bytes.]`);
  }
  return { text: texts.join('\n'), ...(images.length > 0 && { images }) };
}

/** Recognizes a data part by its shape, because the oldest supported editor has no class for it. */
function dataOf(part: unknown): { readonly type: string; readonly bytes: Uint8Array } | undefined {
  const bytes = fieldOf(part, 'data');
  const type = fieldOf(part, 'mimeType');
  return bytes instanceof Uint8Array && typeof type === 'string' ? { type, bytes } : undefined;
}

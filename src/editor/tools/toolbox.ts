/** The tools of a turn: the selected ones, with access checks and approvals. */
import { hashOfTool } from '../../conversation/toolCalls/toolNames.ts';
import type { ReadyCall, Toolbox, ToolResult } from '../../conversation/toolCalls/tools.ts';
import type { RequestRoute } from '../../requests/conversationRequest.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { withToken } from '../base/cancellation.ts';
import type { DroppedImages } from '../connection/droppedImages.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import { createAccessQueue } from '../workspace/accessQueue.ts';
import type { WhileAsking } from '../workspace/accessRequests.ts';
import type { InstalledTool, InstalledTools } from './installedTools.ts';
import { createRefusedFiles, type RefusedFiles } from './refusedFiles.ts';
import type { ToolApprovals } from './toolApprovals.ts';
import type { BuiltInTool } from './toolDefinitions.ts';
import { createToolFileAccess, ToolRefusal } from './toolFileAccess.ts';
import { type AvailableTool, type ToolSet, toDefinition } from './toolSet.ts';

export interface ToolboxDeps {
  readonly tools: Pick<ToolSet, 'all' | 'chosen' | 'choiceHash'>;
  readonly installed: Pick<InstalledTools, 'run'>;
  readonly approvals: Pick<ToolApprovals, 'ask'>;
  readonly probes: Pick<RouteProbes, 'lackOf'>;
  readonly droppedImages: Pick<DroppedImages, 'leavesOut'>;
}

/** Reports the state of a call to the panel. */
type OnState = Parameters<Toolbox['run']>[2];

/**
 * Returns a function that creates the toolbox of a turn. It has no definitions if no tool is selected, or if the route
 * drops tools. The definitions of a toolbox don't change.
 */
export function createToolbox(deps: ToolboxDeps): (conversationId: string, route?: RequestRoute) => Toolbox {
  /** By the IDs of conversations. It is gone with the window. */
  const refusedIn = new Map<string, RefusedFiles>();
  return (conversationId, route) => {
    const refused = refusedIn.get(conversationId) ?? createRefusedFiles();
    refusedIn.set(conversationId, refused);
    // A route that drops tools would at most bill them.
    const isUsable = deps.probes.lackOf('tools', route) === undefined;
    const chosen = isUsable ? deps.tools.chosen() : [];
    const definitions = chosen.map(toDefinition);
    const titles = new Map(
      chosen.flatMap(({ name, kind }) =>
        'installed' in kind ? [[name, kind.installed.title] as const] : [],
      ),
    );
    const asking = { show: createAccessQueue(), refused };
    const offered = new Set(definitions.map(({ name }) => name));
    return {
      definitions,
      titles,
      choice: `${deps.tools.choiceHash()}${isUsable ? '' : ' unusable'}`,
      async run(call, signal, onState) {
        signal.throwIfAborted();
        // The user may have cleared the tool in the selection since the turn began.
        const tool = offered.has(call.name) ? findIn(deps.tools.chosen(), call.name) : undefined;
        if (tool === undefined) return failed(`There is no tool ${call.name} at the moment.`);
        const result =
          'builtIn' in tool.kind
            ? await runBuiltIn(tool.kind.builtIn, { conversationId, call, signal, onState }, asking)
            : await runInstalled(deps, tool.kind.installed, { conversationId, call, signal, onState });
        signal.throwIfAborted();
        return deps.droppedImages.leavesOut(route) ? withoutImages(result) : result;
      },
    };
  };
}

interface Running {
  readonly conversationId: string;
  readonly call: ReadyCall;
  readonly signal: AbortSignal;
  readonly onState: OnState;
}

const failed = (text: string): ToolResult => ({ text, failed: true });

/** The result with its images shown only to the user. If a route refuses images, it would also refuse all later requests. */
function withoutImages({ images = [], ...result }: ToolResult): ToolResult {
  if (images.length === 0) return result;
  const note = '[images left out: the route does not take images]';
  return {
    ...result,
    text: `${note}\n${result.text}`.trimEnd(),
    images: images.map((image) => ({ ...image, omitted: true })),
  };
}

const findIn = (tools: readonly AvailableTool[], name: string): AvailableTool | undefined =>
  tools.find((tool) => tool.name === name);

/** Runs a built-in tool. These tools need no approval: they read the workspace or create proposals, and ask before other access. */
async function runBuiltIn(
  tool: BuiltInTool,
  { conversationId, call, signal, onState }: Running,
  { show, refused }: { readonly show: ReturnType<typeof createAccessQueue>; readonly refused: RefusedFiles },
): Promise<ToolResult> {
  const enter = (state: 'waiting' | 'running') => onState?.(state);
  enter('running');
  const waiting: WhileAsking = async (asking) => {
    enter('waiting');
    try {
      return await asking();
    } finally {
      enter('running');
    }
  };
  const access = createToolFileAccess(waiting, show, refused);
  try {
    return await withToken(signal, (token) =>
      tool.run(call.arguments, { conversationId, access, enter, signal, token }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolRefusal)
      return { text: error.message, failed: true, ...(error.byUser && { refused: true }) };
    return failed(messageOf(error));
  }
}

/** Runs an installed tool. It can do anything, so each call needs an approval, even if the tool itself asks the user, too. */
async function runInstalled(deps: ToolboxDeps, tool: InstalledTool, running: Running): Promise<ToolResult> {
  const { conversationId, call, signal, onState } = running;
  const asked = toDefinition(tool);
  const waiting = { conversationId, call, tool: asked };
  const allowed = await deps.approvals.ask(waiting, signal, () => onState?.('waiting'));
  signal.throwIfAborted();
  if (!allowed) return { text: 'The user refused this call.', failed: true, refused: true };
  // The tool may have changed while the call was waiting.
  const now = findIn(deps.tools.all(), call.name);
  if (now === undefined || !('installed' in now.kind) || hashOfTool(toDefinition(now)) !== hashOfTool(asked))
    return failed(`The tool ${call.name} has changed meanwhile. It was not run.`);
  onState?.('running');
  return deps.installed.run(now.kind.installed, call.arguments, signal);
}

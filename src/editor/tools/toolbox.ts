/** What a turn gets to call: the chosen tools, behind the gates. */
import * as vscode from 'vscode';
import { hashOfTool } from '../../chat/toolNames.ts';
import type { ReadyCall, Toolbox, ToolResult } from '../../chat/tools.ts';
import type { InstalledTool, OtherTools } from './otherTools.ts';
import type { OwnTool } from './ownTool.ts';
import type { ToolApprovals } from './toolApprovals.ts';
import { createToolPlaces, ToolRefusal } from './toolPlaces.ts';
import { type AvailableTool, type ToolSet, toDefinition } from './toolSet.ts';

export interface ToolboxDeps {
  readonly tools: Pick<ToolSet, 'all' | 'chosen'>;
  readonly others: Pick<OtherTools, 'run'>;
  readonly approvals: Pick<ToolApprovals, 'ask'>;
}

/** The state in which a call is, for the panel. */
type OnState = Parameters<Toolbox['run']>[2];

/** Makes the toolbox of a turn; undefined when there is nothing to call. Its definitions stay what they were. */
export function createToolbox(deps: ToolboxDeps): (conversationId: string) => Toolbox | undefined {
  return (conversationId) => {
    const definitions = deps.tools.chosen().map(toDefinition);
    if (definitions.length === 0) return undefined;
    const offered = new Set(definitions.map(({ name }) => name));
    return {
      definitions,
      async run(call, signal, onState) {
        signal.throwIfAborted();
        const tool = offered.has(call.name) ? findTool(deps, call.name) : undefined;
        if (tool === undefined) return failed(`There is no tool ${call.name} at the moment.`);
        const result =
          'own' in tool.kind
            ? await runOwn(tool.kind.own, { conversationId, call, signal, onState })
            : await runOther(deps, tool.kind.other, { conversationId, call, signal, onState });
        signal.throwIfAborted();
        return result;
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

const findTool = ({ tools }: ToolboxDeps, name: string): AvailableTool | undefined =>
  tools.all().find((tool) => tool.name === name);

/** Our own tools read what is in the workspace, or propose: they ask for themselves where that is not so. */
async function runOwn(
  tool: OwnTool,
  { conversationId, call, signal, onState }: Running,
): Promise<ToolResult> {
  const cancelling = new vscode.CancellationTokenSource();
  const cancel = () => cancelling.cancel();
  signal.addEventListener('abort', cancel);
  onState?.('running');
  const places = createToolPlaces(async (asking) => {
    onState?.('waiting');
    try {
      return await asking();
    } finally {
      onState?.('running');
    }
  });
  try {
    return await tool.run(call.arguments, { conversationId, places, signal, token: cancelling.token });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolRefusal)
      return { text: error.message, failed: true, ...(error.byReader && { refused: true }) };
    return failed(error instanceof Error ? error.message : String(error));
  } finally {
    signal.removeEventListener('abort', cancel);
    cancelling.dispose();
  }
}

/** A tool of others may do anything, so each call needs the reader's word, whatever the tool itself asks. */
async function runOther(deps: ToolboxDeps, tool: InstalledTool, running: Running): Promise<ToolResult> {
  const { conversationId, call, signal, onState } = running;
  const asked = toDefinition(tool);
  const waiting = { conversationId, call, tool: asked };
  const allowed = await deps.approvals.ask(waiting, signal, () => onState?.('waiting'));
  signal.throwIfAborted();
  if (!allowed) return { text: 'The user refused this call.', failed: true, refused: true };
  // While the reader thought, the tool may have become another one.
  const now = findTool(deps, call.name);
  if (now === undefined || !('other' in now.kind) || hashOfTool(toDefinition(now)) !== hashOfTool(asked))
    return failed(`The tool ${call.name} has changed meanwhile. It was not run.`);
  onState?.('running');
  return deps.others.run(now.kind.other, call.arguments, signal);
}

/** All available tools, and the selection of the user for this workspace. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import {
  argumentsOf,
  toTitleLine,
  toToolName,
  withArgument,
} from '../../conversation/toolCalls/callTitle.ts';
import type { CallDraft } from '../../conversation/toolCalls/toolCalls.ts';
import {
  chooseTools,
  hashOfChoice,
  parseToolChoice,
  type ToolChoice,
} from '../../conversation/toolCalls/toolChoice.ts';
import type { ToolDefinition } from '../../conversation/toolCalls/tools.ts';
import type { Call } from '../../conversation/turn.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import type { InstalledTool, InstalledTools } from './installedTools.ts';
import type { BuiltInTool } from './toolDefinitions.ts';

const KEY = 'k3.tools';

export type AvailableTool = ToolDefinition & {
  readonly kind: { readonly builtIn: BuiltInTool } | { readonly installed: InstalledTool };
};

export interface ToolSet extends vscode.Disposable {
  /** All tools that are available now. */
  all(): readonly AvailableTool[];
  /** The tools to send with the next request, in a stable order. */
  chosen(): readonly AvailableTool[];
  /**
   * What a call does, as one line for the user: by the title that its tool had when it was called, or by the definition of
   * the tool. If the tool no longer exists, by its name.
   */
  titleOf(call: Pick<CallDraft, 'name' | 'arguments'> & Pick<Call, 'toolTitle'>): string;
  choice(): ToolChoice;
  /** A hash of everything that decides which tools are offered, except the tools of other providers. */
  choiceHash(): string;
  choose(choice: ToolChoice): void;
  readonly onDidChange: vscode.Event<void>;
}

export interface ToolSetDeps {
  readonly builtIn: readonly BuiltInTool[];
  readonly installed: Pick<InstalledTools, 'list'>;
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly enabled: () => boolean;
  readonly log: Pick<Log, 'warn'>;
}

export function createToolSet({ builtIn, installed, state, enabled, log }: ToolSetDeps): ToolSet {
  const changed = new vscode.EventEmitter<void>();
  const read = () => parseToolChoice(state.get<unknown>(KEY));
  let chosen = read();
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      // Another window may have changed the selection.
      const next = focused ? read() : chosen;
      if (isDeepStrictEqual(next, chosen)) return;
      chosen = next;
      changed.fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('k3.tools')) changed.fire();
    }),
  );

  /**
   * All available tools. In Restricted Mode, these are only the tools that read files or create proposals: they show the
   * model what is already open, and run nothing. Language servers, Git, and installed tools may run code of the workspace.
   */
  function all(): readonly AvailableTool[] {
    if (!enabled()) return [];
    const trusted = vscode.workspace.isTrusted;
    const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
    const offered = hasFolder ? builtIn.filter(({ needsTrust }) => trusted || needsTrust !== true) : [];
    return [
      ...offered.map((tool) => ({ ...tool.definition, kind: { builtIn: tool } })),
      ...(trusted
        ? installed.list().map((tool) => ({ ...toDefinition(tool), kind: { installed: tool } }))
        : []),
    ];
  }

  const choice = () => chosen;

  return {
    all,
    titleOf({ name, arguments: json, toolTitle }) {
      const args = argumentsOf(json);
      const own = builtIn.find(({ definition }) => definition.name === name);
      if (own !== undefined) return toTitleLine(own.title(args));
      const title = toolTitle ?? installed.list().find((one) => one.name === name)?.title;
      return toTitleLine(withArgument(title ?? toToolName(name), args));
    },
    choice,
    choiceHash: () => hashOfChoice(choice(), enabled() && vscode.workspace.isTrusted ? all() : undefined),
    chosen: () => chooseTools(all(), choice()),
    choose(next) {
      chosen = next;
      inBackground(log, state.update(KEY, next), 'saving the chosen tools');
      changed.fire();
    },
    onDidChange: changed.event,
    dispose() {
      listening.dispose();
      changed.dispose();
    },
  };
}

/** Only the fields of a definition, which are sent to the service and hashed. */
export function toDefinition({ name, description, parameters, source }: ToolDefinition): ToolDefinition {
  return { name, description, parameters, source };
}

/** The tools that are there, and those of them that the reader chose for this workspace. */
import * as vscode from 'vscode';
import { chooseTools, parseToolChoice, type ToolChoice } from '../../chat/toolChoice.ts';
import type { ToolDefinition } from '../../chat/tools.ts';
import type { InstalledTool, OtherTools } from './otherTools.ts';
import type { OwnTool } from './ownTool.ts';

const KEY = 'k3.tools';

export type AvailableTool = ToolDefinition & {
  readonly kind: { readonly own: OwnTool } | { readonly other: InstalledTool };
};

export interface ToolSet extends vscode.Disposable {
  /** What can be offered here and now. */
  all(): readonly AvailableTool[];
  /** What goes with the next request, in a stable order. */
  chosen(): readonly AvailableTool[];
  choice(): ToolChoice;
  choose(choice: ToolChoice): void;
  readonly onDidChange: vscode.Event<void>;
}

export interface ToolSetDeps {
  readonly own: readonly OwnTool[];
  readonly others: Pick<OtherTools, 'list'>;
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly enabled: () => boolean;
}

export function createToolSet({ own, others, state, enabled }: ToolSetDeps): ToolSet {
  const changed = new vscode.EventEmitter<void>();
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('k3.tools')) changed.fire();
    }),
  );

  /**
   * In Restricted Mode only what reads files is offered, and what proposes: that shows the model what the reader has open
   * already, and runs nothing. Language servers, git and tools of others may run what the workspace says.
   */
  function all(): readonly AvailableTool[] {
    if (!enabled()) return [];
    const trusted = vscode.workspace.isTrusted;
    const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
    const ours = hasFolder ? own.filter(({ needsTrust }) => trusted || needsTrust !== true) : [];
    return [
      ...ours.map((tool) => ({ ...tool.definition, kind: { own: tool } })),
      ...(trusted ? others.list().map((tool) => ({ ...toDefinition(tool), kind: { other: tool } })) : []),
    ];
  }

  const choice = () => parseToolChoice(state.get<unknown>(KEY));

  return {
    all,
    choice,
    chosen: () => chooseTools(all(), choice()),
    choose(next) {
      void state.update(KEY, next);
      changed.fire();
    },
    onDidChange: changed.event,
    dispose() {
      listening.dispose();
      changed.dispose();
    },
  };
}

/** Only what a definition has: the tool goes over the wire, and its hash is of these. */
export function toDefinition({ name, description, parameters, source }: ToolDefinition): ToolDefinition {
  return { name, description, parameters, source };
}

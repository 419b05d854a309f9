/** The Reasoning view (`k3.reasoning`): what it reveals and selects, and when it follows the running turn. */
import * as vscode from 'vscode';
import { registerRowCommand, showRowsAtOnce } from '../base/treeRows.ts';
import { SELECT_ROW, SHOW_EARLIER } from './reasoningItems.ts';
import type { StepNode } from './reasoningNodes.ts';
import { type CitedSteps, createReasoningTree, type ReasoningTreeDeps, type Shown } from './reasoningTree.ts';

/** Registers the view. It reveals new steps of the running turn until the user selects or collapses something. */
export function registerReasoningView(deps: ReasoningTreeDeps): vscode.Disposable {
  const tree = createReasoningTree(deps);
  const view = vscode.window.createTreeView('k3.reasoning', {
    treeDataProvider: tree,
    showCollapseAll: true,
  });
  let following = true;
  const leave = () => {
    following = false;
  };
  const select = (node: StepNode, show: boolean) => {
    // Revealing a node opens the view, which must not happen when the chat shows the step.
    if (!view.visible && !show) return;
    view.reveal(node, { select: true, focus: false }).then(undefined, () => {
      // Not logged: the node no longer exists when another conversation was opened meanwhile.
    });
  };
  return vscode.Disposable.from(
    tree,
    view,
    showRowsAtOnce(view),
    view.onDidChangeSelection(({ selection }) => {
      if (selection.length > 0) leave();
    }),
    view.onDidCollapseElement(leave),
    tree.onDidStartTurn(() => {
      following = true;
    }),
    vscode.commands.registerCommand('_k3.citeSteps', (cited: CitedSteps) => {
      tree.cite(cited);
      const step = cited.steps[cited.at];
      if (step !== undefined) select(tree.list(step.turnId, step.step), cited.show);
    }),
    vscode.commands.registerCommand(SHOW_EARLIER, () => tree.showEarlier()),
    registerRowCommand(SELECT_ROW, view, (row) => vscode.commands.executeCommand('k3.openReasoning', row)),
    vscode.commands.registerCommand('_k3.selectStep', ({ turnId, index, show }: StepNode & Shown) =>
      select(tree.list(turnId, index), show),
    ),
    tree.onDidAddNode((node) => {
      // Revealing a node would open the view when it is hidden.
      if (!following || !view.visible) return;
      view.reveal(node, { select: false, focus: false }).then(undefined, () => {
        // Not logged: the node no longer exists when another conversation was opened meanwhile.
      });
    }),
  );
}

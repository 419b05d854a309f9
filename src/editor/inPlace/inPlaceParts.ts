/** Creates the parts that are loaded with the first edit in the code, or with the list of previews. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import { createContextKey } from '../base/contextKey.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { Connection } from '../connection/connection.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { MovedFiles } from '../proposals/movedFiles.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { ProposalsRoom } from '../proposals/proposals.ts';
import type { SharedState } from '../storage/sharedState.ts';
import { isCell } from '../workspace/textSources.ts';
import { createEditCommands } from './editCommands.ts';
import { toEditPreviews } from './editPreview.ts';
import { registerEditPrompts } from './editPrompts.ts';
import { createEdits, type Edits } from './edits.ts';

export interface InPlaceDeps {
  readonly base: Pick<Base, 'log' | 'lastEditor' | 'controllers'>;
  readonly shared: SharedState;
  readonly conversations: Conversations;
  readonly instructions: Instructions;
  readonly prompts: Prompts;
  readonly routes: Connection['routes'];
  readonly proposals: Proposals;
  readonly moved: Pick<MovedFiles, 'follow'>;
  readonly threads: ProposalsRoom['threads'];
}

export function createInPlaceParts(deps: InPlaceDeps) {
  const { conversations, moved, threads, prompts } = deps;
  const { log, lastEditor, controllers } = deps.base;
  const edits = createEdits({ ...deps, controllers, state: deps.shared, log });
  moved.follow({
    files: () => edits.files().map((uri) => ({ uri })),
    move: edits.rename,
    moveAtOnce: edits.moveAtOnce,
  });
  threads.hideOthersWith(edits.hide);
  const registered = vscode.Disposable.from(
    registerContextKey(edits, log),
    registerEditPrompts(edits, prompts),
  );
  return {
    edits,
    commands: createEditCommands({ edits, lastEditor, log, openConversation: conversations.open }),
    previews: toEditPreviews({ edits, lastEditor, conversations, prompts }),
    dispose() {
      registered.dispose();
      edits.dispose();
    },
  };
}

/**
 * Sets the context key `k3.canEndEdit` while the active editor has an edit that Escape ends. It is false while hunks are under
 * review, because pressing Escape by habit would close the box. It is also false in a cell, which has no box, and where Escape
 * leaves the cell.
 */
function registerContextKey(edits: Edits, log: Base['log']): vscode.Disposable {
  const setCanEnd = createContextKey('k3.canEndEdit', log);
  const update = () => {
    const editor = vscode.window.activeTextEditor;
    const edit = editor && edits.ofFile(editor.document.uri);
    setCanEnd(edit !== undefined && !isCell(edit.uri) && (edits.isRunning(edit) || !edits.hasHunks(edit)));
  };
  return vscode.Disposable.from(edits.onDidChange(update), vscode.window.onDidChangeActiveTextEditor(update));
}

/** Registers edits in the code: threads at lines, in which the user asks for a change, and the resolution of merge conflicts. */
import * as vscode from 'vscode';
import { atFirstUse } from '../base/atFirstUse.ts';
import { registerLater } from '../base/laterCommands.ts';
import type { WithPreviews } from '../conversations/questionPreviews.ts';
import { registerConflictLenses } from './conflictLenses.ts';
import { EDIT_COMMANDS } from './editCommandNames.ts';
import type { Edits } from './edits.ts';
import type { InPlaceDeps } from './inPlaceParts.ts';

export interface InPlace extends vscode.Disposable, WithPreviews {
  /** Loads the edits. There are none before that. Undefined if the extension has been stopped. */
  edits(): Promise<Edits | undefined>;
}

export function registerInPlace(deps: InPlaceDeps): InPlace {
  const parts = atFirstUse(
    async () => (await import('./inPlaceParts.ts')).createInPlaceParts(deps),
    deps.base.log,
    (loaded) => loaded.dispose(),
  );
  const registered = vscode.Disposable.from(
    registerLater(EDIT_COMMANDS, parts),
    registerConflictLenses(deps.proposals),
    parts,
  );
  return {
    edits: () => parts.run(({ edits }) => edits),
    previews: async () => (await parts.run(({ previews }) => previews)) ?? [],
    dispose: () => registered.dispose(),
  };
}

/** The code that is loaded with the first command on code or on the commit message, or with the list of their previews. */
import { type CodeCommandsDeps, createCodeCommands, toCodePreviews } from './codeCommands.ts';
import { toCommitPreview } from './commitChanges.ts';
import { type CommitMessageDeps, createCommitMessage } from './commitMessage.ts';

export interface CodePartsDeps extends Omit<CodeCommandsDeps & CommitMessageDeps, 'log'> {
  readonly log: CodeCommandsDeps['log'] & CommitMessageDeps['log'];
}

export function createCodeParts(deps: CodePartsDeps) {
  const commitMessage = createCommitMessage(deps);
  return {
    commands: { ...createCodeCommands(deps), 'k3.commitMessage': commitMessage.write },
    previews: [...toCodePreviews(deps), toCommitPreview(deps)],
    /** Call this when a question for a commit message was answered. */
    answered: commitMessage.answered,
  };
}

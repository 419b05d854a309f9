/** Marks files under review as missing when they are deleted, and removes the mark when they are back. */
import type * as vscode from 'vscode';
import { withMissing } from '../../review/proposals/fileChanges.ts';
import type { Log } from '../base/log.ts';
import { createMissingLooks } from '../workspace/deletedFiles.ts';
import type { Proposals } from './proposalList.ts';

export interface MissingFiles extends vscode.Disposable {
  /** Checks whether a file under review was deleted, and marks it in its proposals. */
  isMissing(uri: string): Promise<boolean>;
}

export interface MissingFilesDeps {
  readonly proposals: Pick<Proposals, 'underReview' | 'change'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createMissingFiles({ proposals, log }: MissingFilesDeps): MissingFiles {
  const files = () => proposals.underReview().map(({ file }) => file);
  const looks = createMissingLooks({
    files,
    looked(uri, missing) {
      for (const { proposal, file } of proposals.underReview())
        if (file.uri === uri) proposals.change(proposal.id, uri, (one) => withMissing(one, missing));
    },
    log,
  });
  return {
    async isMissing(uri) {
      const missing = await looks.look(uri);
      // A file that is proposed as new doesn't exist before it is accepted.
      return missing && !files().some((file) => file.uri === uri && file.isNew);
    },
    dispose: () => looks.dispose(),
  };
}

/** A stub for code that follows renamed files, when no file is renamed. */
import type { Renames } from '../../src/editor/proposals/renamedFiles.ts';

export const NOT_RENAMED: Pick<Renames, 'since'> = {
  since: () => ({ uriNow: async (uri) => uri, withFilesNow: async (question) => question }),
};

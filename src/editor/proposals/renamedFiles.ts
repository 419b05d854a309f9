/** What was renamed since the window was opened: a question about a file finds it under the name that it has now. */
import * as vscode from 'vscode';
import { type Origin, originsOf, type Question } from '../../conversation/question.ts';
import { renamedUri } from '../../review/fileChanges.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { kindOf, wasDeleted } from '../workspace/fileKinds.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { findDocument } from '../workspace/textSources.ts';
import type { MovedFiles } from './movedFiles.ts';

/** The earlier and the later URI of a file or folder. */
type Rename = readonly [from: string, to: string];

export interface RenamedFiles extends vscode.Disposable {
  /** The URI that a file or a cell has now; the same if it is still there, or was never renamed. */
  uriNow(uri: string): Promise<string>;
  /** The question with the URIs that its files have now. The answer names the files as they were. */
  withFilesNow(question: Question): Promise<Question>;
}

export interface RenamedFilesDeps {
  readonly moved: Pick<MovedFiles, 'follow' | 'settled'>;
  readonly conversations: Pick<Conversations, 'loaded' | 'isRunning'>;
}

export function followRenamedFiles({ moved, conversations }: RenamedFilesDeps): RenamedFiles {
  const renames: Rename[] = [];
  const rename = (from: vscode.Uri, to: vscode.Uri) => void renames.push([from.toString(), to.toString()]);
  const listening = vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files) rename(oldUri, newUri);
  });
  moved.follow({
    files: () =>
      conversations
        .loaded()
        .filter(({ id }) => conversations.isRunning(id))
        .flatMap(({ exchanges }) => exchanges.at(-1) ?? [])
        .flatMap(({ question }) => originsOf(question).map(({ uri }) => ({ uri }))),
    move: rename,
  });

  const renamedTo = (uri: string) =>
    renames.reduce((now, [from, to]) => renamedUri(now, from, to) ?? now, uri);

  async function uriNow(uri: string): Promise<string> {
    // A new file can have the old name.
    if (await isThere(vscode.Uri.parse(uri))) return uri;
    const now = renamedTo(uri);
    if (now !== uri) return now;
    await moved.settled(uri);
    return renamedTo(uri);
  }

  async function toNow(origin: Origin): Promise<Origin> {
    const uri = await uriNow(origin.uri);
    if (uri === origin.uri) return origin;
    return { ...origin, uri, path: origin.path ?? toPath({ uri: vscode.Uri.parse(origin.uri) }) };
  }

  return {
    uriNow,
    async withFilesNow(question) {
      const [origin, ...more] = await Promise.all(originsOf(question).map(toNow));
      return { ...question, origin, ...(more.length > 0 && { more }) };
    },
    dispose: () => listening.dispose(),
  };
}

/** Whether a file exists, or a document is open that has no file, such as a new untitled one or a cell. */
const isThere = async (uri: vscode.Uri): Promise<boolean> =>
  (await kindOf(uri)) === 'file' || (findDocument(uri) !== undefined && !(await wasDeleted(uri)));

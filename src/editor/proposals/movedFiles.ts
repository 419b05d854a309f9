/** Files under review that another program renames, such as Git: their hunks and comments move with them. */
import * as vscode from 'vscode';
import { isAtOrBelow } from '../../review/fileChanges.ts';
import { type FileText, findMoved } from '../../review/movedFiles.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { findDocument, normalizeText, readText } from '../workspace/textSources.ts';
import { wasDeleted } from './missingFiles.ts';
import type { Proposals } from './proposalList.ts';
import type { Remarks } from './remarks.ts';

export interface MovedFilesDeps {
  readonly proposals: Pick<Proposals, 'underReview' | 'rename'>;
  readonly remarks: Pick<Remarks, 'list' | 'rename'>;
  readonly log: Pick<Log, 'warn'>;
}

/** The new file and the loss of the old one are reported within this time, in milliseconds. */
const TOGETHER_MS = 1000;
/** When more files appear at once, such as after a checkout, they are not compared. */
const MAX_CREATED = 200;

export function registerMovedFiles({ proposals, remarks, log }: MovedFilesDeps): vscode.Disposable {
  /** The text that a file had, by its URI. */
  const gone = new Map<string, string>();
  const created = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  /** The files with hunks or comments, as they are in the editor. */
  function known(): readonly FileText[] {
    const reviewed = proposals.underReview().map(({ file }) => ({ uri: file.uri, text: file.text }));
    const commented = remarks.list().flatMap(({ uri }) => {
      const document = findDocument(vscode.Uri.parse(uri));
      return document === undefined ? [] : [{ uri, text: document.getText() }];
    });
    return [...commented, ...reviewed];
  }

  async function move(): Promise<void> {
    timer = undefined;
    const [before, after] = [[...gone], [...created].slice(0, MAX_CREATED)];
    gone.clear();
    created.clear();
    if (before.length === 0 || after.length === 0) return;
    const texts = await Promise.all(
      after.map(async (uri): Promise<readonly FileText[]> => {
        const read = await readText(vscode.Uri.parse(uri));
        return read.ok ? [{ uri, text: read.text }] : [];
      }),
    );
    const lost = before.map(([uri, text]) => ({ uri, text: normalizeText(text) }));
    for (const [from, to] of findMoved(lost, texts.flat())) {
      const [oldUri, newUri] = [vscode.Uri.parse(from), vscode.Uri.parse(to)];
      // A program that saves a file can replace it.
      if (!(await wasDeleted(oldUri))) continue;
      proposals.rename(oldUri, newUri);
      remarks.rename(oldUri, newUri);
    }
  }

  const wait = () => {
    timer ??= setTimeout(() => inBackground(log, move(), 'looking for renamed files'), TOGETHER_MS);
  };
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidDelete((uri) => {
      // When a folder is deleted, the editor reports only the folder.
      const lost = known().filter((one) => isAtOrBelow(one.uri, uri.toString()));
      for (const one of lost) gone.set(one.uri, one.text);
      if (lost.length > 0) wait();
    }),
    watcher.onDidCreate((uri) => {
      if (known().length === 0 || created.size >= MAX_CREATED) return;
      created.add(uri.toString());
      wait();
    }),
    { dispose: () => clearTimeout(timer) },
  );
}

/** What is written into the boxes of edits: the editor keeps it while their tabs are hidden, but not for another thread. */
import * as vscode from 'vscode';
import { activeFile } from '../base/lastEditor.ts';
import type { Edit } from './editList.ts';
import type { EditThreads } from './editThreads.ts';

/** The names of the documents in the boxes of new edits, and of comments of others that are being changed. */
const BOX = /^\/commentinput-\d+-\d+\.md$/;

/** Boxes for replies have their thread in the names of their documents. */
const isReplyBox = (path: string): boolean => path.includes('/commentinput-') && path.includes('-k3.edit.');

/** Whether a document is the box of an edit. @param thread that of an edit, whose own box has a name that doesn't say whose it is */
export const isBoxOfEdit = ({ path }: vscode.Uri, thread: vscode.CommentThread | undefined): boolean =>
  isReplyBox(path) || (thread?.canReply === false && BOX.test(path));

/**
 * Keeps what is written into a box in its edit. The editor doesn't tell which edit that is, so it is the one in the active tab; of several in
 * the cells of a notebook, the only one with such a box.
 */
export function followDrafts(
  edits: () => readonly Edit[],
  threads: Pick<EditThreads, 'of'>,
  onDraft: () => void,
): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    // The editor gives new boxes their empty text in this way, also those that nobody sees.
    if (contentChanges.every(({ rangeLength, text }) => rangeLength === 0 && text === '')) return;
    const { scheme } = document.uri;
    const file = scheme === 'comment' ? activeFile() : undefined;
    const isIts = (edit: Edit) => edit.uri.path === file?.path && isBoxOfEdit(document.uri, threads.of(edit));
    const [edit, ...others] = edits().filter(isIts);
    if (edit === undefined || others.length > 0) return;
    edit.draft = document.getText();
    onDraft();
  });
}

/** Keeps the text in the boxes of edits. The editor keeps it while the tabs are hidden, but not for a new thread. */
import * as vscode from 'vscode';
import { activeFile } from '../base/lastEditor.ts';
import type { Edit } from './editList.ts';
import type { EditThreads } from './editThreads.ts';

/** Matches the document names of boxes of new edits, and of comments of other extensions that are being changed. */
const BOX = /^\/commentinput-\d+-\d+\.md$/;

/** The document name of a box for replies contains its thread. */
const isReplyBox = (path: string): boolean => path.includes('/commentinput-') && path.includes('-k3.edit.');

/**
 * Whether a document is the box of an edit.
 *
 * @param thread the thread of an edit; the name of the box in a new edit doesn't say which edit it belongs to
 */
export const isBoxOfEdit = ({ path }: vscode.Uri, thread: vscode.CommentThread | undefined): boolean =>
  isReplyBox(path) || (thread?.canReply === false && BOX.test(path));

/**
 * Stores the text of a box in its edit. The editor doesn't say which edit that is, so it is the one in the active tab. If several
 * cells of a notebook have edits, it is the only one with such a box.
 */
export function followDrafts(
  edits: () => readonly Edit[],
  threads: Pick<EditThreads, 'of'>,
  onDraft: () => void,
): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    // Ignores what the editor puts into new boxes, also into invisible ones: only the box with the focus is typed in.
    if (vscode.window.activeTextEditor?.document !== document) return;
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

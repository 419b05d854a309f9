/** The threads of edits in the code (comment controller `k3.edit`). The user can't start one beside a line. */
import * as vscode from 'vscode';
import { joinList } from '../base/joining.ts';
import type { Edit } from './editList.ts';
import type { EditComment } from './editWords.ts';

const t = vscode.l10n.t;

/** Opens the chat at the conversation of the edit with this ID. */
const OPEN_EDIT_IN_CHAT = 'k3.openEditInChat';

/** The box of an edit in which nothing was asked yet. The editor gives it the focus, which a box for replies doesn't get. */
export interface AskingComment extends vscode.Comment {
  readonly editId: string;
}

/** What a thread shows. */
export interface ThreadView {
  /** Which lines go along, and where they go. */
  readonly label: string;
  /** For the menus of the thread. */
  readonly state: 'empty' | 'running' | 'asked';
  readonly comments: readonly EditComment[];
}

export interface EditThreads extends vscode.Disposable {
  /** Shows an edit, with a new thread if there is none in its file yet. */
  show(edit: Edit, view: ThreadView): void;
  /** Opens the thread again if it was folded, and gives it the focus. */
  focus(edit: Edit): Promise<void>;
  /** Removes the thread. Showing the edit makes a new one. */
  close(edit: Edit): void;
  /** The thread of an edit, with what it shows. */
  of(edit: Edit): vscode.CommentThread | undefined;
  editOf(thread: unknown): string | undefined;
}

/**
 * The editor makes the box for replies in the background, and a thread that changes meanwhile gets a second one beside
 * it. The change that asks for the box is enough, with the first box of a window, which takes longer than others. So
 * nothing else changes for a while, and the first thread is then replaced by one that is the same. In milliseconds.
 */
const BOX_MS = 1000;

interface Shown {
  readonly thread: vscode.CommentThread;
  readonly uri: string;
  view: string;
  /** What to show when the box for replies is there. */
  next?: ThreadView | undefined;
  making?: NodeJS.Timeout | undefined;
}

export function createEditThreads(): EditThreads {
  const controller = vscode.comments.createCommentController('k3.edit', t('K3 edit'));
  controller.options = {
    prompt: t('Ask for another change…'),
    placeHolder: t('Press Enter to send, or Escape to end the edit.'),
  };
  const threads = new Map<string, Shown>();
  /** A thread of this window had its box for replies. */
  let hadBox = false;

  /** A thread can't move to another file. */
  function threadOf(edit: Edit, comments: readonly EditComment[]): Shown {
    const known = threads.get(edit.id);
    const uri = edit.uri.toString();
    if (known?.uri === uri) return known;
    remove(edit.id);
    const thread = controller.createCommentThread(edit.uri, placeOf(edit), toComments(edit, comments, []));
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    const shown: Shown = { thread, uri, view: '' };
    threads.set(edit.id, shown);
    return shown;
  }

  function show(edit: Edit, view: ThreadView): void {
    const shown = threadOf(edit, view.comments);
    const { thread } = shown;
    if (thread.range?.end.line !== edit.place) thread.range = placeOf(edit);
    shown.next = view;
    if (shown.making === undefined) change(edit, shown, view);
  }

  function change(edit: Edit, shown: Shown, view: ThreadView): void {
    const { thread } = shown;
    const next = JSON.stringify(view);
    if (shown.view === next) return;
    shown.view = next;
    thread.label = view.label;
    thread.contextValue = view.state;
    thread.comments = toComments(edit, view.comments, thread.comments);
    const canReply = view.state !== 'empty';
    if (canReply && thread.canReply !== true)
      shown.making = setTimeout(() => {
        shown.making = undefined;
        const latest = shown.next ?? view;
        if (hadBox) return change(edit, shown, latest);
        hadBox = true;
        remove(edit.id);
        show(edit, latest);
      }, BOX_MS);
    thread.canReply = canReply;
  }

  function remove(id: string): void {
    const shown = threads.get(id);
    clearTimeout(shown?.making);
    shown?.thread.dispose();
    threads.delete(id);
  }

  return {
    show,
    async focus(edit) {
      const thread = threads.get(edit.id)?.thread;
      if (thread === undefined) return;
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
      const editor = await vscode.window.showTextDocument(edit.uri, { preview: false });
      editor.selection = new vscode.Selection(edit.place, 0, edit.place, 0);
      await vscode.commands.executeCommand('workbench.action.focusCommentOnCurrentLine');
    },
    close: ({ id }) => remove(id),
    of: (edit) => threads.get(edit.id)?.thread,
    editOf: (thread) => [...threads].find(([, shown]) => shown.thread === thread)?.[0],
    dispose() {
      for (const id of threads.keys()) remove(id);
      controller.dispose();
    },
  };
}

/** Only one line, because the editor paints the lines of a thread in its own color. */
const placeOf = ({ place }: Edit) => new vscode.Range(place, 0, place, 0);

/** The editor tells comments apart by their objects, and draws those again that are new to it. */
function toComments(
  edit: Edit,
  views: readonly EditComment[],
  known: readonly vscode.Comment[],
): readonly vscode.Comment[] {
  if (views.length === 0) return [toAsking(edit)];
  return views.map((view, index) => {
    const comment = toComment(view, edit.id);
    const before = known[index];
    return before === undefined || before.mode === vscode.CommentMode.Editing
      ? comment
      : Object.assign(before, comment);
  });
}

function toAsking({ id }: Edit): AskingComment {
  return {
    editId: id,
    author: { name: t('You') },
    label: t('Press Enter to send, or Escape to end the edit.'),
    body: '',
    mode: vscode.CommentMode.Editing,
    contextValue: 'asking',
  };
}

function toComment({ author, label, body, offersChat }: EditComment, editId: string): vscode.Comment {
  const text = new vscode.MarkdownString(body);
  if (offersChat) {
    const argument = encodeURIComponent(JSON.stringify([editId]));
    text.appendMarkdown(`\n\n[${t('Open Chat')}](command:${OPEN_EDIT_IN_CHAT}?${argument})`);
    text.isTrusted = { enabledCommands: [OPEN_EDIT_IN_CHAT] };
  }
  const comment: vscode.Comment = { author: { name: author }, body: text, mode: vscode.CommentMode.Preview };
  // The types don't allow undefined, which removes the label of a comment that had one.
  return Object.assign(comment, { label });
}

/** Names the lines as the editor counts them, and the route. */
export function toThreadLabel(path: string, { lines }: Edit, route: string | undefined): string {
  const { startLine, endLine } = lines;
  const where =
    startLine === endLine
      ? t('{0}, line {1}', path, startLine + 1)
      : t('{0}, lines {1}–{2}', path, startLine + 1, endLine + 1);
  return joinList([where, route === undefined ? '' : t('route {0}', route)]);
}

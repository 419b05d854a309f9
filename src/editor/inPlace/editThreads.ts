/** Shows the threads of edits in the code (comment controller `k3.edit`). Users can't start one beside a line. */
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CommentControllers } from '../base/commentControllers.ts';
import { isCell } from '../workspace/textSources.ts';
import type { Edit } from './editList.ts';
import type { EditComment } from './editWords.ts';

const t = vscode.l10n.t;

/** A pause in milliseconds that is longer than the 100 ms for which the editor collects changes of a thread. */
const CHANGES_MS = 150;
/** The most attempts to focus a box, how long to wait after each, and the interval of checks, both in milliseconds. */
const MAX_TRIES = 3;
const FOCUS_MS = 1000;
const POLL_MS = 50;

/**
 * The comment with the box of an edit in which nothing was asked yet, or with text for a new thread. The editor focuses this box,
 * but not a box for replies.
 */
export interface AskingComment extends vscode.Comment {
  readonly editId: string;
}

/** A comment of the model or of the user, with the edit and the index of the question that it belongs to. */
export interface StepComment extends vscode.Comment {
  readonly editId: string;
  readonly step: number;
}

/** The content of a thread. */
export interface ThreadView {
  /** The lines that are sent, and the route. */
  readonly label: string;
  /** For the menus of the thread. */
  readonly state: 'empty' | 'running' | 'asked';
  /** Also for the menus: what can be done about the instructions of the project. */
  readonly instructions: 'instructions' | 'leftOut' | undefined;
  readonly comments: readonly ShownComment[];
}

/** A comment, and the index of the question that it belongs to. */
export interface ShownComment extends EditComment {
  readonly step: number;
}

export interface EditThreads extends vscode.Disposable {
  /** Shows an edit, with a new thread if its file has none yet. If folded, it doesn't take the focus. */
  show(edit: Edit, view: ThreadView, isFolded?: boolean): void;
  /** Expands the thread and focuses its box. */
  focus(edit: Edit): Promise<void>;
  /** Removes the thread. Showing the edit creates a new one. */
  close(edit: Edit): void;
  /** The thread of an edit. */
  of(edit: Edit): vscode.CommentThread | undefined;
  editOf(thread: unknown): string | undefined;
}

interface Shown {
  readonly thread: vscode.CommentThread;
  readonly uri: string;
  /** The index of the question that the thread's own box is for; undefined if the thread takes replies. */
  readonly boxFor: number | undefined;
  view: string;
}

/** @param renew called when all threads have to be shown again */
export function createEditThreads(
  controllers: Pick<CommentControllers, 'create'>,
  renew: () => void,
): EditThreads {
  const controller = controllers.create('k3.edit', t('K3 edit'), {
    options: {
      prompt: t('Ask for another change…'),
      placeHolder: t('Press Enter to send, or Escape to end the edit.'),
    },
    renew,
  });
  const threads = new Map<string, Shown>();

  /**
   * The thread of an edit. A new one is created if the file has changed, because a thread can't move, or if the thread has its own
   * box and has to take replies from now on. A shown thread that begins to take replies would get two boxes: the editor creates one
   * when it has loaded the text of the box, and another one if the thread changes before that.
   */
  function threadOf(edit: Edit, { comments }: ThreadView, isFolded: boolean): Shown {
    const known = threads.get(edit.id);
    const uri = edit.uri.toString();
    const { length } = edit.steps;
    if (known?.uri === uri && (known.boxFor ?? length) === length) return known;
    known?.thread.dispose();
    // Text can't be put into a box for replies.
    const boxFor = length === 0 || edit.draft !== '' ? length : undefined;
    const first = toComments(edit, comments, [], boxFor !== undefined);
    const thread = controller.createCommentThread(edit.uri, placeOf(edit), first);
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
    thread.collapsibleState = isFolded && boxFor !== undefined ? Collapsed : Expanded;
    if (boxFor !== undefined) thread.canReply = false;
    const shown = { thread, uri, boxFor, view: '' };
    threads.set(edit.id, shown);
    return shown;
  }

  async function giveFocus(edit: Edit): Promise<void> {
    const { thread, boxFor } = threads.get(edit.id) ?? {};
    if (thread === undefined) return;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    await vscode.window.showTextDocument(edit.uri, { preview: false, selection: placeOf(edit) });
    if (boxFor !== undefined) await pause(CHANGES_MS);
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    // The editor focuses the box of a new edit when its thread is expanded.
    if (boxFor !== undefined) return;
    // The first command focuses the comments, the second the box below them.
    await vscode.commands.executeCommand('workbench.action.focusCommentOnCurrentLine');
    await vscode.commands.executeCommand('widgetNavigation.focusNext');
  }

  /** Whether the focus stays in the file. False if it moves to a box, or if the user goes elsewhere. */
  async function staysInFile(edit: Edit): Promise<boolean> {
    for (let waited = 0; waited < FOCUS_MS; waited += POLL_MS) {
      const { scheme, path } = vscode.window.activeTextEditor?.document.uri ?? {};
      if (!threads.has(edit.id) || scheme !== edit.uri.scheme || path !== edit.uri.path) return false;
      await pause(POLL_MS);
    }
    return true;
  }

  return {
    show(edit, view, isFolded = false) {
      const shown = threadOf(edit, view, isFolded);
      const { thread, boxFor } = shown;
      if (thread.range?.end.line !== edit.place) thread.range = placeOf(edit);
      const next = JSON.stringify(view);
      if (shown.view === next) return;
      shown.view = next;
      thread.label = view.label;
      thread.contextValue = view.instructions ? `${view.state}.${view.instructions}` : view.state;
      thread.comments = toComments(edit, view.comments, thread.comments, boxFor !== undefined);
    },
    async focus(edit) {
      // The editor shows no threads of extensions in cells.
      if (isCell(edit.uri)) return;
      for (let tries = 1; tries <= MAX_TRIES; tries++) {
        await giveFocus(edit);
        // Tried again, because a busy editor can miss that the thread was collapsed in between. Then, text that is typed would go
        // into the file.
        if (!(await staysInFile(edit))) return;
      }
    },
    close(edit) {
      threads.get(edit.id)?.thread.dispose();
      threads.delete(edit.id);
    },
    of: (edit) => threads.get(edit.id)?.thread,
    editOf: (thread) => [...threads].find(([, shown]) => shown.thread === thread)?.[0],
    dispose: () => controller.dispose(),
  };
}

/** The range of a thread is only one line, because the editor paints the lines of a thread in its own color. */
const placeOf = ({ place }: Edit) => new vscode.Range(place, 0, place, 0);

/**
 * Updates the comments of a thread. The editor identifies comments by their objects, and draws new objects again. The accessible
 * name of a comment is the text with which it was drawn, so only progress, which changes all the time, keeps its object.
 */
function toComments(
  edit: Edit,
  views: readonly ShownComment[],
  known: readonly vscode.Comment[],
  hasBox: boolean,
): readonly vscode.Comment[] {
  const shown = views.map((view, index) => {
    const comment = toComment(view, edit.id);
    const before = known[index];
    return before !== undefined && !isAsking(before) && staysDrawn(before, comment)
      ? Object.assign(before, comment)
      : comment;
  });
  return hasBox ? [...shown, known.find(isAsking) ?? toAsking(edit)] : shown;
}

function staysDrawn(before: vscode.Comment, now: vscode.Comment): boolean {
  const isSamePhase = before.label !== undefined && before.label === now.label;
  return isSamePhase || (before.label === now.label && textOf(before) === textOf(now));
}

const textOf = ({ body }: vscode.Comment) => (typeof body === 'string' ? body : body.value);

/** Whether a value is the comment with the box of an edit. */
export const isAsking = (value: unknown): value is AskingComment =>
  typeof value === 'object' && value !== null && 'editId' in value && !('step' in value);

function toAsking({ id, draft }: Edit): AskingComment {
  return {
    editId: id,
    author: { name: t('You') },
    label: t('Press Enter to send, or Escape to end the edit.'),
    body: draft,
    mode: vscode.CommentMode.Editing,
    contextValue: 'asking',
  };
}

function toComment(view: ShownComment, editId: string): StepComment {
  const { author, label, body, isMarkdown, offers, step } = view;
  const comment: StepComment = {
    editId,
    step,
    contextValue: offers ?? '',
    author: { name: author },
    body: isMarkdown ? new vscode.MarkdownString(body) : body,
    mode: vscode.CommentMode.Preview,
  };
  // Undefined removes the label of a comment, but the types don't allow it.
  return Object.assign(comment, { label });
}

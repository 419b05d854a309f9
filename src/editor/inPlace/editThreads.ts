/** The threads of edits in the code (comment controller `k3.edit`). The user can't start one beside a line. */
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isCell } from '../workspace/textSources.ts';
import type { Edit } from './editList.ts';
import type { EditComment } from './editWords.ts';

const t = vscode.l10n.t;

/** The editor takes the changes of a thread together for 100 milliseconds. */
const CHANGES_MS = 150;
/** How often a box is given the focus at most, and how long that is waited for, in milliseconds. */
const MAX_TRIES = 3;
const FOCUS_MS = 1000;
const POLL_MS = 50;

/** The box of an edit in which nothing was asked yet, or with words for a new thread. The editor gives it the focus, which a box for replies doesn't get. */
export interface AskingComment extends vscode.Comment {
  readonly editId: string;
}

/** A comment of the model or of the user, with the edit and the index of the question that it belongs to. */
export interface StepComment extends vscode.Comment {
  readonly editId: string;
  readonly step: number;
}

/** What a thread shows. */
export interface ThreadView {
  /** Which lines go along, and where they go. */
  readonly label: string;
  /** For the menus of the thread. */
  readonly state: 'empty' | 'running' | 'asked';
  /** For the menus, too: what can be done about the instructions of the project. */
  readonly instructions: 'instructions' | 'leftOut' | undefined;
  readonly comments: readonly ShownComment[];
}

/** A comment, and the index of the question that it belongs to. */
export interface ShownComment extends EditComment {
  readonly step: number;
}

export interface EditThreads extends vscode.Disposable {
  /** Shows an edit, with a new thread if there is none in its file yet. Folded, it takes the focus from nothing. */
  show(edit: Edit, view: ThreadView, isFolded?: boolean): void;
  /** Opens the thread again if it was folded, and gives its box the focus. */
  focus(edit: Edit): Promise<void>;
  /** Removes the thread. Showing the edit makes a new one. */
  close(edit: Edit): void;
  /** The thread of an edit, with what it shows. */
  of(edit: Edit): vscode.CommentThread | undefined;
  editOf(thread: unknown): string | undefined;
}

interface Shown {
  readonly thread: vscode.CommentThread;
  readonly uri: string;
  /** It takes replies, or has a box of its own, for the question with this index. */
  readonly boxFor: number | undefined;
  view: string;
}

export function createEditThreads(): EditThreads {
  const controller = vscode.comments.createCommentController('k3.edit', t('K3 edit'));
  controller.options = {
    prompt: t('Ask for another change…'),
    placeHolder: t('Press Enter to send, or Escape to end the edit.'),
  };
  const threads = new Map<string, Shown>();

  /**
   * A thread can't move to another file. One that begins to take replies while it is shown gets two boxes for them: the
   * editor makes one when it has loaded its text, and another one when the thread changes before that.
   */
  function threadOf(edit: Edit, { comments }: ThreadView, isFolded: boolean): Shown {
    const known = threads.get(edit.id);
    const uri = edit.uri.toString();
    const { length } = edit.steps;
    if (known?.uri === uri && (known.boxFor ?? length) === length) return known;
    known?.thread.dispose();
    // The box for replies can't be given words.
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
    // The box of a new edit gets the focus when its thread is opened.
    if (boxFor !== undefined) return;
    // The first gives the focus to the comments, the second to the box below them.
    await vscode.commands.executeCommand('workbench.action.focusCommentOnCurrentLine');
    await vscode.commands.executeCommand('widgetNavigation.focusNext');
  }

  /** Whether the focus doesn't come into a box, and the user hasn't gone elsewhere. */
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
      // The editor shows no threads of extensions there.
      if (isCell(edit.uri)) return;
      for (let tries = 1; tries <= MAX_TRIES; tries++) {
        await giveFocus(edit);
        // A busy editor can miss that the thread was folded in between. What is typed would change the file then.
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

/** Only one line, because the editor paints the lines of a thread in its own color. */
const placeOf = ({ place }: Edit) => new vscode.Range(place, 0, place, 0);

/**
 * The editor tells comments apart by their objects, and draws those again that are new to it. The name of a comment for screen
 * readers is the text that it was drawn with, so only progress, which changes all the time, stays in its object.
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

/** Whether a value is the box of an edit. */
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
  // The types don't allow undefined, which removes the label of a comment that had one.
  return Object.assign(comment, { label });
}

/**
 * Registers the comment controller `k3.proposal`: threads on the hunks under review and on other lines, and the box for a new
 * comment.
 */
import * as v from 'valibot';
import * as vscode from 'vscode';
import { tryDecode } from '../../validation/decode.ts';
import { isReply } from '../base/commentArguments.ts';
import { type CommentControllers, SETTLE_MS } from '../base/commentControllers.ts';
import { editorInFront } from '../base/lastEditor.ts';
import { showInformation } from '../base/notifications.ts';
import { createOnceForReply } from '../base/sameReply.ts';
import { createThrottle } from '../base/throttle.ts';
import { isCell } from '../workspace/textSources.ts';
import { createCellComments } from './cellComments.ts';
import { canHaveRemarks, createCommentingRanges, type RangesHold } from './commentingRanges.ts';
import type { HunkTarget } from './hunkTargets.ts';
import { createHunkThreads, hunkKeyOf } from './hunkThreads.ts';
import type { MovedFiles } from './movedFiles.ts';
import type { Proposals } from './proposalList.ts';
import { toRemark } from './remarkReplies.ts';
import type { Remarks } from './remarks.ts';
import { createRemarkThreads } from './remarkThreads.ts';
import { createSettling } from './settling.ts';

const t = vscode.l10n.t;

/** The shortest time between two updates while the user types, in milliseconds. */
const REFRESH_MS = 100;

export interface ProposalThreadsDeps {
  readonly controllers: Pick<CommentControllers, 'create'>;
  readonly proposals: Pick<Proposals, 'underReview' | 'ofFile' | 'onDidChange'>;
  readonly remarks: Remarks;
  readonly moved: Pick<MovedFiles, 'follow'>;
}

/** Hides the threads that end on a line of a file. */
export type HideThreads = (uri: vscode.Uri, line: number) => vscode.Disposable;

export interface ProposalThreads extends vscode.Disposable {
  /** The hunk of a thread. */
  targetOf(thread: vscode.CommentThread): HunkTarget | undefined;
  /** Expands the thread of a hunk. */
  expand(target: HunkTarget): void;
  /** Opens and focuses a comment box for a hunk of the active editor. */
  openCommentBox(target: HunkTarget): Promise<void>;
  /** Adds a function that hides threads of another room that end on a line, until the result is disposed of. */
  hideOthersWith(hide: HideThreads): void;
  holdRanges(): RangesHold;
}

export function registerProposalThreads(deps: ProposalThreadsDeps): ProposalThreads {
  const { proposals, remarks, moved } = deps;
  const controller = deps.controllers.create('k3.proposal', t('K3 proposal'), {
    options: { prompt: t('Comment for the review'), placeHolder: t('What should change?') },
    renew() {
      threads.forget();
      loose.forget();
      sync();
    },
  });
  const threads = createHunkThreads(controller, { proposals, remarks });
  /** The keys of threads that are hidden while a comment box is opened in their place. */
  const hidden = new Set<string>();
  const loose = createRemarkThreads(controller, remarks);
  const commentInCell = createCellComments({ threads, proposals, remarks, moved });
  const hideOthers: HideThreads[] = [];

  /**
   * The URI of the document for which `k3.commentLine` was run last, until its box is shown. On a line with a thread, no box is
   * shown.
   */
  let asked: string | undefined;
  /** The URIs of documents with such a box. There may be nothing under review. */
  const requested = new Set<string>();
  /** Whether a box for a new comment is shown. */
  let hasBox = false;
  let isOpening = false;
  const once = createOnceForReply();
  const settling = createSettling(SETTLE_MS, syncThreads);
  const ranges = createCommentingRanges(
    controller,
    () =>
      isOpening ||
      requested.size > 0 ||
      hasBox ||
      proposals.underReview().length > 0 ||
      remarks.list().length > 0,
  );

  /** New commenting ranges make the editor read all threads again. A thread created meanwhile would appear twice. */
  function sync(): void {
    if (ranges.update()) settling.restart();
    if (!settling.isPending()) syncThreads();
  }

  function syncThreads(): void {
    const isHidden = (target: HunkTarget) => hidden.has(hunkKeyOf(target));
    threads.sync(isHidden);
    loose.sync((target) => isHidden(target) || threads.of(target) !== undefined);
  }

  const refresh = createThrottle(REFRESH_MS, sync);
  const registered = vscode.Disposable.from(
    controller,
    refresh,
    new vscode.Disposable(() => {
      settling.dispose();
      ranges.dispose();
    }),
    proposals.onDidChange(() => refresh.call()),
    remarks.onDidChange(() => refresh.call()),
    vscode.workspace.onDidOpenTextDocument(() => refresh.call()),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (requested.delete(uri.toString())) refresh.call();
    }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      const hadBox = hasBox;
      hasBox = editors.some(({ document }) => isBox(document.uri));
      if (hasBox && asked !== undefined) {
        requested.add(asked);
        asked = undefined;
      }
      if (hadBox === hasBox) return;
      // The box was closed without a comment. The box of a hidden file comes back when the file is shown.
      if (hadBox) for (const { document } of editors) requested.delete(document.uri.toString());
      refresh.call();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('editor.accessibilitySupport')) refresh.call();
    }),
    vscode.commands.registerCommand('k3.addRemark', async (reply: unknown) => {
      if (!isReply(reply) || reply.text.trim() === '') return;
      await once(threadPlaceOf(reply), reply.text, async () => {
        add(reply);
        // The box that had the focus is closed, and the editor doesn't focus anything else.
        await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      });
    }),
    vscode.commands.registerCommand('k3.commentLine', commentLine),
    vscode.commands.registerCommand('k3.deleteRemark', (comment: unknown) => {
      const id = tryDecode(v.looseObject({ remarkId: v.string() }), comment)?.remarkId;
      if (id !== undefined) remarks.remove(new Set([id]));
    }),
  );
  refresh.call();

  async function commentLine(): Promise<void> {
    const { document, selection } = editorInFront() ?? {};
    const uri = document?.uri;
    if (uri === undefined)
      return void showInformation(t('Open a file, and put the cursor on the line to comment on.'));
    if (selection !== undefined && isCell(uri)) return commentInCell({ uri, range: selection });
    await controller.ready();
    isOpening = canHaveRemarks(uri);
    asked = isOpening ? uri.toString() : undefined;
    if (ranges.update()) settling.restart();
    await settling.settled();
    // The ranges stay long enough for the box to be shown.
    isOpening = false;
    refresh.call();
    await vscode.commands.executeCommand('workbench.action.addComment');
  }

  function add(reply: vscode.CommentReply): void {
    const shown = threads.targetOf(reply.thread);
    requested.delete(reply.thread.uri.toString());
    remarks.put(toRemark(reply, shown, proposals));
    // The editor created a thread for the new remark. The thread that shows the remark replaces it.
    if (shown === undefined) reply.thread.dispose();
  }

  return {
    targetOf: threads.targetOf,
    expand(target) {
      refresh.flush();
      const thread = threads.of(target);
      if (thread !== undefined) thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    },
    hideOthersWith: (hide) => void hideOthers.push(hide),
    holdRanges: () => ranges.hold(sync),
    async openCommentBox(target) {
      await controller.ready();
      // The CodeLens may be shown before the thread.
      refresh.flush();
      await settling.settled();
      const editor = editorInFront();
      const thread = threads.of(target);
      if (thread !== undefined && isCell(thread.uri)) return commentInCell(thread);
      const line = thread?.range?.end.line;
      if (editor === undefined || line === undefined) return;
      // The editor focuses a new comment box only on a line without a thread, and has no other API for this. So the threads on the
      // line are hidden meanwhile.
      const key = hunkKeyOf(target);
      hidden.add(key);
      sync();
      const others = hideOthers.map((hide) => hide(editor.document.uri, line));
      editor.selection = new vscode.Selection(line, 0, line, 0);
      try {
        await vscode.commands.executeCommand('workbench.action.addComment');
      } finally {
        for (const one of others) one.dispose();
        hidden.delete(key);
        refresh.call();
      }
    },
    dispose: () => registered.dispose(),
  };
}

/**
 * Whether a document is that of a box for a new comment. Its name ends with a number, which in VS Code 1.103 is followed by more
 * text. In the name of a reply box, the name of the controller precedes the number.
 */
const isBox = ({ scheme, authority, path }: vscode.Uri): boolean =>
  scheme === 'comment' && authority === 'k3.proposal' && /-\d+\.md(?:\?|$)/.test(path);

export const threadPlaceOf = ({ thread: { uri, range } }: vscode.CommentReply): string =>
  JSON.stringify([uri, range]);

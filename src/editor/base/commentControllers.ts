/**
 * Comment controllers that are created again when the editor has lost them.
 *
 * Whenever an extension host starts, the editor removes the comment controllers of all hosts: the constructor of its `MainThreadComments`
 * calls `unregisterCommentController()` without a name. Where that host starts after this extension, such as the host of web extensions on
 * a busy machine, no thread is shown in the window any more, no box opens, and the extension isn't told.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { inBackground } from './background.ts';
import type { Log } from './log.ts';

/**
 * How long the editor needs to process a new controller or new commenting ranges, in milliseconds. It reads all threads again, and would
 * show a thread twice that is created meanwhile.
 */
export const SETTLE_MS = 600;
/** How long to wait for a question about a document after it was opened, in milliseconds. It has been sent before. */
const ANSWER_MS = 1000;
/** When to look for controllers that were lost while the window started, in milliseconds after the first one was created. */
const START_MS = 15_000;
/** How long a question counts as a sign that the editor still has the controllers, in milliseconds. */
const RECENT_MS = 5000;
/** The shortest time between two checks because of shown files, in milliseconds. */
const INTERVAL_MS = 10_000;

const SCHEME = 'k3-comments';

export interface LastingController extends Pick<vscode.CommentController, 'createCommentThread' | 'dispose'> {
  /** Sets where the user can comment, also for when the controller is created again. The editor reads all threads again. */
  setRanges(ranges: (document: vscode.TextDocument) => vscode.Range[]): void;
}

export interface CommentControllers extends vscode.Disposable {
  /**
   * Creates a controller.
   *
   * @param about.renew called when the controller was created again: its threads have to be disposed of and created again
   */
  create(
    id: string,
    label: string,
    about: { readonly options: vscode.CommentOptions; renew(): void },
  ): LastingController;
}

interface Kept {
  /** When the controller was created, as `performance.now()`. */
  readonly since: number;
  /** Creates the controller again. */
  replace(): void;
  renew(): void;
}

export function createCommentControllers(log: Pick<Log, 'warn'>): CommentControllers {
  const kept = new Set<Kept>();
  /** A controller without threads. The editor asks it about each document that is opened, if it still has the controllers. */
  let watch: vscode.CommentController | undefined;
  let asked = Number.NEGATIVE_INFINITY;
  let checked = Number.NEGATIVE_INFINITY;
  let isChecking = false;
  /** Whether the editor has asked about a document of a check. */
  let isReliable = false;
  let hasCreatedAgain = false;
  let hasThreads = false;
  let isDisposed = false;
  let showing: NodeJS.Timeout | undefined;
  let settling: NodeJS.Timeout | undefined;
  let starting: NodeJS.Timeout | undefined;

  const questions: vscode.CommentingRangeProvider = {
    provideCommentingRanges({ uri }) {
      asked = performance.now();
      isReliable ||= uri.scheme === SCHEME;
      return [];
    },
  };

  /** Opens a document that nobody sees, and creates the controllers again if the editor doesn't ask about it. */
  async function check(): Promise<void> {
    isChecking = true;
    checked = performance.now();
    try {
      await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEME, path: `/${randomUUID()}` }));
      // Twice: after a time in which nothing could run, timers run before what has arrived meanwhile.
      for (let time = 0; time < 2 && asked < checked; time++)
        await new Promise((resolve) => setTimeout(resolve, ANSWER_MS / 2));
    } finally {
      isChecking = false;
    }
    if (isDisposed || asked >= checked) return;
    // Once, if the editor has not asked about any document of a check: it may be one that doesn't.
    if (isReliable || !hasCreatedAgain) createAgain();
  }

  function checkInBackground(): void {
    if (!isChecking && !isDisposed) inBackground(log, check(), 'looking for lost comments');
  }

  function createAgain(): void {
    log.warn(
      'the editor has removed all comments, as it does when another extension host starts: they are shown again',
    );
    hasCreatedAgain = true;
    // The editor has asked when a later one was created, unless the others had been lost before: then that one wasn't.
    const lost = [...kept].filter(({ since }) => asked === Number.NEGATIVE_INFINITY || since <= asked);
    startWatch();
    for (const one of lost) one.replace();
    clearTimeout(settling);
    settling = setTimeout(() => {
      for (const one of lost) one.renew();
    }, SETTLE_MS);
  }

  function startWatch(): void {
    watch = vscode.comments.createCommentController('k3.watch', 'K3');
    watch.commentingRangeProvider = questions;
  }

  /** The editor asks about files that it shows, and other documents. A check follows if it has not asked. */
  function show(): void {
    if (!hasThreads || showing !== undefined) return;
    const shown = performance.now();
    const wait = Math.max(ANSWER_MS, checked + INTERVAL_MS - shown);
    showing = setTimeout(() => {
      showing = undefined;
      if (performance.now() - asked > wait + ANSWER_MS) checkInBackground();
    }, wait);
  }

  /** Called before a thread is created, which would not be shown. */
  function expectThreads(): void {
    hasThreads = true;
    const isKnown = [...kept].every(({ since }) => since <= asked);
    if (!isKnown || performance.now() - asked > RECENT_MS) checkInBackground();
  }

  function begin(): void {
    startWatch();
    starting = setTimeout(() => {
      if (hasThreads) checkInBackground();
    }, START_MS);
  }

  const registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: () => '' }),
    vscode.window.onDidChangeVisibleTextEditors(show),
    new vscode.Disposable(() => {
      isDisposed = true;
      for (const timer of [showing, settling, starting]) clearTimeout(timer);
      watch?.dispose();
    }),
  );

  return {
    create(id, label, { options, renew }) {
      if (watch === undefined) begin();
      const createController = () =>
        Object.assign(vscode.comments.createCommentController(id, label), { options });
      let current = createController();
      let ranges: Parameters<LastingController['setRanges']>[0] | undefined;
      const putRanges = () => {
        if (ranges !== undefined) current.commentingRangeProvider = { provideCommentingRanges: ranges };
      };
      const one: Kept = {
        since: performance.now(),
        replace() {
          // The earlier one isn't disposed of: its threads would be disposed of a second time, which the editor reports as errors.
          current = createController();
          putRanges();
        },
        renew,
      };
      kept.add(one);
      return {
        createCommentThread(...about) {
          expectThreads();
          return current.createCommentThread(...about);
        },
        setRanges(next) {
          ranges = next;
          putRanges();
        },
        dispose() {
          kept.delete(one);
          current.dispose();
        },
      };
    },
    dispose: () => registered.dispose(),
  };
}

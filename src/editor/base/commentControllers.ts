/**
 * Comment controllers that are created again when the editor has lost them.
 *
 * Whenever an extension host starts, the editor removes the comment controllers of all hosts: the constructor of its `MainThreadComments`
 * calls `unregisterCommentController()` without a name. Where that host starts after this extension, such as the host of web extensions on
 * a busy machine, no thread is shown in the window any more, no box opens, and the extension isn't told.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Log } from './log.ts';

/**
 * How long the editor needs to process a new controller or new commenting ranges, in milliseconds. It reads all threads again, and would
 * show a thread twice that is created meanwhile.
 */
export const SETTLE_MS = 600;
/** How long to wait for a question about a document after it was opened, in milliseconds. The editor has sent it before. */
const ANSWER_MS = 400;
/** When to look for controllers that were lost while the window started, in milliseconds after the first one was created. */
const START_MS = 15_000;
/** How long a question counts as a sign that the editor still has the controllers, in milliseconds. */
const RECENT_MS = 5000;
/** How long to wait for a question after a file was shown, and how much earlier it can arrive, in milliseconds. */
const SHOWN_MS = 1000;
const EARLIER_MS = 100;
/** The shortest time between two checks because of shown files, in milliseconds. */
const INTERVAL_MS = 10_000;

const SCHEME = 'k3-comments';

export interface LastingController extends Pick<vscode.CommentController, 'createCommentThread' | 'dispose'> {
  /** Sets where the user can comment, also for when the controller is created again. The editor reads all threads again. */
  setRanges(ranges: (document: vscode.TextDocument) => vscode.Range[]): void;
  /** Resolves when the editor has the controller, so that a box can be opened. */
  ready(): Promise<void>;
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
  let shown = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;
  /** The documents of checks about which the editor has not asked. */
  const unasked = new Set<string>();
  /** Whether the editor has asked about a document of a check. */
  let isReliable = false;
  let hasCreatedAgain = false;
  /** Whether there was a thread, or a box was wanted. */
  let isUsed = false;
  let isDisposed = false;
  let showing: NodeJS.Timeout | undefined;
  let starting: NodeJS.Timeout | undefined;

  const questions: vscode.CommentingRangeProvider = {
    provideCommentingRanges({ uri }) {
      asked = performance.now();
      if (unasked.delete(uri.toString())) isReliable = true;
      return [];
    },
  };

  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  /** Opens a document that nobody sees. Returns whether the editor asks about it. */
  async function isAsked(): Promise<boolean> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${randomUUID()}` });
    checked = performance.now();
    unasked.add(uri.toString());
    await vscode.workspace.openTextDocument(uri);
    // Twice: after a time in which nothing could run, timers run before what has arrived meanwhile.
    for (let time = 0; time < 2 && unasked.has(uri.toString()); time++) await pause(ANSWER_MS / 2);
    return !unasked.delete(uri.toString());
  }

  /** Creates the controllers again if the editor has lost them. */
  async function check(): Promise<void> {
    if ((await isAsked()) || isDisposed) return;
    // Once, if the editor has not asked about any document of a check: it may be one that doesn't.
    if (!isReliable && hasCreatedAgain) return;
    const lost = createAgain();
    await pause(SETTLE_MS);
    if (isDisposed) return;
    for (const one of lost) one.renew();
    // Shows whether the editor asks about documents of checks, for the next time.
    await isAsked();
  }

  /** One check at a time. A check that fails is logged: a box may still open. */
  function checkNow(): Promise<void> {
    checking ??= check()
      .catch((error: unknown) => log.warn(`looking for lost comments failed: ${String(error)}`))
      .finally(() => {
        checking = undefined;
      });
    return checking;
  }

  /** Returns the controllers that were created again. */
  function createAgain(): readonly Kept[] {
    log.warn(
      'the editor has removed all comments, as it does when another extension host starts: they are shown again',
    );
    hasCreatedAgain = true;
    // The editor has asked when a later one was created, unless the others had been lost before: then that one wasn't.
    const lost = [...kept].filter(({ since }) => asked === Number.NEGATIVE_INFINITY || since <= asked);
    startWatch();
    for (const one of lost) one.replace();
    return lost;
  }

  function startWatch(): void {
    watch = vscode.comments.createCommentController('k3.watch', 'K3');
    watch.commentingRangeProvider = questions;
  }

  /**
   * Called when other files or boxes are shown. The editor asks about files, and removes boxes when it loses the controllers. A check
   * follows if it has not asked.
   */
  function show(): void {
    shown = performance.now();
    if (!isUsed || showing !== undefined) return;
    showing = setTimeout(
      () => {
        showing = undefined;
        if (asked < shown - EARLIER_MS) void checkNow();
      },
      Math.max(SHOWN_MS, checked + INTERVAL_MS - shown),
    );
  }

  /** Whether the editor had all controllers a short time ago. */
  const areKnown = () =>
    [...kept].every(({ since }) => since <= asked) && performance.now() - asked <= RECENT_MS;

  /** Called when a thread is created, which isn't shown if the controllers are lost. */
  function expectThreads(): void {
    isUsed = true;
    if (areKnown()) show();
    else void checkNow();
  }

  function begin(): void {
    startWatch();
    starting = setTimeout(() => {
      if (isUsed) void checkNow();
    }, START_MS);
  }

  const registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: () => '' }),
    vscode.window.onDidChangeVisibleTextEditors(show),
    vscode.window.onDidChangeWindowState(show),
    new vscode.Disposable(() => {
      isDisposed = true;
      for (const timer of [showing, starting]) clearTimeout(timer);
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
        async ready() {
          isUsed = true;
          if (!areKnown()) await checkNow();
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

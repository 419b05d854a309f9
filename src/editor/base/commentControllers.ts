/**
 * Comment controllers that are created again when the editor has lost them.
 *
 * Whenever an extension host starts, the editor removes the comment controllers of all hosts: the constructor of its `MainThreadComments`
 * calls `unregisterCommentController()` without a name. Where that host starts after this extension, such as the host of web extensions on
 * a busy machine, no thread is shown in the window any more, no box opens, and the extension isn't told. But the editor asks each
 * controller that it has for commenting ranges when it shows a file, so it has lost those that it doesn't ask.
 */
import * as vscode from 'vscode';
import type { Log } from './log.ts';

/**
 * How long the editor needs to process a new controller or new commenting ranges, in milliseconds. It reads all threads again, and would
 * show a thread twice that is created meanwhile.
 */
export const SETTLE_MS = 600;
/** How long to wait for a question of the editor, in milliseconds. On a busy machine, it can take longer: see `check`. */
const WAIT_MS = 1500;
const MAX_WAITS = 4;
/** The editor can ask this long before it tells that it shows a file, in milliseconds. */
const EARLIER_MS = 1000;
/** When to look for controllers that were lost while the window started, in milliseconds after the first one was created. */
const START_MS = 15_000;

export interface LastingController extends Pick<vscode.CommentController, 'createCommentThread' | 'dispose'> {
  /** Sets where the user can comment, also for when the controller is created again. The editor reads all threads again. */
  setRanges(ranges: (document: vscode.TextDocument) => vscode.Range[]): void;
}

export interface CommentControllers extends vscode.Disposable {
  /**
   * Creates a controller.
   *
   * @param about.renew called when the controller was created again. Its threads are gone, and have to be created again
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
  /** Replaces the controller in the editor. */
  replace(): void;
  renew(): void;
}

export function createCommentControllers(log: Pick<Log, 'warn'>): CommentControllers {
  const kept = new Set<Kept>();
  /** A controller without threads, to learn whether the editor still asks. */
  let watch: vscode.CommentController | undefined;
  let asked = Number.NEGATIVE_INFINITY;
  /**
   * When the editor asked last. Controllers from after that were created after the others were lost: otherwise it would have asked again
   * when they were created. While it shows no file, it asks nothing, so then this is when it showed the next one.
   */
  let known = Number.NEGATIVE_INFINITY;
  let shown: readonly vscode.TextEditor[] = [];
  let hasThreads = false;
  /** Whether all controllers were created again, and the editor has not asked since. Then another time would be no better. */
  let isInVain = false;
  let waits = 0;
  let waiting: NodeJS.Timeout | undefined;
  let settling: NodeJS.Timeout | undefined;
  let starting: NodeJS.Timeout | undefined;

  const questions: vscode.CommentingRangeProvider = {
    provideCommentingRanges() {
      asked = performance.now();
      known = asked;
      isInVain = false;
      stopWaiting();
      return [];
    },
  };

  function stopWaiting(): void {
    clearTimeout(waiting);
    waiting = undefined;
  }

  /** Lets the editor ask all its controllers. It reads all threads again, which takes the focus away from their boxes. */
  function ask(): void {
    if (watch !== undefined) watch.commentingRangeProvider = questions;
  }

  function expectQuestion(): void {
    if (isInVain || shown.length === 0 || performance.now() - asked < EARLIER_MS) return;
    if (waiting !== undefined) return;
    waits = 0;
    waiting = setTimeout(check, WAIT_MS);
  }

  /** Waits twice, because questions can arrive late; then lets the editor ask; and only then assumes that the controllers are lost. */
  function check(): void {
    stopWaiting();
    if (shown.length === 0) return;
    // Nothing may take the focus away from a comment that is being typed.
    const isTyped = vscode.window.activeTextEditor?.document.uri.scheme === 'comment';
    if (!isTyped) waits += 1;
    if (waits === MAX_WAITS) {
      createAgain();
      return;
    }
    if (waits === MAX_WAITS / 2 && !isTyped) ask();
    waiting = setTimeout(check, WAIT_MS);
  }

  function createAgain(): void {
    log.warn(
      'the editor has removed all comments, as it does when another extension host starts: they are shown again',
    );
    isInVain = true;
    const lost = [...kept].filter(({ since }) => since <= known);
    startWatch();
    for (const one of lost) one.replace();
    clearTimeout(settling);
    settling = setTimeout(() => {
      for (const one of lost) one.renew();
    }, SETTLE_MS);
  }

  function startWatch(): void {
    watch?.dispose();
    watch = vscode.comments.createCommentController('k3.watch', 'K3');
    ask();
  }

  function show(): void {
    const before = shown;
    shown = vscode.window.visibleTextEditors.filter(isOfFile);
    if (before.length === 0) known = performance.now();
    if (shown.some((one) => !before.includes(one))) expectQuestion();
  }

  function begin(): void {
    startWatch();
    show();
    starting = setTimeout(() => {
      if (hasThreads) expectQuestion();
    }, START_MS);
  }

  const registered = vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(show),
    // The editor also asks when a text changes.
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (shown.some((one) => one.document === document)) expectQuestion();
    }),
    new vscode.Disposable(() => {
      for (const timer of [waiting, settling, starting]) clearTimeout(timer);
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
          current.dispose();
          current = createController();
          putRanges();
        },
        renew,
      };
      kept.add(one);
      return {
        createCommentThread(...about) {
          hasThreads = true;
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

/** Whether an editor is one for which the editor asks: a file in a tab, not a cell of a notebook or an input. */
const isOfFile = ({ document, viewColumn }: vscode.TextEditor): boolean =>
  viewColumn !== undefined && ['file', 'untitled', 'vscode-remote'].includes(document.uri.scheme);

/**
 * Gives the focus back to a page when an input that one of its buttons opened is closed. The editor gives it to a text
 * editor, where the next keys change a file.
 */
import * as vscode from 'vscode';
import type { CardAction } from '../../panel/cards.ts';
import type { WebviewMessage } from '../../panel/messages.ts';
import type { Intent } from './intents.ts';

export interface FocusReturn {
  /** The page has got the focus, or lost it. */
  moved(message: Extract<WebviewMessage, { type: 'focus-moved' }>): void;
  /**
   * Runs an intent, and gives the focus back if it asked in an input.
   *
   * @param run calls `inputClosed` if much is left to do when the user has chosen. Otherwise the focus is given back at
   *   its end
   */
  around<T>(intent: Intent, run: (inputClosed: () => void) => Promise<T>): Promise<T>;
}

export interface FocusReturnDeps {
  /** The page has got the focus, or lost it. */
  onMoved(here: boolean): void;
  /** Gives the focus to the page. */
  regain(): void;
}

export function createFocusReturn({ onMoved, regain }: FocusReturnDeps): FocusReturn {
  /** With a pointer, the user may have closed the input by going somewhere else. */
  let leftByKeyboard = false;
  return {
    moved({ here, byKeyboard }) {
      leftByKeyboard = !here && byKeyboard;
      onMoved(here);
    },
    async around(intent, run) {
      if (!asksInInput(intent)) return run(() => undefined);
      const meanwhile = watchOtherPlaces();
      let given = false;
      const giveBack = () => {
        if (!given && leftByKeyboard && !meanwhile.worked()) regain();
        given = true;
      };
      try {
        return await run(giveBack);
      } finally {
        giveBack();
        meanwhile.dispose();
      }
    },
  };
}

/**
 * Whether the user works in a text editor, a terminal, or another window from now on. An intent may end long after its
 * input.
 */
function watchOtherPlaces(): vscode.Disposable & { worked(): boolean } {
  let worked = false;
  const note = () => {
    worked = true;
  };
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(note),
    vscode.window.onDidChangeTextEditorSelection(note),
    vscode.window.onDidChangeActiveTerminal(note),
    vscode.window.onDidStartTerminalShellExecution(note),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      worked ||= !focused;
    }),
  );
  return { worked: () => worked, dispose: () => listening.dispose() };
}

function asksInInput(intent: Intent): boolean {
  switch (intent.type) {
    case 'attach':
    case 'pick-effort':
    case 'pick-format':
    case 'pick-tools':
    case 'choose-words':
      return true;
    case 'action':
      return ASKING.has(intent.action);
    default:
      return false;
  }
}

const ASKING: ReadonlySet<CardAction> = new Set<CardAction>(['switch-route', 'add-route', 'set-key']);

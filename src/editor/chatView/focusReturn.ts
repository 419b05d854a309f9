/**
 * Gives the focus back to a page when an input that one of its buttons opened is closed. The editor gives it to a text
 * editor, where the next keys change a file.
 */
import * as vscode from 'vscode';
import { type CardAction, SENDING_ACTIONS } from '../../panel/cards.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { InputClosed } from '../conversations/asking.ts';
import type { InputEscape } from './inputEscape.ts';
import type { Intent } from './intents.ts';

export interface FocusReturn {
  /** The page has got the focus, or lost it. */
  moved(message: Extract<WebviewMessage, { type: 'focus-moved' }>): void;
  /**
   * Runs an intent, and gives the focus back if it asked in an input.
   *
   * @param run calls `inputClosed` as soon as the user has chosen, or with false when the input was closed by keyboard. Without
   *   that, the focus is given back at its end if the intent always opens an input, and that was opened by keyboard or closed
   *   with Escape
   */
  around<T>(intent: Intent, run: (inputClosed: InputClosed) => Promise<T>): Promise<T>;
}

export interface FocusReturnDeps {
  /** The page has got the focus, or lost it. */
  onMoved(here: boolean): void;
  /**
   * Gives the focus to the page.
   *
   * @param to where it was, or the message box: who has pressed a button with a pointer writes next
   */
  regain(to: 'where-it-was' | 'message-box'): void;
  watchEscape: InputEscape['watch'];
}

export function createFocusReturn({ onMoved, regain, watchEscape }: FocusReturnDeps): FocusReturn {
  let left = false;
  /** With a pointer, the user may have closed the input by going somewhere else, unless something was chosen in it. */
  let leftByKeyboard = false;
  return {
    moved({ here, byKeyboard }) {
      left = !here;
      leftByKeyboard = left && byKeyboard;
      onMoved(here);
    },
    async around(intent, run) {
      const asks = asksInInput(intent);
      if (asks === 'never') return run(() => undefined);
      const meanwhile = watchOtherPlaces();
      const escaping = watchEscape();
      const isBack = () => leftByKeyboard || (left && escaping.pressed());
      let given = false;
      const giveBack = (isAway: boolean) => {
        if (!given && isAway && !meanwhile.worked()) regain(leftByKeyboard ? 'where-it-was' : 'message-box');
        given = true;
      };
      try {
        return await run((chosen = true) => giveBack(chosen ? left : isBack()));
      } finally {
        // A list that the user has opened meanwhile keeps the focus.
        if (asks === 'always') giveBack(isBack());
        meanwhile.dispose();
        escaping.dispose();
      }
    },
  };
}

/**
 * Whether the user works in an editor, a terminal, or another window from now on. An intent may end long after its
 * input.
 */
function watchOtherPlaces(): vscode.Disposable & { worked(): boolean } {
  let worked = false;
  const note = () => {
    worked = true;
  };
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(note),
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      // Without a kind, the text under the cursor has changed, such as by edits that are reverted.
      worked ||= kind !== undefined;
    }),
    vscode.window.onDidChangeActiveTerminal(note),
    vscode.window.onDidStartTerminalShellExecution(note),
    // Such as the settings, which an item of an input opens.
    vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
      worked ||= opened.length > 0;
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      worked ||= !focused;
    }),
  );
  return { worked: () => worked, dispose: () => listening.dispose() };
}

/** Sometimes: whether it does is known when it says that an input was closed. */
function asksInInput(intent: Intent): 'always' | 'sometimes' | 'never' {
  switch (intent.type) {
    case 'attach':
    case 'pick-effort':
    case 'pick-format':
    case 'pick-preset':
    case 'pick-tools':
    case 'choose-words':
    case 'revert':
      return 'always';
    case 'send':
    case 'edit':
    case 'regenerate':
    case 'structured':
      return 'sometimes';
    case 'action':
      return ASKING.has(intent.action) ? 'always' : MAY_ASK.has(intent.action) ? 'sometimes' : 'never';
    default:
      return 'never';
  }
}

const ASKING: ReadonlySet<CardAction> = new Set<CardAction>(['switch-route', 'add-route', 'set-key']);
/** Those that send a question ask for a key when there is none. */
const MAY_ASK: ReadonlySet<CardAction> = new Set<CardAction>([...SENDING_ACTIONS, 'summarize', 'export']);

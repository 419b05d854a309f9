/**
 * Gives the focus back to a page when an input that one of its buttons opened is closed. Without this, the editor gives it
 * to a text editor, where the next keys would change a file.
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
   * @param run calls `inputClosed` when its input is closed: with true, the default, if the user has chosen something,
   *   otherwise with false. After false, the focus is given back only if the page lost it by keyboard, or if Escape was
   *   pressed. The same applies at the end of an intent that always opens an input and has not called `inputClosed`
   */
  around<T>(intent: Intent, run: (inputClosed: InputClosed) => Promise<T>): Promise<T>;
}

export interface FocusReturnDeps {
  /** The page has got the focus, or lost it. */
  onMoved(here: boolean): void;
  /**
   * Gives the focus to the page.
   *
   * @param to the element that had the focus, or the message box: a user who pressed a button with a pointer probably
   *   writes next
   */
  regain(to: 'where-it-was' | 'message-box'): void;
  watchEscape: InputEscape['watch'];
}

export function createFocusReturn({ onMoved, regain, watchEscape }: FocusReturnDeps): FocusReturn {
  let left = false;
  /**
   * Whether the page lost the focus by keyboard. If it lost it by a pointer, the user may have closed the input by clicking
   * elsewhere, unless something was chosen in it.
   */
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
        // Other intents may have opened no input, and the user may have opened a list meanwhile, which keeps the focus.
        if (asks === 'always') giveBack(isBack());
        meanwhile.dispose();
        escaping.dispose();
      }
    },
  };
}

/**
 * Tells whether the user has worked in an editor, a terminal, or another window since this call. An intent may end long
 * after its input.
 */
function watchOtherPlaces(): vscode.Disposable & { worked(): boolean } {
  let worked = false;
  const note = () => {
    worked = true;
  };
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(note),
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      // Without a kind, the text at the cursor has changed, for example by edits that are reverted.
      worked ||= kind !== undefined;
    }),
    vscode.window.onDidChangeActiveTerminal(note),
    vscode.window.onDidStartTerminalShellExecution(note),
    // For example the settings, which an item of an input opens.
    vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
      worked ||= opened.length > 0;
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      worked ||= !focused;
    }),
  );
  return { worked: () => worked, dispose: () => listening.dispose() };
}

/** Whether an intent opens an input. `sometimes`: it calls `inputClosed` if it has opened one. */
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
/** Actions that send a question ask for a key if there is none. */
const MAY_ASK: ReadonlySet<CardAction> = new Set<CardAction>([...SENDING_ACTIONS, 'summarize', 'export']);

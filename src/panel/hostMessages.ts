/**
 * The messages of the extension host to the webview. The host has the state: the webview sends `ready` and gets a snapshot, then
 * numbered changes. If a number is missing, the webview sends `ready` again; a message whose number it has already had is
 * outdated.
 */
import type { FindMatch } from '../conversation/findMatches.ts';
import type { Editing } from '../conversation/unsent.ts';
import type { ContextChoice } from './context.ts';
import type { PanelState } from './panelState.ts';
import type { Surroundings } from './surroundings.ts';
import type { TurnMap } from './turnMapParts.ts';
import type { ExchangeView, TurnText, TurnView } from './views.ts';

/** The maximum number of places in a `found` message. There can be more matches. */
export { MAX_MATCHES } from '../conversation/findMatches.ts';

export type HostMessage =
  /** `read` is the number of the last message of the page that the host had read at that time. */
  | {
      readonly type: 'snapshot';
      readonly seq: number;
      readonly read?: number;
      readonly panel: PanelState;
    }
  /** Text to append to a turn. At most one every 16 ms. */
  | ({ readonly type: 'text'; readonly seq: number; readonly turnId: string } & TurnText)
  /** A shown turn without its text. */
  | { readonly type: 'turn'; readonly seq: number; readonly turn: TurnView }
  /** An exchange that is new or shows another attempt. Replaces the one with the same id. */
  | { readonly type: 'exchange'; readonly seq: number; readonly exchange: ExchangeView }
  /** Exchanges to insert before the existing ones. */
  | {
      readonly type: 'earlier';
      readonly seq: number;
      readonly exchanges: readonly ExchangeView[];
      readonly earlier: number;
    }
  /** Exchanges to append to the existing ones. */
  | {
      readonly type: 'later';
      readonly seq: number;
      readonly exchanges: readonly ExchangeView[];
      readonly later: number;
    }
  /** The results of a search in the conversation. */
  | {
      readonly type: 'found';
      readonly seq: number;
      readonly words: string;
      readonly places: readonly FindMatch[];
    }
  /** The suggestions for `@` and some letters. Can be sent several times for the same query, each time with more. */
  | {
      readonly type: 'choices';
      readonly seq: number;
      readonly query: number;
      readonly choices: readonly ContextChoice[];
    }
  /** The last questions of the user in this workspace, the newest first. */
  | { readonly type: 'recalled'; readonly seq: number; readonly texts: readonly string[] }
  /** Which of the paths that the webview asked about exist in the workspace. */
  | {
      readonly type: 'paths';
      readonly seq: number;
      readonly existing: readonly string[];
      readonly missing: readonly string[];
    }
  /** Which of the symbols that the webview asked about the editor knows in the workspace. */
  | {
      readonly type: 'symbols';
      readonly seq: number;
      readonly existing: readonly string[];
      readonly missing: readonly string[];
    }
  | { readonly type: 'surroundings'; readonly seq: number; readonly surroundings: Surroundings }
  /** The draft, after another panel or window changed it. */
  | { readonly type: 'draft'; readonly seq: number; readonly read?: number; readonly text: string }
  /** Text from an editor command to append to the draft. */
  | { readonly type: 'compose'; readonly seq: number; readonly text: string }
  /**
   * A question to edit. `isReturned`: the question was edited and not sent. The page opens it again where it was edited. If
   * another question is being edited there, the page puts the text into the message box instead.
   */
  | { readonly type: 'edit'; readonly seq: number; readonly editing: Editing; readonly isReturned?: true }
  /**
   * A message of a conversation was sent or queued, so the page clears the message box if it still has this text. `isKept`: the
   * message wasn't sent, and can be sent again.
   */
  | {
      readonly type: 'taken';
      readonly seq: number;
      readonly conversationId: string;
      readonly text: string;
      readonly isKept?: true;
    }
  /** Scrolls to an exchange or a part of it and highlights it briefly. */
  | {
      readonly type: 'reveal';
      readonly seq: number;
      readonly exchangeId: string;
      readonly part: 'question' | 'reasoning' | 'answer';
    }
  /** Asks for the steps that mention words of an answer. Without `words`, these are the selected words. */
  | {
      readonly type: 'why';
      readonly seq: number;
      readonly turnId: string | undefined;
      readonly words: string | undefined;
    }
  /** Shows a step of the reasoning, or the places of the answer that mention it. Steps are counted from 0. */
  | {
      readonly type: 'step';
      readonly seq: number;
      readonly exchangeId: string;
      readonly turnId: string;
      readonly step: number;
      readonly part: 'reasoning' | 'answer';
      /** The words of the user's search. Not set without a search. */
      readonly words?: string;
    }
  /** The map of a turn that has ended. */
  | { readonly type: 'map'; readonly seq: number; readonly turnId: string; readonly map: TurnMap }
  /** Opens the map of a turn, and moves the focus to it. */
  | { readonly type: 'show-map'; readonly seq: number; readonly exchangeId: string; readonly turnId: string }
  /** Opens the search in the conversation. */
  | { readonly type: 'open-find'; readonly seq: number }
  /** Moves the focus to the composer. */
  | { readonly type: 'focus'; readonly seq: number }
  /** The page has the focus again. Moves the focus to the element that had it before, or to the composer if that is gone. */
  | { readonly type: 'refocus'; readonly seq: number };

/**
 * Text to append to the turn of the last `text` message: the number of the message, the answer, and the reasoning if there is
 * any. It is an array because the text of one frame is often shorter than the names of fields.
 */
export type ShortText = readonly [seq: number, answer: string, reasoning?: string];

/**
 * The fields that have changed. `unset` has the fields that are undefined now, because the editor omits undefined values from
 * messages.
 */
export interface Changes<Value> {
  readonly changes: Partial<Value>;
  readonly unset?: readonly (keyof Value)[];
}

/** A message as it is posted. Many are shortened, because the page has the earlier messages. */
export type PostedMessage =
  | HostMessage
  | ShortText
  /** The fields that have changed since the last `turn` message. */
  | ({ readonly type: 'turn-changes'; readonly seq: number } & Changes<TurnView>)
  /** The fields that have changed since the last snapshot or `surroundings` message. */
  | ({ readonly type: 'surroundings-changes'; readonly seq: number } & Changes<Surroundings>);

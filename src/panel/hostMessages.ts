/**
 * The messages of the extension host to the webview. The host has the state: the webview sends `ready` and gets a
 * snapshot, then numbered changes. If a number is missing, it sends `ready` again; a number that it has had is
 * outdated.
 */
import type { FindMatch } from '../conversation/findMatches.ts';
import type { Editing } from '../conversation/unsent.ts';
import type { ContextChoice } from './context.ts';
import type { PanelState } from './panelState.ts';
import type { Surroundings } from './surroundings.ts';
import type { TurnMap } from './turnMapParts.ts';
import type { ExchangeView, TurnText, TurnView } from './views.ts';

/** The most places of a `found` message; there can be more. */
export { MAX_MATCHES } from '../conversation/findMatches.ts';

export type HostMessage =
  /** `read` is the number of the last message of the page that the host had read then. */
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
  /** What the user asked last in this workspace, the newest first. */
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
  /** The draft, as another panel or window changed it. */
  | { readonly type: 'draft'; readonly seq: number; readonly read?: number; readonly text: string }
  /** Text from an editor command to append to the draft. */
  | { readonly type: 'compose'; readonly seq: number; readonly text: string }
  /**
   * A question to edit. `isReturned`: it was edited and not sent, and the page opens it again where it was edited, or puts its
   * text into the message box while another one is edited there.
   */
  | { readonly type: 'edit'; readonly seq: number; readonly editing: Editing; readonly isReturned?: true }
  /**
   * This message of this conversation was sent or queued, so the message box is cleared if it still has it. `isKept`: it was
   * not, and can be sent again.
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
  /** Asks for the steps that mention words of an answer; without words, those that are selected. */
  | {
      readonly type: 'why';
      readonly seq: number;
      readonly turnId: string | undefined;
      readonly words: string | undefined;
    }
  /** Shows a step of the reasoning, or the places of the answer that mention it. Steps count from 0. */
  | {
      readonly type: 'step';
      readonly seq: number;
      readonly exchangeId: string;
      readonly turnId: string;
      readonly step: number;
      readonly part: 'reasoning' | 'answer';
      /** The words that the user has searched for. Not set without a search. */
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
  /** The page has the focus again. Moves it to what had it before, or to the composer if that is gone. */
  | { readonly type: 'refocus'; readonly seq: number };

/**
 * Text to append to the turn of the last `text` message: the number of the message, the answer, and the reasoning if there is any.
 * What comes within a frame is shorter than the names of the fields.
 */
export type ShortText = readonly [seq: number, answer: string, reasoning?: string];

/** The fields that have changed. `unset`: those that are undefined now, which the editor would leave out. */
export interface Changes<Value> {
  readonly changes: Partial<Value>;
  readonly unset?: readonly (keyof Value)[];
}

/** A message as it is posted: many are shorter, because the page has the ones before. */
export type PostedMessage =
  | HostMessage
  | ShortText
  /** What is new since the last `turn` message. */
  | ({ readonly type: 'turn-changes'; readonly seq: number } & Changes<TurnView>)
  /** What is new since the last snapshot or `surroundings` message. */
  | ({ readonly type: 'surroundings-changes'; readonly seq: number } & Changes<Surroundings>);

/**
 * The messages between the extension host and the webview. The host has the state: the webview sends `ready` and gets a
 * snapshot, then numbered changes. If a number is missing, it sends `ready` again; a number that it has had is outdated.
 */
import type { FindMatch } from '../conversation/findMatches.ts';
import type { Editing } from '../conversation/unsent.ts';
import type { CardAction } from './cards.ts';
import type { ContextChoice, ContextReference } from './context.ts';
import type { TurnMap } from './turnMapParts.ts';
import type {
  CodeAction,
  ExchangeView,
  PanelState,
  ProposalAction,
  StructuredAction,
  Surroundings,
  ToolDecision,
  TurnText,
  TurnView,
} from './views.ts';
import type { Strength } from './why.ts';

/** Maximum size of an image from the webview, in bytes. The host has the same limit for files. */
export const MAX_PANEL_BYTES = 100 * 1024 * 1024;

/** A step that mentions words of an answer, or shares some of them. Steps count from 0. */
export interface CitedStep {
  readonly turnId: string;
  readonly step: number;
  readonly strength: Strength;
}

export type HostMessage =
  | { readonly type: 'snapshot'; readonly seq: number; readonly panel: PanelState }
  /** Text to append to a turn. At most one every 16 ms. */
  | ({ readonly type: 'text'; readonly seq: number; readonly turnId: string } & TurnText)
  /** A shown turn without its text. */
  | { readonly type: 'turn'; readonly seq: number; readonly exchangeId: string; readonly turn: TurnView }
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
  | { readonly type: 'draft'; readonly seq: number; readonly text: string }
  /** Text from an editor command to append to the draft. */
  | { readonly type: 'compose'; readonly seq: number; readonly text: string }
  /**
   * A question to edit. `isReturned`: it was edited and not sent, and the page opens it again where it was edited, or puts its
   * text into the message box while another one is edited there.
   */
  | { readonly type: 'edit'; readonly seq: number; readonly editing: Editing; readonly isReturned?: true }
  /** This message of this conversation was sent or queued, so the message box is cleared if it still has it. */
  | { readonly type: 'taken'; readonly seq: number; readonly conversationId: string; readonly text: string }
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
 * A message of the webview, with the conversation it showed at the time; the host may have already sent another one.
 */
export interface PageMessage {
  readonly message: WebviewMessage;
  /** Undefined before the first snapshot. */
  readonly conversationId: string | undefined;
  /** The number of the last message of the host that the page had. Undefined before the first snapshot. */
  readonly seen: number | undefined;
}

export type WebviewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'stop' }
  | { readonly type: 'show-earlier' }
  | { readonly type: 'show-later' }
  /** The user navigates to an exchange that the webview doesn't have. */
  | { readonly type: 'show-exchange'; readonly exchangeId: string }
  | { readonly type: 'find'; readonly words: string }
  /** Asks for what the user asked last. */
  | { readonly type: 'recall' }
  /** The user has stopped typing, or left the message box: its text. */
  | { readonly type: 'draft'; readonly text: string }
  /** The text after each key, before `draft`, so that a page that is closed or loaded again meanwhile loses nothing. */
  | { readonly type: 'typed'; readonly text: string }
  /**
   * The question that is being edited, and its text so far. `before` is the id of the question whose box it was until now:
   * another panel can edit another question.
   */
  | {
      readonly type: 'editing';
      readonly before: string | undefined;
      readonly editing: Editing | undefined;
    }
  | { readonly type: 'attach' }
  /**
   * Images that were pasted or dropped. One that is larger than `MAX_PANEL_BYTES` has no bytes, only their number; one
   * that could not be read has an `error`, the message of the browser.
   */
  | {
      readonly type: 'attach-images';
      readonly images: readonly {
        readonly name: string;
        readonly size: number;
        readonly bytes: Uint8Array | undefined;
        readonly error: string | undefined;
      }[];
    }
  /** URLs instead of bytes: files in the workspace, `ms://` references, or public URLs. */
  | { readonly type: 'attach-addresses'; readonly addresses: readonly string[] }
  | { readonly type: 'dismiss-rejected'; readonly text: string }
  /** The page can be behind, so the name says which one is meant. The place is only for two of the same name. */
  | { readonly type: 'remove-attachment'; readonly name: string; readonly index: number }
  /** Requests suggestions for `@` or `/` and some letters; the response has the same query number. */
  | {
      readonly type: 'complete';
      readonly query: number;
      readonly sign: '@' | '/';
      readonly text: string;
    }
  | { readonly type: 'attach-context'; readonly references: readonly ContextReference[] }
  | { readonly type: 'remove-context'; readonly id: string }
  | { readonly type: 'renew-context'; readonly id: string }
  /** Leaves the instructions of the project out of the next messages of the conversation. */
  | { readonly type: 'leave-out-instructions' }
  | { readonly type: 'pick-effort' }
  | { readonly type: 'pick-preset' }
  | { readonly type: 'pick-format' }
  | { readonly type: 'structured'; readonly action: StructuredAction; readonly turnId: string }
  | { readonly type: 'pick-tools' }
  | { readonly type: 'action'; readonly action: CardAction; readonly turnId: string | undefined }
  | { readonly type: 'regenerate'; readonly turnId: string }
  /** Sends the question of an exchange again with another text. */
  | { readonly type: 'edit'; readonly exchangeId: string; readonly text: string }
  | { readonly type: 'fork'; readonly exchangeId: string }
  /** Keeps an image of a question, but no longer sends it. */
  | {
      readonly type: 'omit-image';
      readonly exchangeId: string;
      readonly index: number;
      /** False sends it again. */
      readonly omits: boolean;
    }
  /** Shows another version of an edited question. */
  | { readonly type: 'show-version'; readonly exchangeId: string; readonly version: number }
  | { readonly type: 'remove-queued'; readonly id: string }
  /** Sends the first queued message, and the others after each complete answer. */
  | { readonly type: 'send-queue' }
  | { readonly type: 'clear-queue' }
  | { readonly type: 'show-attempt'; readonly exchangeId: string; readonly attempt: number }
  | { readonly type: 'open-reasoning'; readonly turnId: string }
  /**
   * The steps that are marked, the best first, and the index of the current one in this list. They are of several turns if
   * the answer has several parts. `show` opens the Reasoning view, because the page doesn't show the reasoning.
   */
  | {
      readonly type: 'cite';
      readonly steps: readonly CitedStep[];
      readonly at: number;
      readonly show: boolean;
    }
  /** Asks for the map of a turn. */
  | { readonly type: 'map'; readonly turnId: string }
  /** Shows a step in the Reasoning view, because the page doesn't show the reasoning. Steps count from 0. */
  | { readonly type: 'show-step'; readonly turnId: string; readonly step: number }
  /** Nothing is selected, so the user chooses one of these sentences to ask about. */
  | { readonly type: 'choose-words'; readonly turnId: string; readonly sentences: readonly string[] }
  /** Takes back what was accepted of an answer, after asking. */
  | { readonly type: 'revert'; readonly turnId: string }
  | { readonly type: 'compare-attempts'; readonly turnId: string }
  | { readonly type: 'copy'; readonly turnId: string }
  | { readonly type: 'copy-text'; readonly text: string }
  /** An action on a code block of an answer. `info` is its info string. */
  | {
      readonly type: 'code';
      readonly action: CodeAction;
      readonly exchangeId: string;
      readonly text: string;
      readonly info: string;
    }
  | {
      readonly type: 'proposal';
      readonly action: ProposalAction;
      readonly proposalId: string;
      readonly uri: string;
    }
  /** The user's decision about a waiting tool call, by the `approval` of what was shown. */
  | { readonly type: 'tool-decision'; readonly approval: string; readonly decision: ToolDecision }
  /** Shows what has changed of the tool of a waiting call since the user allowed it. */
  | { readonly type: 'show-tool-changes'; readonly approval: string }
  /** Stops one running tool call. */
  | { readonly type: 'stop-call'; readonly turnId: string; readonly callId: string }
  /** Opens the result of a call as a document. The round and the index count from 0. */
  | {
      readonly type: 'open-result';
      readonly turnId: string;
      readonly round: number;
      readonly index: number;
    }
  | { readonly type: 'open-link'; readonly href: string }
  /** Asks which paths exist, as they are written. At most `MAX_PATHS_ASKED`. */
  | { readonly type: 'find-paths'; readonly paths: readonly string[] }
  | { readonly type: 'open-path'; readonly path: string }
  /** Asks which symbols the editor knows, by their names of `parseSymbol`. At most `MAX_PATHS_ASKED`. */
  | { readonly type: 'find-symbols'; readonly names: readonly string[] }
  | { readonly type: 'open-symbol'; readonly name: string }
  /** The page has got the focus, or lost it. The user pressed a key last, or used a pointer. */
  | { readonly type: 'focus-moved'; readonly here: boolean; readonly byKeyboard: boolean }
  /** The user has seen the end of a turn, so its problem is marked as read. */
  | { readonly type: 'seen'; readonly turnId: string };

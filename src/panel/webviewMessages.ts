/** The messages of the webview to the extension host. Those of the host are in `hostMessages.ts`. */
import type { Editing } from '../conversation/unsent.ts';
import type { CardAction } from './cards.ts';
import type { ContextReference } from './context.ts';
import type { CodeAction, ProposalAction, StructuredAction, ToolDecision } from './views.ts';
import type { CitedStep } from './why.ts';

/** Maximum size of an image from the webview, in bytes. The host has the same limit for files. */
export const MAX_PANEL_BYTES = 100 * 1024 * 1024;

/**
 * A message of the webview, with the conversation it showed at the time; the host may have already sent another one.
 */
export interface PageMessage {
  readonly message: WebviewMessage;
  /** Undefined before the first snapshot. */
  readonly conversationId: string | undefined;
  /** The number of the last message of the host that the page had. Undefined before the first snapshot. */
  readonly seen: number | undefined;
  /** Counts the messages of the page, from 1. */
  readonly number?: number;
}

export type WebviewMessage =
  | { readonly type: 'ready' }
  /**
   * `draft` is the user's draft, if the text that is sent is an earlier message. The draft stays. With `rest`, the earlier
   * message was changed and is in the draft, too; `rest` is the draft that is left when the message is sent. `isLate`: the
   * message has waited on the page, which sent its draft before it. The draft may be a different one by now.
   */
  | {
      readonly type: 'send';
      readonly text: string;
      readonly draft?: string;
      readonly rest?: string;
      readonly isLate?: true;
    }
  | { readonly type: 'stop' }
  | { readonly type: 'show-earlier' }
  | { readonly type: 'show-later' }
  /** The user navigates to an exchange that the webview doesn't have. */
  | { readonly type: 'show-exchange'; readonly exchangeId: string }
  | { readonly type: 'find'; readonly words: string }
  /** Asks for the last questions of the user. */
  | { readonly type: 'recall' }
  /** The user has stopped typing, or left the message box: its text. */
  | { readonly type: 'draft'; readonly text: string }
  /** The text after each key, before `draft`. So nothing is lost if the page is closed or loaded again before `draft`. */
  | { readonly type: 'typed'; readonly text: string }
  /**
   * The question that is being edited, and its text so far. `before` is the id of the question that was edited in the box of this
   * page until now: another panel can edit another question.
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
  /**
   * The page may be out of date, so the name identifies the attachment. The index only tells two attachments with the same name
   * apart.
   */
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
   * The steps that are marked, the best first, and the index of the current one in this list. They are of several turns if the
   * answer has several parts. With `show`, the Reasoning view opens, because the page doesn't show the reasoning.
   */
  | {
      readonly type: 'cite';
      readonly steps: readonly CitedStep[];
      readonly at: number;
      readonly show: boolean;
    }
  /** Asks for the map of a turn. */
  | { readonly type: 'map'; readonly turnId: string }
  /** Shows a step in the Reasoning view, because the page doesn't show the reasoning. Steps are counted from 0. */
  | { readonly type: 'show-step'; readonly turnId: string; readonly step: number }
  /** Nothing is selected, so the user chooses one of these sentences to ask about. */
  | { readonly type: 'choose-words'; readonly turnId: string; readonly sentences: readonly string[] }
  /** Reverts the accepted changes of an answer, after asking the user. */
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
  /** The user's decision about a waiting tool call, which is identified by the `approval` of the call that was shown. */
  | { readonly type: 'tool-decision'; readonly approval: string; readonly decision: ToolDecision }
  /** Shows what has changed in the tool of a waiting call since the user allowed it. */
  | { readonly type: 'show-tool-changes'; readonly approval: string }
  /** Stops one running tool call. */
  | { readonly type: 'stop-call'; readonly turnId: string; readonly callId: string }
  /** Opens the result of a call as a document. The round and the index are counted from 0. */
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
  /**
   * The page has received or lost the focus. `byKeyboard`: the last thing that the user did was to press a key, not to use a
   * pointer.
   */
  | { readonly type: 'focus-moved'; readonly here: boolean; readonly byKeyboard: boolean }
  /** The user has seen the end of a turn, so its problem is marked as read. */
  | { readonly type: 'seen'; readonly turnId: string };

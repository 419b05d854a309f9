/**
 * What the extension host and the webview say to each other. The host owns the truth: the webview says `ready`
 * and gets a snapshot, then numbered changes; when a number is missing it asks with `ready` again.
 */
import type { FindMatch } from '../chat/find.ts';
import type {
  CardAction,
  CodeAction,
  ContextChoice,
  ContextReference,
  ExchangeView,
  PanelState,
  ProposalAction,
  StructuredAction,
  Surroundings,
  ToolDecision,
  TurnText,
  TurnView,
} from './views.ts';

/** Bytes of an image that the panel hands over. The host has the same limit for files. */
export const MAX_PANEL_BYTES = 100 * 1024 * 1024;

export type HostMessage =
  | { readonly type: 'snapshot'; readonly seq: number; readonly panel: PanelState }
  /** Text to append to a turn. At most one every 16 ms. */
  | ({ readonly type: 'text'; readonly seq: number; readonly turnId: string } & TurnText)
  /** Everything about a shown turn but its text. */
  | { readonly type: 'turn'; readonly seq: number; readonly exchangeId: string; readonly turn: TurnView }
  /** An exchange that is new, or that shows another attempt now. Replaces one of the same id. */
  | { readonly type: 'exchange'; readonly seq: number; readonly exchange: ExchangeView }
  /** Exchanges that stand before those that are there. */
  | {
      readonly type: 'earlier';
      readonly seq: number;
      readonly exchanges: readonly ExchangeView[];
      readonly earlier: number;
    }
  /** Exchanges that follow those that are there. */
  | {
      readonly type: 'later';
      readonly seq: number;
      readonly exchanges: readonly ExchangeView[];
      readonly later: number;
    }
  /** Where the words stand that were looked for. */
  | {
      readonly type: 'found';
      readonly seq: number;
      readonly words: string;
      readonly places: readonly FindMatch[];
    }
  /** What `@` and some letters may mean. Comes more than once for the same query, each time with more. */
  | {
      readonly type: 'choices';
      readonly seq: number;
      readonly query: number;
      readonly choices: readonly ContextChoice[];
    }
  | { readonly type: 'surroundings'; readonly seq: number; readonly surroundings: Surroundings }
  /** Text for the composer, from an editor command; does not replace a draft silently, it is appended. */
  | { readonly type: 'compose'; readonly seq: number; readonly text: string }
  /** What was sent is asked or queued: the composer lets it go. */
  | { readonly type: 'taken'; readonly seq: number }
  /** Brings a place before the eyes, and marks it for a moment. */
  | {
      readonly type: 'reveal';
      readonly seq: number;
      readonly exchangeId: string;
      readonly part: 'question' | 'reasoning' | 'answer';
    }
  /** Puts the cursor into the composer. */
  | { readonly type: 'focus'; readonly seq: number };

/** What a page says, and the conversation that its reader saw then: another one may be on its way to the page. */
export interface PageMessage {
  readonly message: WebviewMessage;
  /** Undefined before the first snapshot. */
  readonly conversationId: string | undefined;
}

export type WebviewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'stop' }
  | { readonly type: 'show-earlier' }
  | { readonly type: 'show-later' }
  /** The reader goes to an exchange that was not sent. */
  | { readonly type: 'show-exchange'; readonly exchangeId: string }
  | { readonly type: 'find'; readonly words: string }
  | { readonly type: 'draft'; readonly text: string }
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
  /** Addresses in place of bytes: of files in the workspace, `ms://` references, or public ones. */
  | { readonly type: 'attach-addresses'; readonly addresses: readonly string[] }
  | { readonly type: 'dismiss-rejected'; readonly index: number }
  | { readonly type: 'remove-attachment'; readonly index: number }
  /** Asks what `@` and some letters may mean; the number comes back with the answer. */
  | { readonly type: 'complete'; readonly query: number; readonly text: string }
  | { readonly type: 'attach-context'; readonly references: readonly ContextReference[] }
  | { readonly type: 'remove-context'; readonly index: number }
  | { readonly type: 'renew-context'; readonly index: number }
  | { readonly type: 'pick-effort' }
  | { readonly type: 'pick-format' }
  | { readonly type: 'structured'; readonly action: StructuredAction; readonly turnId: string }
  | { readonly type: 'pick-tools' }
  | { readonly type: 'action'; readonly action: CardAction; readonly turnId: string | undefined }
  | { readonly type: 'regenerate'; readonly turnId: string }
  /** Asks the question of an exchange in other words. */
  | { readonly type: 'edit'; readonly exchangeId: string; readonly text: string }
  | { readonly type: 'fork'; readonly exchangeId: string }
  /** Keeps an image of a question, and sends it no more. */
  | { readonly type: 'omit-image'; readonly exchangeId: string; readonly index: number }
  /** Shows the question before or after this one among those that were asked in its place. */
  | { readonly type: 'show-version'; readonly exchangeId: string; readonly version: number }
  | { readonly type: 'remove-queued'; readonly index: number }
  | { readonly type: 'show-attempt'; readonly exchangeId: string; readonly attempt: number }
  | { readonly type: 'open-reasoning'; readonly turnId: string }
  | { readonly type: 'copy'; readonly turnId: string }
  | { readonly type: 'copy-text'; readonly text: string }
  /** Does something with a code block of an answer. `info` is what stood after its fence. */
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
  /** Says whether a call that waits may run. */
  | {
      readonly type: 'tool-decision';
      readonly turnId: string;
      readonly callId: string;
      readonly decision: ToolDecision;
    }
  /** Stops one call that runs. */
  | { readonly type: 'stop-call'; readonly turnId: string; readonly callId: string }
  | { readonly type: 'open-link'; readonly href: string }
  /** The reader has seen the end of a turn: its problem counts as read. */
  | { readonly type: 'seen'; readonly turnId: string };

/** What the panel shows, as plain data: the host makes it, the webview draws it. */
import type { ContextKind } from '../chat/context.ts';
import type { CallState, Outcome, Phase } from '../chat/turn.ts';
import type { PanelWord } from './words.ts';

/** An action that a card offers. The host does it; the webview only names it, with the turn it stands on. */
export type CardAction =
  | 'retry'
  | 'retry-larger'
  | 'continue'
  | 'use-suggested-model'
  | 'set-key'
  | 'add-route'
  | 'switch-route'
  | 'check-connection'
  | 'try-demo'
  | 'edit-settings'
  | 'show-log'
  | 'export'
  | 'summarise'
  | 'omit-oldest-images'
  | 'smaller-images'
  | 'repair';

export interface CardView {
  /** `problem` needs the reader and is an alert; `note` is a status. */
  readonly tone: 'problem' | 'note';
  readonly title: string;
  /** Paragraphs of plain text. */
  readonly body: readonly string[];
  /** Facts as label and value, like tokens into reasoning and what was billed. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly actions: readonly { readonly action: CardAction; readonly label: string }[];
  /** The service's own words, verbatim, to unfold. */
  readonly serviceWords: string | undefined;
}

export type ProposalAction = 'review' | 'diff' | 'accept-all' | 'reject-all' | 'compare';

/** The change of one file that an answer proposes. */
export interface ProposalView {
  readonly proposalId: string;
  readonly uri: string;
  readonly file: string;
  readonly state: 'open' | 'decided' | 'replaced';
  /** What became of its hunks, in words. */
  readonly summary: string;
  /** Hunks that can be accepted. */
  readonly open: number;
  /** It revises an earlier proposal. */
  readonly revises: boolean;
  /** Edits without an exact place, and why. */
  readonly unplaced: readonly { readonly why: string; readonly find: string; readonly replace: string }[];
}

/** An answer that was asked for as JSON. The text itself is the turn's. */
export interface StructuredView {
  /** What it is called: the schema's name, or `JSON`. */
  readonly name: string;
  /** `checking`: whole, and not yet compared. `cut`: not whole, so not compared. `unchecked`: it could not be. */
  readonly state: 'running' | 'checking' | 'fits' | 'differs' | 'not-json' | 'cut' | 'unchecked';
  /** The state in words. */
  readonly summary: string;
  /** Values that are not as asked, each by its JSON pointer; the first ones, when there are many. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
  /** Where the text stops being JSON, in UTF-16 units. */
  readonly brokenAt: number | undefined;
  /** Another answer can be asked for. */
  readonly repairable: boolean;
}

/** What can be done with a structured answer, besides copying it. */
export type StructuredAction = 'save' | 'repair';

/** What can be done with a code block, besides copying it. */
export type CodeAction = 'insert' | 'apply' | 'new-file';

export interface CheckView {
  /** `Model`, `Finish`, `Content`, `Usage`, and `Parameters` when one was relied upon. */
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

/** What the reader says to a call that waits. */
export type ToolDecision = 'once' | 'conversation' | 'always' | 'refuse';

/** A call of a tool, as it goes over the wire and what came of it. All text is data. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  /** JSON to read, or as it came when it is none. */
  readonly arguments: string;
  /** Who offers the tool, while the reader is to decide about the call here. */
  readonly source: string | undefined;
  readonly state: Exclude<CallState, 'stopped'>;
  readonly stateLabel: string;
  /** Undefined while it waits or runs, and for one that was cut off. */
  readonly result: string | undefined;
  /** Images of the result, as `data:` addresses. */
  readonly images: readonly string[];
  /** Epoch milliseconds at which it began to run. */
  readonly startedAt: number | undefined;
  /** How long it ran. */
  readonly seconds: number | undefined;
}

export interface TurnView {
  readonly id: string;
  readonly outcome: Outcome | 'running';
  readonly phase: Phase;
  /** Epoch milliseconds, for the elapsed time. */
  readonly startedAt: number;
  /** What is being waited for or was done, in words: "Connecting", "Reasoning", "Trying again". */
  readonly phaseLabel: string;
  /** Epoch milliseconds of the next try while `phase` is `waiting`. */
  readonly waitUntil: number | undefined;
  /** Reasoning tokens, reported or estimated while it runs; undefined when there was none yet. */
  readonly reasoningTokens: number | undefined;
  readonly reasoningTokensEstimated: boolean;
  /** Seconds from the first reasoning to the first answer token, or to the end. */
  readonly reasoningSeconds: number | undefined;
  /** The step of the reasoning that is being written, as one line of text. */
  readonly liveLine: string;
  readonly hasReasoning: boolean;
  /** Outcome card, notices and waiting card, most urgent first. */
  readonly cards: readonly CardView[];
  /** Empty while the turn runs. */
  readonly checks: readonly CheckView[];
  /** The account under the answer: tokens, cached share, cost, timings; label and value. */
  readonly account: readonly { readonly label: string; readonly value: string }[];
  /** The same in one short line. */
  readonly accountLine: string;
  /** Changes of files that the answer proposes, one for each file. */
  readonly proposals: readonly ProposalView[];
  /** Undefined for an answer that is text. */
  readonly structured: StructuredView | undefined;
  /** The requests before the latest: what was said beside their calls, and the calls. */
  readonly rounds: readonly { readonly answer: string; readonly calls: readonly ToolCallView[] }[];
  /** Calls of the latest request, which are not run: they may be cut off, or no tool was offered. */
  readonly toolCalls: readonly ToolCallView[];
  /** Seconds since the last progress count from here, epoch milliseconds. */
  readonly lastProgressAt: number;
}

/** The text of a turn; sent whole in snapshots only, afterwards as deltas. */
export interface TurnText {
  readonly reasoning: string;
  readonly answer: string;
}

/** What can go with a message: the webview names it, the host takes it. Lines count from 0, the last one included. */
export type ContextReference =
  /** A file or a folder. */
  | { readonly kind: 'file'; readonly uri: string }
  | {
      readonly kind: 'symbol';
      readonly uri: string;
      readonly name: string;
      readonly startLine: number;
      readonly endLine: number;
    }
  | { readonly kind: 'problems'; readonly uri?: string }
  | { readonly kind: 'selection' | 'changes' };

/** A line of the list that `@` opens. */
export interface ContextChoice {
  readonly label: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly reference: ContextReference;
}

/** Something that a message carries. */
export interface ContextView {
  readonly kind: ContextKind;
  readonly name: string;
  /** Its size in tokens, in words. */
  readonly size: string;
  /** What was left out, a line each. */
  readonly omitted: readonly string[];
  /** That it has changed since, and what is sent. */
  readonly changed: string | undefined;
}

export interface ExchangeView {
  readonly id: string;
  readonly question: {
    readonly text: string;
    /** Images to show: a `data:` address, or a name only. */
    readonly images: readonly {
      readonly name: string;
      readonly url: string | undefined;
      /** Kept, and not sent any more. */
      readonly omitted: boolean;
    }[];
    readonly context: readonly ContextView[];
    /** `src/app.ts:10-20`, when an editor command asked. */
    readonly origin: string | undefined;
  };
  /** The attempt that is shown. Undefined when the request was refused before a turn began. */
  readonly turn: (TurnView & TurnText) | undefined;
  readonly attempt: number;
  readonly attempts: number;
  /** Which of the questions that were asked in this place this is, from 0, and how many there are. */
  readonly version: number;
  readonly versions: number;
}

/** What stands around the transcript. */
export interface Surroundings {
  /** Undefined: no route, so the panel shows what to do. */
  readonly route: { readonly name: string; readonly label: string; readonly demo: boolean } | undefined;
  readonly title: string;
  /** What the reader must know of the whole conversation, like that it reaches no disk. */
  readonly banners: readonly {
    readonly text: string;
    readonly actions: readonly { readonly action: CardAction; readonly label: string }[];
  }[];
  readonly running: boolean;
  /** Messages that wait for the end of the answer, each as one line. */
  readonly queue: readonly string[];
  readonly effort: 'low' | 'high' | 'max' | undefined;
  readonly effortHint: string;
  /** The form that is asked for; undefined for text. */
  readonly answerFormat: string | undefined;
  /** How many tools go with the next request. */
  readonly tools: number;
  readonly reasoningInChat: 'collapsed' | 'expanded' | 'hidden';
  readonly meter: { readonly value: number; readonly max: number; readonly text: string };
  readonly attachments: readonly {
    readonly name: string;
    /** A small picture of it. */
    readonly url: string | undefined;
    /** What stands beside the name, like what it was scaled from. */
    readonly note: string;
    readonly detail: string;
    /** It is worked at; what is sent waits for it. */
    readonly busy: boolean;
  }[];
  /** Images that were not attached, and why. */
  readonly rejectedImages: readonly { readonly text: string; readonly offersFile: boolean }[];
  readonly context: readonly ContextView[];
  /** A refusal of what the user tried to send: names the field and the next step. The draft is kept. */
  readonly refusal: string | undefined;
}

export interface PanelState {
  readonly conversationId: string;
  /** How many exchanges stand before and after those that were sent; they are sent when the reader goes there. */
  readonly earlier: number;
  readonly later: number;
  readonly exchanges: readonly ExchangeView[];
  readonly surroundings: Surroundings;
  readonly draft: string;
  /** The host's clock in epoch milliseconds: in a remote window it is another machine's. */
  readonly now: number;
  /** Localised words of the webview's own controls. */
  readonly words: Readonly<Record<PanelWord, string>>;
}

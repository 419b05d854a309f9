/** What the transcript shows, as plain data: created by the host, rendered by the webview. */
import type { CallState, Outcome, Phase } from '../conversation/turn.ts';
import type { CardView } from './cards.ts';
import type { ContextView } from './context.ts';

export type ProposalAction =
  | 'review'
  | 'diff'
  | 'accept-all'
  | 'reject-all'
  | 'compare'
  | 'reopen'
  | 'restore';

/** The changes of one file that an answer proposes. */
export interface ProposalView {
  readonly proposalId: string;
  readonly uri: string;
  readonly file: string;
  /** `empty`: none of its edits was placed, so there is nothing to compare. */
  readonly state: 'open' | 'decided' | 'replaced' | 'empty';
  /** The state of its hunks, as text. */
  readonly summary: string;
  /** Number of hunks that can be accepted. */
  readonly open: number;
  /** Number of accepted hunks. */
  readonly accepted: number;
  /** It has rejected hunks that can be restored. */
  readonly restorable: boolean;
  /** It revises an earlier proposal. */
  readonly revises: boolean;
  /** Edits that could not be placed, and why. */
  readonly unplaced: readonly { readonly why: string; readonly find: string; readonly replace: string }[];
  /** Proposals that it replaced before the user had decided about them, each with the text that the chat shows. */
  readonly displaced: readonly { readonly proposalId: string; readonly summary: string }[];
}

/** An answer in a JSON format. Its text is the answer of the turn. */
export interface StructuredView {
  /** The schema's name, or `JSON`. */
  readonly name: string;
  /**
   * `checking`: complete and not validated yet. `cut`: incomplete, so not validated. `unchecked`: could not be
   * validated.
   */
  readonly state: 'running' | 'checking' | 'fits' | 'differs' | 'not-json' | 'cut' | 'unchecked';
  /** The state, as text. */
  readonly summary: string;
  /** Values that don't match the schema, each with its JSON pointer; only the first ones if there are many. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
  /** The position at which the text isn't valid JSON, in UTF-16 code units. */
  readonly brokenAt: number | undefined;
  /** The user can request another answer. */
  readonly repairable: boolean;
}

/** Actions on a structured answer, other than copying it. */
export type StructuredAction = 'save' | 'repair';

/** Actions on a code block, other than copying it. */
export type CodeAction = 'insert' | 'apply' | 'new-file';

export interface CheckView {
  /** `Model`, `Finish`, `Content`, `Usage`, and `Parameters` if the request set one. */
  readonly name: string;
  /** Undefined if the answer doesn't show whether the check passes; `detail` says so. */
  readonly passed: boolean | undefined;
  readonly detail: string;
}

/** The user's decision about a waiting tool call. */
export type ToolDecision = 'once' | 'conversation' | 'always' | 'refuse';

/** A tool call with its arguments and result. All text is data, not Markdown. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  /** What the call does, in the words of the tool's own definition, on one line. */
  readonly title: string;
  /** Formatted JSON, or the unchanged text if it isn't JSON. */
  readonly arguments: string;
  /** Who provides the tool, while the user has to decide about the call. */
  readonly source: string | undefined;
  /** Why the user is asked again about a tool that was allowed, while the user has to decide. */
  readonly changed?: string;
  /** Identifies the request that the user's decision answers, while the user has to decide. */
  readonly approval: string | undefined;
  /** The decision applies to this call only, because the user is asked about every call. */
  readonly onlyOnce?: true;
  readonly state: Exclude<CallState, 'stopped'>;
  readonly stateLabel: string;
  /** Undefined while the call waits or runs, and for an incomplete call. */
  readonly result: string | undefined;
  /** Images of the result, as `data:` URLs. */
  readonly images: readonly string[];
  /**
   * Epoch milliseconds at which the call started to run. Undefined while the model writes it or another window runs it; then it
   * can't be stopped here.
   */
  readonly startedAt: number | undefined;
  /** How long the call ran. */
  readonly seconds: number | undefined;
  /** The page already has the arguments, result, and images of the call, so they are empty here. */
  readonly kept?: true;
  /** The plan of the answer, if this call was the last one to write it. */
  readonly plan?: PlanView;
}

/** The plan of the model as a checklist. All text is data, not Markdown. */
export interface PlanView {
  /** How much is done, and the step in progress, on one line. */
  readonly line: string;
  readonly items: readonly {
    readonly text: string;
    readonly state: 'pending' | 'in_progress' | 'done';
    /** The state in words. */
    readonly label: string;
  }[];
}

export interface TurnView {
  readonly id: string;
  readonly outcome: Outcome | 'running';
  readonly phase: Phase;
  /** Epoch milliseconds, for the elapsed time. */
  readonly startedAt: number;
  /** The current or last phase, as text: "Connecting", "Reasoning", "Trying again". */
  readonly phaseLabel: string;
  /** Epoch milliseconds of the next retry while `phase` is `waiting`. */
  readonly waitUntil: number | undefined;
  /** Reasoning tokens, reported or estimated while the turn runs; undefined if there are none yet. */
  readonly reasoningTokens: number | undefined;
  readonly reasoningTokensEstimated: boolean;
  /** Seconds from the first reasoning to the first answer token or to the end. */
  readonly reasoningSeconds: number | undefined;
  /** The current step of the reasoning, as one line of text. */
  readonly liveLine: string;
  readonly hasReasoning: boolean;
  /** The question asked to continue from the reasoning of an earlier attempt. Regenerate doesn't do that. */
  readonly fromReasoning?: true;
  /** Outcome card, notices, and waiting card, the most urgent first. */
  readonly cards: readonly CardView[];
  /** Empty while the turn runs. */
  readonly checks: readonly CheckView[];
  /** The usage below the answer: tokens, cached share, cost, and times, as labels and values. */
  readonly account: readonly { readonly label: string; readonly value: string }[];
  /** The cost in few words; empty if there is none. */
  readonly accountLine: string;
  /** Proposed changes of files, one for each file. */
  readonly proposals: readonly ProposalView[];
  /** The number of parts of which the answer was joined; 1 for most answers. */
  readonly parts: number;
  /** The ids of the turns that this turn continues, the first one first. Their reasoning is about this answer, too. */
  readonly earlierParts: readonly string[];
  /** The answer was cut off, and a later exchange shows it with its continuation. */
  readonly continued: boolean;
  /** The complete text as it arrived. Set only if the shown text leaves out a part that was cut off. */
  readonly received?: string;
  /** Undefined for a text answer. */
  readonly structured: StructuredView | undefined;
  /** The earlier rounds: the text next to the tool calls, and the calls. */
  readonly rounds: readonly { readonly answer: string; readonly calls: readonly ToolCallView[] }[];
  /** Tool calls of the last round that are not run, because they are incomplete or no tools were offered. */
  readonly toolCalls: readonly ToolCallView[];
  /** Epoch milliseconds of the last progress, from which the seconds without progress are counted. */
  readonly lastProgressAt: number;
}

/** The text of a turn; complete in snapshots, otherwise sent as deltas. */
export interface TurnText {
  readonly reasoning: string;
  readonly answer: string;
}

/** A preset. `detail` describes what it sets. */
export interface PresetView {
  readonly name: string;
  readonly detail: string;
  /** The preset is gone, or wrong. No message is sent with it, and `detail` says why. */
  readonly unusable?: true;
}

/** What the user typed for a command. */
export interface TypedView {
  /** The command's title. */
  readonly title: string;
  readonly text: string;
  readonly mayBeEmpty: boolean;
}

export interface ExchangeView {
  readonly id: string;
  readonly question: {
    readonly text: string;
    /** The user's words, if a command made the text. The text is then in a disclosure. */
    readonly asked: string | undefined;
    /** The text as the shown attempt sent it, if that had other lines. */
    readonly sent?: string;
    /** The part of these words that the user typed. It is edited instead of the text. */
    readonly typed: TypedView | undefined;
    /** The question asks for the rest of an answer. The user wrote nothing of it. */
    readonly continues?: true;
    /** Images to show: a `data:` URL, or only a name. */
    readonly images: readonly {
      readonly name: string;
      readonly url: string | undefined;
      /** Kept, but no longer sent. */
      readonly omitted: boolean;
    }[];
    readonly context: readonly ContextView[];
    /** `src/app.ts:10-20`, if the question comes from an editor command. */
    readonly origin: string | undefined;
    /** The preset with which it was asked. */
    readonly preset: PresetView | undefined;
  };
  /** The shown attempt. Undefined if the request was refused before a turn started. */
  readonly turn: (TurnView & TurnText) | undefined;
  readonly attempt: number;
  readonly attempts: number;
  /** Index of this version of the question, from 0, and the number of versions. */
  readonly version: number;
  readonly versions: number;
}

/** What is asked, before it is known where it goes. */

import type { RefusedField } from '../conversation/outcomes/refusedFields.ts';
import type { Origin, Preset } from '../conversation/question.ts';
import type { ChosenRequest, EarlierResult } from '../conversation/requestFacts.ts';
import type { SentReasoning } from '../conversation/requestMessages/replay.ts';
import type { Piece } from '../conversation/requestMessages/transcript.ts';
import type { Toolbox } from '../conversation/toolCalls/tools.ts';
import type { Turn } from '../conversation/turn.ts';
import type { RequestInput } from '../service/request.ts';
import type { Message } from '../service/types.ts';

/** The content of a request, independent of the route. */
export interface TurnContent {
  readonly request: Omit<RequestInput, 'model'>;
  /** The tools that the turn runs itself. Their definitions are also in the request. */
  readonly toolbox?: Toolbox | undefined;
  /** What decides about the tools, see `Toolbox.choice`. Also known if no tools are sent. */
  readonly toolChoice?: string | undefined;
  /** The text that is sent, when it is not the text of the question. */
  readonly prompt?: string | undefined;
  /** The lines that the question is about, when they are not those of the question. */
  readonly origin?: Origin | undefined;
  /** The same for the lines of other files. Only with `origin`. */
  readonly more?: readonly Origin[] | undefined;
  /** The preset that it is asked with, when it is not that of the question. */
  readonly preset?: Preset | 'none' | undefined;
  /** The name of the preset that its output budget is from, if it has one. */
  readonly budgetPreset?: string | undefined;
  /** What the user chose for it in place of the settings. */
  readonly chosen?: ChosenRequest | undefined;
  /** What was left out of the request because the route refuses it. */
  readonly leftOut?: readonly RefusedField[];
  /** The turn whose request is a prefix of this one, for the estimate. */
  readonly earlier?: Turn | undefined;
  /** The user wants all results of tools to be sent, even if they fill the context window. */
  readonly keepsResults?: true | undefined;
  /** The results of earlier turns that it leaves out. */
  readonly omitted?: readonly EarlierResult[];
  /** What it has of earlier turns. Without it, nothing more is left out. */
  readonly earlierResults?: SentBefore;
  /** The conversation shows that the route refuses calls without reasoning. */
  readonly callsAsText?: true;
  /** The same for one that refuses reasoning as it came. */
  readonly sentReasoning?: SentReasoning;
  /** The messages with calls that have no reasoning as text, where they aren't those of a conversation. */
  readonly messagesAsText?: SentBefore['messagesWithout'];
  /** Routes, by a hash of their address or by their names, that refused a content that isn't an array, as far as the conversation shows (Q5). */
  readonly contentPartRoutes?: ReadonlySet<string>;
}

/** What a request has of the turns before its question, without some results of them. */
export interface SentBefore {
  /**
   * @param asText calls without reasoning are text
   * @param sent how reasoning is sent
   */
  messagesWithout(
    omitted: readonly EarlierResult[],
    asText?: boolean,
    sent?: SentReasoning,
  ): readonly Message[];
  pieces(omitted: readonly EarlierResult[]): readonly Piece[];
}

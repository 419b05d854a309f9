/** The content of a request, before its route is known. */

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
  /** A hash of everything that determines the tools, see `Toolbox.choice`. Set even if no tools are sent. */
  readonly toolChoice?: string | undefined;
  /** The text that is sent, if it isn't the text of the question. */
  readonly prompt?: string | undefined;
  /** The lines that the question is about, if they aren't those of the question. */
  readonly origin?: Origin | undefined;
  /** The same for the lines of other files. Set only together with `origin`. */
  readonly more?: readonly Origin[] | undefined;
  /** The preset of this attempt, if it isn't that of the question. */
  readonly preset?: Preset | 'none' | undefined;
  /** The name of the preset that the output budget is from, if any. */
  readonly budgetPreset?: string | undefined;
  /** The user's choices in place of the settings. */
  readonly chosen?: ChosenRequest | undefined;
  /** The fields that were left out of the request because the route refuses them. */
  readonly leftOut?: readonly RefusedField[];
  /** The turn whose request is a prefix of this one, for the estimate. */
  readonly earlier?: Turn | undefined;
  /** The user wants all results of tools to be sent, even if they fill the context window. */
  readonly keepsResults?: true | undefined;
  /** The results of earlier turns that the request leaves out. */
  readonly omitted?: readonly EarlierResult[];
  /** The part of the request from earlier turns. If missing, nothing more can be left out. */
  readonly earlierResults?: SentBefore;
  /** The conversation shows that the route refuses calls without reasoning. */
  readonly callsAsText?: true;
  /** The conversation shows that the route refuses reasoning as it came, and how it is sent instead. */
  readonly sentReasoning?: SentReasoning;
  /** Returns the messages with calls without reasoning as text, if they aren't those of a conversation. */
  readonly messagesAsText?: SentBefore['messagesWithout'];
  /** The routes that refused content as strings, as far as the conversation shows (Q5), by a hash of their address or by name. */
  readonly contentPartRoutes?: ReadonlySet<string>;
}

/** The part of a request from the turns before its question, with some of their results left out. */
export interface SentBefore {
  /**
   * @param asText whether calls without reasoning are sent as text
   * @param sent how reasoning is sent
   */
  messagesWithout(
    omitted: readonly EarlierResult[],
    asText?: boolean,
    sent?: SentReasoning,
  ): readonly Message[];
  pieces(omitted: readonly EarlierResult[]): readonly Piece[];
}

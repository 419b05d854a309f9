/** Questions as the user asked them: text, images, context, lines, and how they are to be answered. */
import type { ReasoningEffort } from '../service/types.ts';
import type { AnswerFormat } from './answerFormats/answerFormat.ts';
import type { ContextItem } from './context/context.ts';

/** An image of a question: bytes as a `data:` address, or `ms://<file_id>`. */
export interface ImageAttachment {
  readonly name: string;
  readonly url: string;
  /** The image is kept in the conversation, but no longer sent. */
  readonly omitted?: true;
}

/** The lines that a question is about, if an editor command asked it. Lines are counted from 0, and `endLine` is included. */
export interface Origin {
  readonly uri: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The lines as they were sent, to find them again if the file has changed. */
  readonly text?: string;
  /** The path as it was sent, which an answer names. Since then, the file may have been renamed, or a cell may have another number. */
  readonly path?: string;
}

/**
 * What the extension does with an answer besides showing it: a change to the lines that were sent, tests for
 * them, findings about them, or a commit message. It determines the requested format.
 */
export type Purpose = 'proposal' | 'tests' | 'findings' | 'commit-message';

export interface Question {
  /** The text that is sent. */
  readonly text: string;
  readonly images: readonly ImageAttachment[];
  /** Context that is sent before the text: files, selections, and so on. */
  readonly context?: readonly ContextItem[];
  readonly origin: Origin | undefined;
  /** The lines of other files in the question, in the order in which they follow those of `origin`. */
  readonly more?: readonly Origin[];
  readonly purpose?: Purpose;
  /** The root of the repository that the question is about, as a URI: several can have the same name. */
  readonly repository?: string;
  /** The commit before the changes that a commit message is for. */
  readonly commit?: string;
  /** The proposal that this question revises. */
  readonly revises?: string;
  /** The requested format of the answer. A purpose has its own. */
  readonly format?: AnswerFormat;
  /** The id of the turn that was cut off, whose answer this question asks to continue. It is in the previous exchange. */
  readonly continues?: string;
  /**
   * The user's words, if a command made the text of the question: the title of the command, and the text that was typed. Shown,
   * but never sent.
   */
  readonly asked?: string;
  /** The effort of the answer, if it isn't that of the settings. */
  readonly effort?: ReasoningEffort;
  /**
   * The only tools that may run in its answer. The request offers the others, too, so that it begins with the same
   * bytes (R11), but their calls aren't run.
   */
  readonly tools?: readonly string[];
  /** The user wants all tool results to be sent, including those that were left out. */
  readonly keepsResults?: true;
  /** The preset that the user had chosen, as it was then. Its instruction is sent before the text. */
  readonly preset?: Preset;
}

/** Options for questions under one name. Options that aren't set are those of the settings. */
export interface Preset {
  readonly name: string;
  /** An instruction for the model. */
  readonly prompt?: string;
  /** The only tools that may run: names, or beginnings of names that end in `*`. */
  readonly tools?: readonly string[];
  readonly effort?: ReasoningEffort;
  /** The output budget in tokens. */
  readonly maxCompletionTokens?: number;
}

/** The lines that a question is about, in all files. */
export const originsOf = ({ origin, more = [] }: Pick<Question, 'origin' | 'more'>): readonly Origin[] =>
  origin === undefined ? [] : [origin, ...more];

/** @param other undefined keeps the preset of the question */
export function withPreset(question: Question, other: Preset | 'none' | undefined): Question {
  if (other === undefined) return question;
  const { preset, ...plain } = question;
  return other === 'none' ? plain : { ...plain, preset: other };
}

/**
 * Replaces the context. Keeps the order of the fields in which a question is stored, so that it serializes to the same
 * bytes.
 */
export function withContext({ text, images, ...rest }: Question, context: readonly ContextItem[]): Question {
  const { context: before, ...other } = rest;
  return { text, images, ...(context.length > 0 && { context }), ...other };
}

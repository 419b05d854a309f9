/** Context that can be added to a message, and suggestions that add it, as the pages show them. */
import type { ContextKind } from '../conversation/context/context.ts';
import type { CardAction } from './cards.ts';

/**
 * Context that can be added to a message: the webview sends the reference, the host reads the content. Lines are counted from 0,
 * and `endLine` is included.
 */
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
  /** `instructions` are those of the project, after the user has removed them. */
  | { readonly kind: 'selection' | 'changes' | 'terminal' | 'instructions' };

/** A suggestion in the list that `@` opens, or `/` at the beginning of a message. */
export interface ContextChoice {
  readonly label: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** Undefined for a command or a prompt, which is sent by its label. */
  readonly reference: ContextReference | undefined;
  /** The suggestion says why others are missing. Selecting it runs this action, and leaves the text as it is. */
  readonly action?: Extract<CardAction, 'edit-settings' | 'manage-trust'>;
}

/** Context of a message. */
export interface ContextView {
  readonly kind: ContextKind;
  readonly name: string;
  /** Its size in tokens, as text. */
  readonly size: string;
  /** The parts that were left out, one per line. The last line can stand for several parts. */
  readonly omitted: readonly string[];
  /** The number of entries that were left out. */
  readonly omittedCount: number;
  /** A note that the source has changed, and what is sent. */
  readonly changed: string | undefined;
  /** Only for instructions: their files, which the user can open. */
  readonly files?: readonly { readonly path: string; readonly note: string }[];
  /** Only for instructions: none of them applies anymore, so there is nothing to leave out. */
  readonly ended?: true;
}

/** Context in the message box. */
export interface AttachedView extends ContextView {
  readonly id: string;
}

/** A suggestion in an empty conversation. */
export interface Starter {
  readonly label: string;
  /** The text for the draft, if there is no draft yet. */
  readonly prompt: string;
  /** The name of a codicon. */
  readonly icon: string;
  /** The context that it adds to the message. */
  readonly reference: ContextReference;
  /** The name of the file, if the suggestion is about the open file. */
  readonly file?: string;
}

/** The result of reading context. */
import type * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import type { ContextReference } from '../../panel/context.ts';

/** The selection of a file at the time when it was referenced. */
export interface HeldSelection {
  readonly kind: 'selection';
  readonly uri: string;
  readonly read: ContextResult;
}

export type HeldReference = ContextReference | HeldSelection;

export type ContextResult =
  | { readonly ok: true; readonly item: ContextItem }
  /** The reason why nothing was attached, as a message for the user. */
  | { readonly ok: false; readonly why: string };

/** The context that was read for a message that is not in a composer. */
export interface ReadContext {
  readonly context: readonly ContextItem[];
  /** The reasons why other references are not sent, as messages for the user. */
  readonly problems: readonly string[];
}

/**
 * Whether a file may be read: the access policy allows it, or the user has allowed it in this window. With `part`, only the
 * selected part of a file is read, or only those files of a folder that need no approval.
 */
export type Allows = (uri: vscode.Uri, extent?: 'part' | 'text') => Promise<boolean>;

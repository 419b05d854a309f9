/** The result of reading context. */
import type * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import type { ContextReference } from '../../panel/context.ts';

/** What was selected in a file when it was referred to. */
export interface HeldSelection {
  readonly kind: 'selection';
  readonly uri: string;
  readonly read: ContextResult;
}

export type HeldReference = ContextReference | HeldSelection;

export type ContextResult =
  | { readonly ok: true; readonly item: ContextItem }
  /** Why nothing was added, as a message for the user. */
  | { readonly ok: false; readonly why: string };

/** What was read for a message of another chat. */
export interface ReadContext {
  readonly context: readonly ContextItem[];
  /** Why each of the others is not sent, for the user. */
  readonly problems: readonly string[];
}

/**
 * Whether a file may be read: the access policy allows it, or the user allowed it in this window. With `part`, only what
 * was selected in a file is read, or only the files of a folder that need no approval.
 */
export type Allows = (uri: vscode.Uri, extent?: 'part' | 'text') => Promise<boolean>;

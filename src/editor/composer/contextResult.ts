/** What taking a piece of context gives. */
import type * as vscode from 'vscode';
import type { ContextItem } from '../../chat/context.ts';

export type ContextResult =
  | { readonly ok: true; readonly item: ContextItem }
  /** Why there is nothing to add, in words. */
  | { readonly ok: false; readonly why: string };

/** Whether a file may be read: the policy for access allows it, or the user has allowed it in this window. */
export type Allows = (uri: vscode.Uri) => Promise<boolean>;

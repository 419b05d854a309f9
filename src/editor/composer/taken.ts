/** What taking a piece of context gives. */
import type * as vscode from 'vscode';
import type { ContextItem } from '../../chat/context.ts';

export type Taken =
  | { readonly ok: true; readonly item: ContextItem }
  /** Why there is nothing to add, in words. */
  | { readonly ok: false; readonly why: string };

/** Whether a file may be read: it lies in the workspace, or the reader has agreed. */
export type Allows = (uri: vscode.Uri) => Promise<boolean>;

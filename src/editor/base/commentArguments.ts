/** Checks the arguments that the editor passes to commands in the menus of comments. A user's keyboard shortcut can pass anything. */
import type * as vscode from 'vscode';

export const isThread = (value: unknown): value is vscode.CommentThread =>
  typeof value === 'object' && value !== null && 'comments' in value;

/** Doesn't check the range of the thread, which is undefined if its comment box is gone. */
export const isReply = (value: unknown): value is vscode.CommentReply =>
  typeof value === 'object' &&
  value !== null &&
  'thread' in value &&
  value.thread !== null &&
  'text' in value &&
  typeof value.text === 'string';

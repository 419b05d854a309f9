/** What the editor gives to commands in the menus of comments. Keyboard shortcuts of users can give them anything. */
import type * as vscode from 'vscode';

export const isThread = (value: unknown): value is vscode.CommentThread =>
  typeof value === 'object' && value !== null && 'comments' in value;

/** The thread of a box that is gone has no place. */
export const isReply = (value: unknown): value is vscode.CommentReply =>
  typeof value === 'object' &&
  value !== null &&
  'thread' in value &&
  value.thread !== null &&
  'text' in value &&
  typeof value.text === 'string';

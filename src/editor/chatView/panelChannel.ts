/** Sends numbered messages to one page. A page that misses a number sends `ready` and gets a snapshot. */
import type * as vscode from 'vscode';
import type { HostMessage } from '../../panel/hostMessages.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { createShortener } from './shortMessages.ts';

type WithoutNumber<Message> = Message extends HostMessage ? Omit<Message, 'seq' | 'read'> : never;
/** A message before `send` adds its numbers and shortens it. */
export type Unnumbered = WithoutNumber<HostMessage>;

export interface PanelChannel {
  /** The page is ready to receive messages. */
  open(): void;
  /** The page is hidden or closed. Messages are dropped. */
  close(): void;
  isOpen(): boolean;
  /**
   * Sends a message, and returns its number. Numbers continue after a snapshot, so that an earlier snapshot is not taken
   * for the latest one. While the page is closed, nothing is sent, and the number is that of the last message.
   */
  send(message: Unnumbered): number;
  /** Records the number of the last message of the page that was received. A new page starts counting again. */
  heard(number: number): void;
  /** The number of the next message. */
  next(): number;
}

export interface PanelChannelDeps {
  readonly webview: Pick<vscode.Webview, 'postMessage'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createPanelChannel({ webview, log }: PanelChannelDeps): PanelChannel {
  let open = false;
  let seq = 0;
  let read = 0;
  const shorten = createShortener();
  return {
    open() {
      open = true;
    },
    close() {
      open = false;
    },
    isOpen: () => open,
    heard(number) {
      read = number;
    },
    next: () => seq + 1,
    send(message) {
      if (!open) return seq;
      seq += 1;
      // These messages contain texts of boxes, which can be older than those on the page. `read` lets the page compare.
      const numbers = message.type === 'snapshot' || message.type === 'draft' ? { seq, read } : { seq };
      inBackground(
        log,
        webview.postMessage(shorten({ ...message, ...numbers })),
        `the message ${message.type} to the panel`,
      );
      return seq;
    },
  };
}

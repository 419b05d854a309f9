/** The keys that move through earlier messages, and the message box that shows them. */
import { messageBoxElement } from '../base/messageBoxElement.ts';
import type { Recall } from './recall.ts';

/** Handles Ctrl+Up and Ctrl+Down, also with Cmd, in the first and the last line of the message box. Returns whether the key was used. */
export function onRecallKey(event: KeyboardEvent, recall: Pick<Recall, 'step'>): boolean {
  const { key, target: box } = event;
  const up = key === 'ArrowUp';
  if ((!up && key !== 'ArrowDown') || !(event.ctrlKey || event.metaKey)) return false;
  if (event.altKey || event.shiftKey || event.isComposing || !(box instanceof HTMLTextAreaElement))
    return false;
  const beyond = up ? box.value.slice(0, box.selectionStart) : box.value.slice(box.selectionEnd);
  return !beyond.includes('\n') && recall.step(up ? 1 : -1);
}

/** Shows a text in the message box at once, so that the next key changes this text. */
export function showInBox(text: string, older: boolean): void {
  const box = messageBoxElement();
  if (box === null) return;
  box.value = text;
  const end = older && text.includes('\n') ? text.indexOf('\n') : text.length;
  box.setSelectionRange(end, end);
}

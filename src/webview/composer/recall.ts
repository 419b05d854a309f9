/** Goes through earlier messages in the message box. What the user was writing comes back below the newest one. */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';

export interface Recall {
  /** Goes to an older (1) or newer (-1) message. Returns false when there is nothing newer than the draft. */
  step(by: 1 | -1): boolean;
  /** The host has sent the messages, the newest first. */
  recalled(texts: readonly string[]): void;
  /** The draft, while an earlier message is in the box as it was; otherwise undefined. */
  kept(): string | undefined;
  /** The draft, also while an earlier message is in the box that the user has changed; otherwise undefined. */
  aside(): string | undefined;
  /** The message in the box was sent, or is that of another conversation now. */
  forget(): void;
}

export interface RecallDeps {
  post(message: WebviewMessage): void;
  text(): string;
  /** @param older the text is above the one before, so the cursor stays in its first line */
  setText(text: string, older: boolean): void;
  /** Screen readers don't say by themselves that a text has changed. */
  announce(text: string): void;
}

export function createRecall({ post, text, setText, announce }: RecallDeps): Recall {
  let texts: readonly string[] = [];
  /** The message in the box; -1 is the draft. */
  let at = -1;
  let draft = '';
  /** Steps that wait for the messages. */
  let waiting = 0;

  const isShown = () => at >= 0 && text() === texts[at];

  function show(next: number): void {
    const to = Math.max(-1, Math.min(next, texts.length - 1));
    if (to === at) return;
    const older = to > at;
    at = to;
    const shown = texts[at] ?? draft;
    setText(shown, older);
    announce(shown);
  }

  return {
    step(by) {
      if (waiting > 0 && text() === draft) waiting = Math.max(0, waiting + by);
      else if (isShown()) show(at + by);
      else if (by === -1) return false;
      else {
        // A changed message is the draft now. The one before it is not lost.
        texts = at >= 0 && draft.trim() !== '' ? [draft] : [];
        at = -1;
        draft = text();
        waiting = 1;
        post({ type: 'recall' });
      }
      return true;
    },
    recalled(found) {
      // Of a conversation that is no longer shown, or more steps back than there were.
      if (waiting === 0) return;
      const steps = waiting;
      waiting = 0;
      if (text() !== draft) return;
      texts = [...texts, ...found].filter((one, index, all) => one !== draft && all.indexOf(one) === index);
      show(steps - 1);
    },
    kept: () => (isShown() ? draft : undefined),
    aside: () => (at >= 0 ? draft : undefined),
    forget() {
      waiting = 0;
      at = -1;
      draft = '';
    },
  };
}

/**
 * Handles Ctrl+Up and Ctrl+Down, also with Cmd, in the message box: in its first and last line. Returns whether the key
 * was used.
 */
export function onRecallKey(event: KeyboardEvent, recall: Pick<Recall, 'step'>): boolean {
  const { key, target: box } = event;
  const up = key === 'ArrowUp';
  if ((!up && key !== 'ArrowDown') || !(event.ctrlKey || event.metaKey)) return false;
  if (event.altKey || event.shiftKey || event.isComposing || !(box instanceof HTMLTextAreaElement))
    return false;
  const beyond = up ? box.value.slice(0, box.selectionStart) : box.value.slice(box.selectionEnd);
  return !beyond.includes('\n') && recall.step(up ? 1 : -1);
}

/** Shows a text in the message box at once, so that the next key finds it there. */
export function showInBox(text: string, older: boolean): void {
  const box = document.querySelector<HTMLTextAreaElement>('.composer textarea');
  if (box === null) return;
  box.value = text;
  const end = older && text.includes('\n') ? text.indexOf('\n') : text.length;
  box.setSelectionRange(end, end);
}

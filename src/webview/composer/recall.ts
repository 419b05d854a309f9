/** Goes through earlier messages in the message box. What the user was writing comes back below the newest one. */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';

export interface Recall {
  /** Goes to an older (1) or newer (-1) message. Returns false when there is nothing newer than the draft. */
  step(by: 1 | -1): boolean;
  /** The host has sent the messages, the newest first. */
  recalled(texts: readonly string[]): void;
  /** What the user was writing, while an earlier message is in the box as it was; otherwise undefined. */
  kept(): string | undefined;
  /** The same without what is in the box, also while an earlier message is there that the user has changed; otherwise undefined. */
  aside(): string | undefined;
  /**
   * A message of the page as it is posted: a text of the message box has the draft below it, as long as an earlier message that was
   * changed is in its place. So the host has both.
   */
  toKeep(message: WebviewMessage): WebviewMessage;
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
  /** Drafts in whose place earlier messages were changed. */
  let left: readonly string[] = [];
  /** Steps that wait for the messages. */
  let waiting = 0;

  const isShown = () => at >= 0 && text() === texts[at];

  /** What the user was writing. */
  const rest = (drafts = left) => joinTexts([...(at >= 0 ? [draft] : []), ...drafts]);

  /** Without what is in the box. */
  const toAside = () => (at >= 0 || left.length > 0 ? rest(left.filter((one) => one !== text())) : undefined);

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
        if (at >= 0 && draft.trim() !== '') left = [draft, ...left];
        texts = left;
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
    kept: () => (isShown() ? rest() : undefined),
    aside: toAside,
    toKeep(message) {
      if (message.type === 'send') {
        const aside = message.draft === undefined ? toAside() : undefined;
        return aside ? { ...message, draft: joinTexts([message.text, aside]), rest: aside } : message;
      }
      if (message.type !== 'draft' && message.type !== 'typed') return message;
      return { ...message, text: isShown() ? rest() : joinTexts([message.text, rest()]) };
    },
    forget() {
      waiting = 0;
      at = -1;
      draft = '';
      left = [];
    },
  };
}

const joinTexts = (texts: readonly string[]): string => texts.filter((one) => one !== '').join('\n');

/** Moves through earlier messages in the message box. The user's draft comes back after the newest one. */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';

export interface Recall {
  /** Moves to an older (1) or newer (-1) message. Returns false if nothing is newer than the draft. */
  step(by: 1 | -1): boolean;
  /** Takes the messages of the host, the newest first. */
  recalled(texts: readonly string[]): void;
  /** The user's draft while an unchanged earlier message is in the box; otherwise undefined. */
  kept(): string | undefined;
  /** The user's drafts without the text in the box, also while a changed earlier message is in it. Undefined if there are none. */
  aside(): string | undefined;
  /**
   * Completes a message before it is posted: while a changed earlier message is in the box, the draft is added below its text, so that
   * the host has both.
   */
  toKeep(message: WebviewMessage): WebviewMessage;
  /** Call this when the message in the box was sent, or the box belongs to another conversation. */
  forget(): void;
}

export interface RecallDeps {
  post(message: WebviewMessage): void;
  text(): string;
  /** @param older whether the text is an older one: the cursor then is in its first line */
  setText(text: string, older: boolean): void;
  /** Announces a text, because screen readers don't say by themselves that it has changed. */
  announce(text: string): void;
}

export function createRecall({ post, text, setText, announce }: RecallDeps): Recall {
  let texts: readonly string[] = [];
  /** The index of the message in the box; -1 for the draft. */
  let at = -1;
  let draft = '';
  /** Earlier drafts, in whose place the user has changed an earlier message. */
  let left: readonly string[] = [];
  /** The number of steps that wait for the messages of the host. */
  let waiting = 0;

  const isShown = () => at >= 0 && text() === texts[at];

  /** The user's drafts. */
  const rest = (drafts = left) => joinTexts([...(at >= 0 ? [draft] : []), ...drafts]);

  /** The user's drafts without the text in the box. */
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
        // A changed message becomes the draft. The previous draft is kept.
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
      // Nothing waits if another conversation is shown, or if the user has moved back to the draft.
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

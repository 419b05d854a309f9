/** The content of a page of the chat, as plain data that can be compared. */
import type { Frame } from 'playwright-core';

export interface ShownChat {
  /** The outcome and the text of each message, without times, figures, and buttons. */
  readonly messages: readonly string[];
  readonly draft: string;
  /** The text of the edit box, if a question is being edited. */
  readonly edit: string | null;
  readonly queue: readonly string[];
  readonly attachments: readonly string[];
  /** The ids of the questions. */
  readonly exchanges: readonly string[];
}

export interface Activity {
  readonly running: number;
  readonly hasStop: boolean;
  readonly spinners: number;
  /** Buttons that wait for an approval. */
  readonly approvals: number;
}

/** Parts that aren't stored, change by themselves, or belong to this page alone. */
const LEFT_OUT = [
  ...['.facts', '.figure', '.actions', '.question-actions', '.card-actions', '.foot', '.account', '.checks'],
  ...['.live-line', '.reasoning-head', '.reasoning-figures', '.unseen', '.hint', '.turn-map', '.why-result'],
  ...['.why-bar', '[hidden]', '.tool-details', '.chip-changed', '.progress', '.chip-buttons', '.attempts'],
].join();

/** @param without selects parts of messages that don't count, in addition to the parts that never count */
export const shownIn = (chat: Frame, without = ''): Promise<ShownChat> =>
  chat.evaluate<ShownChat>(`(() => {
    // For a file in the folder of another window, the full path is shown.
    const clean = (text) => (text ?? '').replace(/\\S*\\/k3-walk-\\w+\\//g, '').replace(/\\s+/g, ' ').trim();
    const messages = [...document.querySelectorAll('.log article')].map((article) => {
      const copy = article.cloneNode(true);
      for (const part of copy.querySelectorAll(${JSON.stringify([LEFT_OUT, ...(without === '' ? [] : [without])].join())})) part.remove();
      return (article.dataset.outcome ?? 'question') + ': ' + clean(copy.textContent);
    });
    const names = (list, part) =>
      [...document.querySelectorAll('.composer ul.attachments' + list + ' > li')].map((one) =>
        clean((part ? one.querySelector(part) : one)?.textContent ?? one.textContent));
    return {
      messages,
      draft: document.querySelector('.composer textarea')?.value ?? '',
      edit: document.querySelector('textarea.edit')?.value ?? null,
      queue: names('.queue'),
      attachments: names(':not(.queue)', '.chip-name, .chip-words > span'),
      exchanges: [...document.querySelectorAll('.log [data-exchange]')].map((one) => one.dataset.exchange),
    };
  })()`);

export const activityOf = (chat: Frame): Promise<Activity> =>
  chat.evaluate<Activity>(`({
    running: document.querySelectorAll('article[data-outcome="running"]').length,
    hasStop: document.querySelector('.composer .stop') !== null,
    spinners: document.querySelectorAll('.codicon-modifier-spin').length,
    approvals: document.querySelectorAll('[data-state="waiting"] button').length,
  })`);

/** The number of characters that are shown around the first difference of two texts. */
const [SHOWN_BEFORE, SHOWN] = [80, 300];

/** A description of the difference between two states; undefined if they are equal. */
export function differenceOf(before: ShownChat, after: ShownChat): string | undefined {
  for (const part of ['draft', 'edit', 'queue', 'attachments', 'messages'] as const) {
    const [one, other] = [before[part], after[part]];
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    if (part !== 'messages') return `${part}: ${JSON.stringify(one)} became ${JSON.stringify(other)}`;
    const at = before.messages.findIndex((text, index) => text !== after.messages[index]);
    const place = at === -1 ? before.messages.length : at;
    const [was, is] = [before.messages[place] ?? 'none', after.messages[place] ?? 'none'];
    const from = Math.max(0, commonStart(was, is) - SHOWN_BEFORE);
    return `messages (${before.messages.length} became ${after.messages.length}) at ${place}, ${was.slice(0, 60)}:
      ${was.slice(from, from + SHOWN)}
      ${is.slice(from, from + SHOWN)}`;
  }
  return undefined;
}

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** The suggestions above the message box for `@`, or for `/` at the beginning: from the keys to the chosen text. */

import type { ContextChoice } from '../../panel/context.ts';
import type { HostMessage } from '../../panel/hostMessages.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import { messageBoxElement } from '../base/messageBoxElement.ts';
import { type EarlyKey, toEarlyKey, typedBehind } from './earlyKey.ts';
import { type MentionList, optionId } from './mentionList.ts';
import { createMentionResults } from './mentionResults.ts';
import { type Mention, mentionAt, replaceMention, withAt } from './mentionText.ts';

export interface Mentions {
  /** Updates the list after the text or the cursor has changed. */
  update(box: HTMLTextAreaElement): void;
  /** Handles a key. Returns whether the list has used it. */
  onKey(event: KeyboardEvent): boolean;
  /** Inserts an `@` at the cursor, which opens the list. */
  begin(): void;
  close(): void;
  found(message: Extract<HostMessage, { type: 'choices' }>): void;
  /** Call this after a snapshot, because the page may have missed results. */
  renew(): void;
  /** Call this when the box has the text of another message. */
  forget(): void;
  /** The list; undefined while it is closed. */
  list(): MentionList | undefined;
  choose(index: number): void;
}

export interface MentionsDeps {
  readonly post: (message: WebviewMessage) => void;
  readonly schedule: () => void;
  readonly setDraft: (text: string) => void;
  /** Sends the message box. */
  readonly send: () => void;
}

export function createMentions({ post, schedule, setDraft, send }: MentionsDeps): Mentions {
  let box: HTMLTextAreaElement | undefined;
  let mention: Mention | undefined;
  /** The offset of an `@` whose list was closed. It stays closed there. */
  let dismissed: number | undefined;
  const results = createMentionResults();
  /** The Enter or Tab that the user has pressed before the results arrived. */
  let early: EarlyKey | undefined;

  function update(next: HTMLTextAreaElement): void {
    box = next;
    if (early !== undefined && typedBehind(early, next.value) !== undefined) return;
    const here =
      next.selectionStart === next.selectionEnd ? mentionAt(next.value, next.selectionStart) : undefined;
    if (here?.start !== dismissed) dismissed = undefined;
    const isOther = here?.start !== mention?.start || here?.sign !== mention?.sign;
    if (!isOther && here?.letters === mention?.letters) return;
    if (isOther) results.clear();
    mention = here;
    results.stay();
    early = undefined;
    if (here !== undefined && dismissed === undefined) ask(here);
    schedule();
  }

  const ask = ({ sign, letters }: Mention) =>
    post({ type: 'complete', query: results.ask(), sign, text: letters });

  function list(): MentionList | undefined {
    if (mention === undefined || dismissed !== undefined) return undefined;
    const { choices, active, looking } = results.shown();
    return looking || choices.length > 0 ? { sign: mention.sign, choices, active, looking } : undefined;
  }

  function close(): void {
    if (mention === undefined) return;
    dismissed = mention.start;
    schedule();
  }

  /** Handles an early key, for the text at the time it was pressed. Text that was typed after it stays in the box. */
  function act(pressed: EarlyKey): void {
    if (box === undefined) return;
    const { choices, active } = results.shown();
    const isFound = choices[active] !== undefined;
    if (!isFound && pressed.key !== 'Enter') {
      // The text that was typed since has other results.
      update(box);
      return;
    }
    const more = typedBehind(pressed, box.value);
    // Another conversation is shown.
    if (more === undefined) return;
    if (more !== '') {
      box.value = pressed.text;
      setDraft(pressed.text);
    }
    let at = pressed.cursor;
    if (isFound) {
      choose(active, pressed);
      at = box.selectionStart;
    } else send();
    if (more !== '') write(box.value.slice(0, at) + more + box.value.slice(at), at + more.length, true);
  }

  /**
   * Handles Escape and another Enter while an early key waits for results, and its list was closed because the box has lost the focus.
   */
  function onEarlyAgain(event: KeyboardEvent): boolean {
    const { key } = event;
    if (early === undefined || (key !== 'Escape' && key !== 'Enter') || hasModifier(event)) return false;
    if (key === 'Escape') early = undefined;
    else keepEarly(event);
    return true;
  }

  /** Keeps the key. Enter after Tab replaces it, so that the chosen command is sent. */
  function keepEarly(event: KeyboardEvent): void {
    if (early?.key !== 'Enter') early = toEarlyKey(event, box);
  }

  /** @param byKey whether this is for an early key: the user may have moved the focus elsewhere since */
  function write(text: string, cursor: number, byKey = false): void {
    if (box === undefined) return;
    box.value = text;
    box.setSelectionRange(cursor, cursor);
    if (!byKey) box.focus();
    setDraft(text);
    post({ type: 'draft', text });
    update(box);
  }

  /** @param pressed the key, if the user has pressed one. Tab leaves a command or a prompt in the box, for words after it */
  function choose(index: number, pressed?: Pick<KeyboardEvent, 'key'>): void {
    const choice = results.shown().choices[index];
    if (choice === undefined || mention === undefined || box === undefined) return;
    if (choice.action !== undefined) {
      close();
      post({ type: 'action', action: choice.action, turnId: undefined });
      return;
    }
    const { text, cursor } = replaceMention(box.value, mention, nameOf(choice));
    mention = undefined;
    write(text, cursor, pressed !== undefined);
    if (choice.reference === undefined) {
      if (pressed?.key !== 'Tab') send();
      return;
    }
    // Posted after the draft: a changed draft would remove the message that says why the reference was refused.
    post({ type: 'attach-context', references: [choice.reference] });
  }

  function move(by: number): void {
    const next = results.move(by);
    schedule();
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' }),
      ),
    );
  }

  return {
    update,
    close,
    list,
    choose,
    begin() {
      const here = box ?? messageBoxElement() ?? undefined;
      if (here === undefined) return;
      box = here;
      dismissed = undefined;
      const { text, cursor } = withAt(here.value, here.selectionStart, here.selectionEnd);
      write(text, cursor);
    },
    found(message) {
      if (mention === undefined || !results.found(message.query, message.choices)) return;
      const pressed = early;
      early = undefined;
      if (pressed !== undefined) act(pressed);
    },
    renew() {
      if (mention !== undefined && results.shown().looking) ask(mention);
    },
    forget() {
      mention = undefined;
      early = undefined;
      dismissed = undefined;
    },
    onKey(event) {
      const open = list();
      // Keys during a composition belong to the input method.
      if (event.isComposing) return false;
      if (open === undefined) return onEarlyAgain(event);
      switch (event.key) {
        case 'ArrowDown':
          move(1);
          return true;
        case 'ArrowUp':
          move(-1);
          return true;
        case 'Escape':
          early = undefined;
          close();
          return true;
        case 'Enter':
        case 'Tab':
          if (hasModifier(event)) return false;
          if (open.looking) keepEarly(event);
          else if (open.active < 0) return false;
          else choose(open.active, event);
          return true;
        default:
          return false;
      }
    },
  };
}

/** The text for a choice: the complete path of a file, the name of anything else. */
function nameOf({ label, description, reference }: ContextChoice): string {
  return reference?.kind === 'file' && description !== '' ? `${description}/${label}` : label;
}

const hasModifier = ({ shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  shiftKey || ctrlKey || altKey || metaKey;

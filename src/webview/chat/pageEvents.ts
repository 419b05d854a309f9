/** The events of the page: messages of the host, keys, clicks, drops, and the time. */

import type { PostedMessage } from '../../panel/hostMessages.ts';
import { MESSAGE_BOX, messageBoxElement } from '../base/messageBoxElement.ts';
import { moveInToolbar, rememberStop } from '../base/roving.ts';
import { watchDrops } from '../composer/drop.ts';
import { attachFiles } from '../composer/imageReads.ts';
import type { Finder } from '../find/finder.ts';
import { pressCodeButton } from '../text/codeButtonClicks.ts';
import { copyAsWritten } from '../text/copiedText.ts';
import { followFootnote } from '../text/footnoteLinks.ts';
import type { SearchedWords } from '../why/searchedWords.ts';
import type { Why } from '../why/why.ts';
import type { AutoScroll } from './autoScroll.ts';
import type { Drawing } from './drawing.ts';
import { createEditorChords } from './editorChords.ts';
import {
  focusDue,
  focusFirst,
  forgetMove,
  rememberFocus,
  rememberFrame,
  rememberKey,
  rememberPress,
  returnFocus,
} from './focusKeeper.ts';
import type { Page } from './page.ts';
import { walk, walkStepOf } from './transcriptKeys.ts';

export interface PageEventsDeps {
  readonly root: HTMLElement;
  readonly page: Page;
  readonly drawing: Drawing;
  readonly autoScroll: Pick<AutoScroll, 'looksAt'>;
  readonly finder: Pick<Finder, 'open'>;
  readonly why: Pick<Why, 'bar' | 'actions'>;
  readonly searchedWords: Pick<SearchedWords, 'clear'>;
  receive(message: PostedMessage): void;
  /** Called when the page has got the focus. */
  onFocus(): void;
}

export function listen(deps: PageEventsDeps): void {
  const { root, page, drawing } = deps;
  // One timer for everything that shows seconds, only while a turn runs.
  setInterval(() => {
    if (page.panel()?.surroundings.running && !document.hidden) drawing.schedule();
  }, 1000);
  window.addEventListener('message', rememberFrame);
  window.addEventListener('message', ({ data }: MessageEvent<PostedMessage>) => deps.receive(data));
  window.addEventListener('focus', deps.onFocus);
  window.addEventListener('focus', focusDue);
  window.addEventListener('focus', focusMessageBox);
  window.addEventListener('focus', returnFocus);
  watchDrops(window, {
    addFiles: (uris) =>
      page.post({ type: 'attach-context', references: uris.map((uri) => ({ kind: 'file', uri })) }),
    addImages: (files) => attachFiles(files, page.post, page.panel()?.conversationId),
  });
  watchEditorKeys(deps.finder);
  watchFocus(page.post);
  root.addEventListener('focusin', rememberStop);
  root.addEventListener('focusin', rememberFocus);
  window.addEventListener('keydown', rememberKey, { capture: true });
  window.addEventListener('blur', forgetMove);
  window.addEventListener('pointerdown', rememberPress, { capture: true });
  // Runs before the message box, in which Up edits the last question.
  root.addEventListener('keydown', (event) => onMove(event, deps), { capture: true });
  // Runs after the message box and others, in which Escape has another meaning.
  window.addEventListener('keydown', (event) => onEscape(event, deps));
  root.addEventListener('click', (event) => onClick(event, page, drawing));
  document.addEventListener('copy', copyAsWritten);
}

/** Called when the page was loaded, and when the user first comes to it. */
export function focusMessageBox(): void {
  focusFirst(messageBoxElement());
}

/** Handles keys before all handlers of the page, and before the editor's handler, which listens on the window. */
function watchEditorKeys(finder: Pick<Finder, 'open'>): void {
  // The name of a platform, not translated.
  const create = () => createEditorChords({ isMac: navigator.platform.startsWith('Mac'), now: Date.now });
  let isSecondKey = create();
  // A user who comes back starts with a new key.
  window.addEventListener('blur', () => {
    isSecondKey = create();
  });
  const onKey = (event: KeyboardEvent) => {
    // The handlers of the page ignore prevented events.
    if (isSecondKey(event)) event.preventDefault();
    else if (findsText(event)) {
      event.preventDefault();
      // The editor would open its own search, which takes what is typed next.
      event.stopPropagation();
      finder.open();
    }
  };
  window.addEventListener('keydown', onKey, { capture: true });
}

function findsText({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'f' && (ctrlKey || metaKey) && !shiftKey && !altKey;
}

/** Tells the host when the page gets or loses the focus, and whether the user last used the keyboard. */
function watchFocus(post: Page['post']): void {
  let byKeyboard = false;
  window.addEventListener('keydown', () => (byKeyboard = true), { capture: true });
  window.addEventListener('pointerdown', () => (byKeyboard = false), { capture: true });
  const tell = (here: boolean) => post({ type: 'focus-moved', here, byKeyboard });
  window.addEventListener('focus', () => tell(true));
  window.addEventListener('blur', () => tell(false));
  // After a reload of the window, the page in front gets the focus before it listens.
  if (document.hasFocus()) tell(true);
}

/** Alt+Up and Alt+Down, and the keys of toolbars. */
function onMove(event: KeyboardEvent, { root, autoScroll }: PageEventsDeps): void {
  if (event.defaultPrevented) return;
  const step = walkStepOf(event);
  if (step !== undefined) {
    const to = walk(
      step,
      event.shiftKey ? 'cards' : 'messages',
      root.querySelector<HTMLElement>(MESSAGE_BOX),
    );
    if (to !== undefined) autoScroll.looksAt(to);
    // Prevented also without a target, so that the editor knows that a key was used: when Alt is released after no other key, it
    // focuses its menu.
    event.preventDefault();
  } else if (moveInToolbar(event)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function onEscape(event: KeyboardEvent, { why, searchedWords }: PageEventsDeps): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
  const wasMarked = searchedWords.clear();
  const isOpen = why.bar() !== undefined;
  if (wasMarked || isOpen) event.preventDefault();
  if (isOpen) why.actions.close();
}

function onClick(event: MouseEvent, page: Page, drawing: Drawing): void {
  const target = event.target instanceof Element ? event.target : undefined;
  const link = target?.closest<HTMLAnchorElement>('a[href]');
  if (link !== null && link !== undefined) {
    event.preventDefault();
    // The editor's own handler would open it a second time, without asking.
    event.stopPropagation();
    const { path, symbol } = link.classList.contains('path-link') ? link.dataset : {};
    if (path !== undefined) page.post({ type: 'open-path', path });
    else if (symbol !== undefined) page.post({ type: 'open-symbol', name: symbol });
    else page.post({ type: 'open-link', href: link.getAttribute('href') ?? '' });
  }
  const note = target?.closest<HTMLElement>('[data-footnote]');
  if (note) followFootnote(note);
  const button = target?.closest<HTMLElement>('[data-code]');
  if (button && pressCodeButton(button, page.post)) {
    page.announce(page.word('Copied'));
    drawing.schedule();
  }
}

/**
 * The chat panel in the browser: receives messages, renders with lit. The state is the host's; what is kept here only
 * concerns the display.
 */
import { nothing, render } from 'lit';
import type { HostMessage, PageMessage, WebviewMessage } from '../panel/messages.ts';
import type { ExchangeView, PanelState } from '../panel/views.ts';
import type { PanelWord } from '../panel/words.ts';
import { announcementOf } from './announcement.ts';
import { createAnswerElement, createReasoningElement } from './answer.ts';
import { appTemplate } from './app.ts';
import type { AppContext } from './appContext.ts';
import { createAutoScroll } from './autoScroll.ts';
import { pressCodeButton } from './codeButtons.ts';
import { isTyping } from './composer.ts';
import { watchDrops } from './drop.ts';
import { createEditBox } from './editBox.ts';
import { promptId } from './exchange.ts';
import { findTemplate } from './find.ts';
import { createFinder } from './finder.ts';
import { createJsonViews } from './jsonTree.ts';
import { createMarkdown } from './markdown.ts';
import { createMentions } from './mention.ts';
import { createMessageBox } from './messageBox.ts';
import { createPathBook } from './pathBook.ts';
import { createPathLinks } from './pathLinks.ts';
import { foldPanel, type Panel } from './state.ts';
import { createStreamingTexts } from './streamingTexts.ts';
import { partId } from './turn.ts';

import './main.css';

interface SavedState {
  readonly conversationId: string;
  readonly open: Readonly<Record<string, boolean>>;
  readonly scrollTop: number | undefined;
}

declare function acquireVsCodeApi(): {
  postMessage(message: PageMessage): void;
  getState(): SavedState | undefined;
  setState(state: SavedState): void;
};

const vscode = acquireVsCodeApi();
const root = document.getElementById('app') ?? document.body;
const post = (message: WebviewMessage, conversationId = state?.panel.conversationId) =>
  vscode.postMessage({ message, conversationId });

let state: Panel | undefined;
let open: Record<string, boolean> = { ...vscode.getState()?.open };
/** A frame is requested. With `changed`, it also draws everything around the texts. */
let scheduled = false;
let changed = false;
let announcement = '';
/** How far this machine's clock is ahead of the host's. In milliseconds. */
let clockOffset = 0;
const seen = new Set<string>();
const autoScroll = createAutoScroll(saveState);
const editBox = createEditBox({ post });
const messageBox = createMessageBox({ post, isTyping });
const word = (key: PanelWord, ...values: readonly (string | number)[]): string => {
  const text = state?.panel.words[key] ?? key;
  return values.reduce<string>(
    (filled, value, index) => filled.replace(`{${index}}`, () => String(value)),
    text,
  );
};
const pathBook = createPathBook({
  ask: (paths) => post({ type: 'find-paths', paths }),
  now: () => performance.now(),
  later: (call) => setTimeout(call, 50),
});
const pathLinks = createPathLinks(pathBook);
let markdown: ReturnType<typeof createMarkdown> | undefined;
const texts = createStreamingTexts({
  make: {
    answer: () => createAnswerElement(markdownOf(), pathLinks.mark),
    reasoning: createReasoningElement,
  },
  now: () => performance.now(),
});

function markdownOf(): ReturnType<typeof createMarkdown> {
  markdown ??= createMarkdown({
    code: word('Code'),
    copy: word('Copy'),
    insert: word('Insert at cursor'),
    apply: word('Apply'),
    newFile: word('New file'),
  });
  return markdown;
}

function saveState(): void {
  if (state === undefined) return;
  vscode.setState({ conversationId: state.panel.conversationId, open, scrollTop: autoScroll.position() });
}

function receive(message: HostMessage): void {
  const before = state;
  const next = foldPanel(state, message);
  if (next === 'resync') {
    post({ type: 'ready' });
    return;
  }
  state = next;
  if (message.type === 'text' && texts.append(message.turnId, message)) {
    // Only the text has changed.
    requestDrawing();
    return;
  }
  if (message.type === 'snapshot') {
    clockOffset = Date.now() - message.panel.now;
    onSnapshot(before);
    pathBook.renew();
    // The place that the user searches for may be on the page now.
    finder.pageChanged();
  }
  messageBox.receive(message);
  announcement = announcementOf(before?.panel, next.panel, word) ?? announcement;
  if (message.type === 'focus') focusComposer();
  if (message.type === 'edit') context.edit(message.editing);
  if (message.type === 'open-find') finder.open();
  if (message.type === 'exchange') onExchange(before, message.exchange);
  if (message.type === 'found') finder.found(message);
  if (message.type === 'paths') {
    pathBook.answered(message.existing, message.missing);
    pathLinks.update();
  }
  if (message.type === 'choices') mentions.found(message);
  if (message.type === 'reveal') reveal(message);
  schedule();
}

function onExchange(before: Panel | undefined, { id, turn }: ExchangeView): void {
  const known = before?.panel.exchanges.find((exchange) => exchange.id === id);
  // Scrolls to the end for a new question or a running attempt, not when the user pages through attempts.
  if (known === undefined || turn?.outcome === 'running') autoScroll.toEnd();
  if (turn === undefined || known?.turn?.id !== turn.id) return;
  const grows = turn.answer.startsWith(known.turn.answer) && turn.reasoning.startsWith(known.turn.reasoning);
  if (!grows || (known.turn.outcome !== 'running' && turn.answer !== known.turn.answer))
    texts.forget(turn.id);
}

/** A snapshot may replace everything, so elements that were drawn from earlier deltas are discarded. */
function onSnapshot(before: Panel | undefined): void {
  texts.clear();
  if (state === undefined) return;
  messageBox.show(state.panel, before?.panel.conversationId);
  editBox.show(state.panel);
  const remembered = vscode.getState();
  if (remembered?.conversationId !== state.panel.conversationId)
    vscode.setState({ conversationId: state.panel.conversationId, open: {}, scrollTop: undefined });
  if (remembered?.conversationId === state.panel.conversationId) autoScroll.restore(remembered.scrollTop);
  else {
    open = {};
    autoScroll.restore(undefined);
  }
}

const REVEALED_MS = 2000;

/** Scrolls to a question or an answer, and expands its reasoning when the place is in it. */
function reveal({ exchangeId, part }: Extract<HostMessage, { type: 'reveal' }>): void {
  const turnId = state?.panel.exchanges.find(({ id }) => id === exchangeId)?.turn?.id;
  if (part === 'reasoning' && turnId !== undefined) unfoldReasoning(turnId);
  if (part === 'answer' && turnId !== undefined) open = { ...open, [partId(turnId)]: true };
  autoScroll.stopFollowing();
  schedule();
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const kind = part === 'question' ? 'you' : 'k3';
      const article = document.querySelector<HTMLElement>(`article.${kind}[data-exchange="${exchangeId}"]`);
      article?.scrollIntoView({ block: 'start' });
      article?.focus({ preventScroll: true });
      article?.classList.add('is-revealed');
      setTimeout(() => article?.classList.remove('is-revealed'), REVEALED_MS);
    }),
  );
}

const focusComposer = () => focusBox('.composer textarea');

/** Waits for the next drawing, which may create the box. */
function focusBox(selector: string): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus()),
  );
}

const jsonViews = createJsonViews({
  post,
  word,
  hold() {
    autoScroll.hold();
    schedule();
  },
});

const mentions = createMentions({ post, schedule, setDraft: (text) => context.setDraft(text) });

const context: AppContext = {
  post,
  word,
  isOpen: (id, otherwise) => open[id] ?? otherwise,
  toggle(id, otherwise) {
    open = { ...open, [id]: !(open[id] ?? otherwise) };
    autoScroll.hold();
    saveState();
    schedule();
  },
  text: texts.show,
  structured: jsonViews.show,
  now: () => Date.now() - clockOffset,
  draft: messageBox.text,
  setDraft(text) {
    messageBox.setText(text);
    schedule();
  },
  send: messageBox.send,
  editing: editBox.current,
  edit(next) {
    const begins = editBox.current()?.exchangeId !== next?.exchangeId;
    editBox.edit(next);
    autoScroll.hold();
    schedule();
    if (begins) focusBox(next === undefined ? '.composer textarea' : 'textarea.edit');
  },
  editLast() {
    const last = state?.panel.exchanges.at(-1);
    if (last === undefined) return false;
    context.edit({ exchangeId: last.id, text: last.question.text });
    return true;
  },
  paths: pathLinks.text,
  mentions,
  autoScroll,
};

const finder = createFinder({
  post,
  schedule,
  focus: focusBox,
  exchange: (id) => state?.panel.exchanges.find((exchange) => exchange.id === id),
  unfold: unfoldReasoning,
  unfoldPrompt(exchangeId) {
    open = { ...open, [promptId(exchangeId)]: true };
  },
  stopFollowing: () => autoScroll.stopFollowing(),
});

function unfoldReasoning(turnId: string): void {
  open = { ...open, [`reasoning-${turnId}`]: true };
}

function schedule(): void {
  changed = true;
  requestDrawing();
}

function requestDrawing(): void {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(draw);
}

/** The only place where anything is drawn: the panel, and the text that was appended. */
function draw(): void {
  scheduled = false;
  const { panel } = state ?? {};
  if (panel === undefined) return;
  const around = changed;
  changed = false;
  if (around || texts.waiting() === 'due') {
    autoScroll.drawInPlace(() => {
      if (around) drawPanel(panel);
      if (texts.waiting() === 'due') texts.draw();
    });
    autoScroll.attach(root.querySelector<HTMLElement>('.log'));
    autoScroll.contentGrew();
    if (around) markSeen();
  }
  if (texts.waiting() !== 'nothing') requestDrawing();
}

function drawPanel(panel: PanelState): void {
  const find = finder.find();
  const bar = find === undefined ? nothing : findTemplate(find, context, finder.actions);
  render(appTemplate(panel, announcement, bar, context), root);
}

/** Marks the last turn as seen when the user can see it. */
function markSeen(): void {
  const turn = state?.panel.exchanges.at(-1)?.turn;
  if (turn === undefined || turn.outcome === 'running' || seen.has(turn.id)) return;
  if (!document.hasFocus() || !autoScroll.atEnd()) return;
  seen.add(turn.id);
  post({ type: 'seen', turnId: turn.id });
}

// One timer for everything that shows seconds, only while a turn runs.
setInterval(() => {
  if (state?.panel.surroundings.running && !document.hidden) schedule();
}, 1000);
window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => receive(data));
window.addEventListener('focus', markSeen);
root.addEventListener('focusout', editBox.flush);
watchDrops(window, (uris) =>
  post({ type: 'attach-context', references: uris.map((uri) => ({ kind: 'file', uri })) }),
);
window.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'f' || event.shiftKey || event.altKey) return;
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  finder.open();
});
root.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : undefined;
  const link = target?.closest<HTMLAnchorElement>('a[href]');
  if (link !== null && link !== undefined) {
    event.preventDefault();
    // The editor's own handler would open it a second time, without asking.
    event.stopPropagation();
    const path = link.classList.contains('path-link') ? link.dataset['path'] : undefined;
    post(
      path === undefined
        ? { type: 'open-link', href: link.getAttribute('href') ?? '' }
        : { type: 'open-path', path },
    );
  }
  const button = target?.closest<HTMLElement>('[data-code]');
  if (button) {
    const copied = pressCodeButton(button, post);
    if (copied) {
      announcement = word('Copied');
      schedule();
    }
  }
});

post({ type: 'ready' });

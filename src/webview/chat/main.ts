/**
 * The chat panel in the browser: builds the parts of the page. The host owns the state (`page.ts`, `receiver.ts`); state that is kept
 * here only concerns the display. lit draws it (`drawing.ts`).
 */
import type { PageMessage } from '../../panel/webviewMessages.ts';
import { createEditBox } from '../composer/editBox.ts';
import { stopReading, whenRead } from '../composer/imageReads.ts';
import { createMentions } from '../composer/mention.ts';
import { createMessageBox } from '../composer/messageBox.ts';
import { endTyping, isTyping } from '../composer/messageBoxKeys.ts';
import { createRecall } from '../composer/recall.ts';
import { showInBox } from '../composer/recallKeys.ts';
import { findTemplate } from '../find/find.ts';
import { createFinder } from '../find/finder.ts';
import { createJsonViews } from '../json/jsonTree.ts';
import { createAnswerElement } from '../text/answer.ts';
import { createKnownPaths } from '../text/knownPaths.ts';
import { createMarkdown } from '../text/markdown.ts';
import { createPathLinks } from '../text/pathLinks.ts';
import { createReasoningElement } from '../text/reasoning.ts';
import { createStreamingTexts } from '../text/streamingTexts.ts';
import { typesetSoon } from '../text/typeset.ts';
import { questionId } from '../transcript/exchange.ts';
import { partId, reasoningId } from '../transcript/turn.ts';
import { createTurnMaps } from '../turnMap/turnMaps.ts';
import { createSearchedWords } from '../why/searchedWords.ts';
import { createWhy } from '../why/why.ts';
import { whyBarTemplate } from '../why/whyBar.ts';
import { addWhyButton } from '../why/whyButton.ts';
import { appTemplate } from './app.ts';
import type { AppContext } from './appContext.ts';
import { createAutoScroll } from './autoScroll.ts';
import { createDisclosures, type StateKeeper } from './disclosures.ts';
import { afterDrawing, createDrawing } from './drawing.ts';
import { afterFocus } from './focusKeeper.ts';
import { createPage } from './page.ts';
import { listen } from './pageEvents.ts';
import { createQuestionEditing } from './questionEditing.ts';
import { createReceiver } from './receiver.ts';
import { createSeenTurns } from './seenTurns.ts';

import './main.css';

declare function acquireVsCodeApi(): StateKeeper & { postMessage(message: PageMessage): void };

const vscode = acquireVsCodeApi();
const root = document.getElementById('app') ?? document.body;
const page = createPage((message) => vscode.postMessage(message), document.documentElement.lang);
const { unread, word } = page;
const post: typeof page.post = (message, conversationId) => {
  page.post(recall.toKeep(message), conversationId);
  if (message.type !== 'copy' && message.type !== 'copy-text') return;
  page.announce(word('Copied'));
  drawing.schedule();
};
const disclosures = createDisclosures(vscode);
const autoScroll = createAutoScroll(() => {
  saveState();
  markSeen();
});
const editBox = createEditBox({ post, unread });
const recall = createRecall({
  post,
  text: () => messageBox.text(),
  setText(text, older) {
    showInBox(text, older);
    context.setDraft(text);
  },
  announce: page.announce,
});
const messageBox = createMessageBox({ post, unread, isTyping, endTyping, recall, whenRead });
const asking = { now: () => performance.now(), later: (call: () => void) => setTimeout(call, 50) };
const knownPaths = createKnownPaths({ ...asking, ask: (paths) => post({ type: 'find-paths', paths }) });
const knownSymbols = createKnownPaths({ ...asking, ask: (names) => post({ type: 'find-symbols', names }) });
const pathLinks = createPathLinks(knownPaths, knownSymbols);
/** The id of the disclosure of a step of the reasoning. */
const stepId = (turnId: string, step: number) => `step-${turnId}-${step}`;
let markdown: ReturnType<typeof createMarkdown> | undefined;
const texts = createStreamingTexts({
  make: {
    answer: () => createAnswerElement(markdownOf(), onBlocks),
    reasoning: (turnId) =>
      createReasoningElement(markdownOf(), onBlocks, {
        isFolded: (step) => !disclosures.isOpen(stepId(turnId, step), true),
        toggle: (step) => context.toggle(stepId(turnId, step), true),
        name: (step, title) => word('Step {0}: {1}', step + 1, title),
        menu: (step) => ({ webviewSection: 'step', turnId, step }),
      }),
  },
  now: () => performance.now(),
});
/** In pixels, as in ../transcript/transcript.css. */
const WIDEST_MESSAGE = 860;
const drawing = createDrawing({
  root,
  texts,
  autoScroll,
  panel: page.panel,
  template(panel) {
    const find = finder.find();
    const bar = why.bar();
    const bars = [
      ...(find === undefined ? [] : [findTemplate(find, context, finder.actions)]),
      ...(bar === undefined ? [] : [whyBarTemplate(bar, context, why.actions)]),
    ];
    return appTemplate(panel, page.announcement(), bars, context);
  },
  onDrawn: () => markSeen(),
});
const { schedule } = drawing;
const thenDraw = (act: () => void) => () => {
  act();
  schedule();
};
const markSeen = createSeenTurns({ page, autoScroll });
const mentions = createMentions({
  post,
  schedule,
  setDraft: (text) => context.setDraft(text),
  send: () => context.send(),
});
const jsonViews = createJsonViews({
  post,
  word,
  hold() {
    autoScroll.hold();
    schedule();
  },
});
const finder = createFinder({
  post,
  schedule,
  drawNow: drawing.now,
  exchange: (id) => exchanges().find((exchange) => exchange.id === id),
  unfold: (turnId) => disclosures.set(reasoningId(turnId), true),
  showText: jsonViews.showText,
  unfoldQuestion: (exchangeId) => disclosures.set(questionId(exchangeId), true),
  stopFollowing: () => autoScroll.stopFollowing(),
  onOpen: () => searchedWords.clear(),
});
const searchedWords = createSearchedWords(afterDrawing);
const exchanges = () => page.panel()?.exchanges ?? [];
const why = createWhy({
  post,
  word,
  announce: page.announce,
  schedule,
  afterDrawing,
  afterFocus,
  exchanges,
  unfold(turnId) {
    const isHidden = page.panel()?.surroundings.reasoningInChat === 'hidden';
    if (isHidden && !disclosures.isOpen(reasoningId(turnId), false)) return false;
    disclosures.set(reasoningId(turnId), true);
    return true;
  },
  stopFollowing: autoScroll.stopFollowing,
});
addWhyButton({
  word,
  mayAsk: why.mayAsk,
  ask() {
    searchedWords.clear();
    why.ask();
  },
});

const maps = createTurnMaps({
  post,
  word,
  isOpen: disclosures.isOpen,
  toggle: (id, otherwise) => context.toggle(id, otherwise),
  width: () => Math.min(document.querySelector('.log')?.clientWidth ?? innerWidth, WIDEST_MESSAGE),
  showStep: (exchangeId, turnId, step) =>
    why.show({ type: 'step', seq: 0, exchangeId, turnId, step, part: 'reasoning' }),
  unfoldAnswer: (turnId) => disclosures.set(partId(turnId), true),
  ...autoScroll,
  schedule,
  afterDrawing,
});
window.addEventListener('resize', schedule);

const editing = createQuestionEditing({ page, editBox, messageBox, autoScroll, schedule });
const context: AppContext = {
  post,
  conversationId: () => page.panel()?.conversationId,
  word,
  isOpen: disclosures.isOpen,
  toggle(id, otherwise) {
    disclosures.set(id, !disclosures.isOpen(id, otherwise));
    autoScroll.hold();
    saveState();
    schedule();
  },
  text: texts.show,
  structured: jsonViews.show,
  map: maps.template,
  now: page.now,
  draft: messageBox.text,
  setDraft(text) {
    messageBox.setText(text);
    schedule();
  },
  send: thenDraw(messageBox.send),
  isReading: messageBox.isWaiting,
  stopReading: thenDraw(() => stopReading(page.panel()?.conversationId)),
  editing: editBox.current,
  flushEdit: editBox.flush,
  ...editing,
  paths: pathLinks.text,
  mentions,
  recall,
  autoScroll,
};

/** Handles blocks that no longer change. */
function onBlocks(blocks: readonly Element[]): void {
  pathLinks.mark(blocks);
  typesetSoon(blocks);
}

/** The words are known with the first snapshot. */
function markdownOf(): ReturnType<typeof createMarkdown> {
  markdown ??= createMarkdown({
    code: word('Code'),
    copy: word('Copy'),
    insert: word('Insert at cursor'),
    apply: word('Apply'),
    newFile: word('New file'),
    footnote: word('Footnote {0}'),
    done: word('Done'),
    open: word('Not done'),
  });
  return markdown;
}

function saveState(): void {
  const panel = page.panel();
  // The scroll position of a conversation that can't be read yet isn't known.
  if (panel?.opened !== undefined) disclosures.save(panel.opened, undefined);
  else if (panel !== undefined) disclosures.save(panel.conversationId, autoScroll.position());
}

const receive = createReceiver({
  ...{ page, drawing, disclosures, autoScroll, texts, messageBox, editBox, mentions, recall },
  ...{ finder, why, searchedWords, maps, knownPaths, knownSymbols, pathLinks },
  beginEdit: editing.beginEdit,
});
listen({ root, page, drawing, autoScroll, finder, why, searchedWords, receive, onFocus: markSeen });
post({ type: 'ready' });

/** Receives the messages of the host: folds each into the state, and passes it on to the parts of the page that it concerns. */

import type { HostMessage, PostedMessage } from '../../panel/hostMessages.ts';
import type { PanelState } from '../../panel/panelState.ts';
import type { ExchangeView } from '../../panel/views.ts';
import { MESSAGE_BOX } from '../base/messageBoxElement.ts';
import { scrollLog } from '../base/scrollLog.ts';
import type { EditBox } from '../composer/editBox.ts';
import type { Mentions } from '../composer/mention.ts';
import type { MessageBox } from '../composer/messageBox.ts';
import type { Recall } from '../composer/recall.ts';
import type { Finder } from '../find/finder.ts';
import type { KnownPaths } from '../text/knownPaths.ts';
import type { PathLinks } from '../text/pathLinks.ts';
import type { StreamingTexts } from '../text/streamingTexts.ts';
import { isWritten, questionId } from '../transcript/exchange.ts';
import { partId, reasoningId } from '../transcript/turn.ts';
import type { TurnMaps } from '../turnMap/turnMaps.ts';
import type { SearchedWords } from '../why/searchedWords.ts';
import type { Why } from '../why/why.ts';
import { announcementOf } from './announcement.ts';
import type { AppContext } from './appContext.ts';
import type { AutoScroll } from './autoScroll.ts';
import type { Disclosures } from './disclosures.ts';
import { afterDrawing, type Drawing, focusBox } from './drawing.ts';
import { focusAgain, focusUnlessMoved } from './focusKeeper.ts';
import { keptTurns } from './keptTurns.ts';
import type { Page } from './page.ts';
import { focusMessageBox } from './pageEvents.ts';
import { isShortText } from './state.ts';

export interface ReceiverDeps {
  readonly page: Page;
  readonly drawing: Drawing;
  readonly disclosures: Disclosures;
  readonly autoScroll: AutoScroll;
  readonly texts: StreamingTexts;
  readonly messageBox: MessageBox;
  readonly editBox: EditBox;
  readonly mentions: Mentions;
  readonly recall: Recall;
  readonly finder: Finder;
  readonly why: Why;
  readonly searchedWords: SearchedWords;
  readonly maps: TurnMaps;
  readonly knownPaths: KnownPaths;
  readonly knownSymbols: KnownPaths;
  readonly pathLinks: PathLinks;
  readonly beginEdit: AppContext['beginEdit'];
}

/** Messages after which a search may find more. */
const CHANGES_TEXT: ReadonlySet<HostMessage['type']> = new Set(['text', 'turn', 'exchange']);

/** Messages that move the focus or scroll to a place on the page. */
const MOVES: ReadonlySet<string> = new Set([
  'focus',
  'refocus',
  'open-find',
  'reveal',
  'why',
  'step',
  'show-map',
]);

/** Messages that move the user are never shortened. */
const isMove = (posted: PostedMessage): posted is HostMessage =>
  !isShortText(posted) && MOVES.has(posted.type);

/** Returns the function that takes a message. */
export function createReceiver(deps: ReceiverDeps): (posted: PostedMessage) => void {
  const { page, drawing, texts } = deps;
  /** Messages that arrived while an earlier one was missing. The host doesn't send them again. */
  let missed: readonly HostMessage[] = [];
  return (posted) => {
    const before = page.panel();
    const message = page.fold(posted);
    if (message === 'outdated') return;
    const panel = page.panel();
    if (message === 'resync' || panel === undefined) {
      if (isMove(posted)) missed = [...missed, posted];
      page.post({ type: 'ready' });
      return;
    }
    if (CHANGES_TEXT.has(message.type)) deps.finder.grew();
    if (message.type === 'text' && texts.append(message.turnId, message)) {
      // Only the text has changed.
      drawing.scheduleTexts();
      return;
    }
    if (message.type === 'snapshot' || message.type === 'exchange') texts.keep(keptTurns(before, panel));
    const written = deps.messageBox.text();
    if (message.type === 'snapshot') onSnapshot(deps, before, panel);
    deps.messageBox.receive(message);
    // A list of mentions that was closed for the sent message may open again for the next one.
    const isReplaced = message.type === 'taken' || message.type === 'draft';
    if (isReplaced && deps.messageBox.text() !== written) deps.mentions.forget();
    const said = announcementOf(before, panel, page.word);
    if (said !== undefined) page.announce(said);
    passOn(deps, before, message);
    const hasMore = message.type === 'earlier' || message.type === 'later';
    if (hasMore) deps.finder.pageChanged(false);
    deps.why.pageChanged(message.type === 'snapshot', hasMore);
    if (message.type === 'snapshot') {
      for (const one of missed) passOn(deps, before, one);
      missed = [];
    }
    // Drawn at once if the text of the box has changed, because the next key is inserted into the shown text.
    if (deps.messageBox.text() === written) drawing.schedule();
    else drawing.now();
  };
}

/** Passes a message to the parts of the page that it concerns, other than the state. */
function passOn(deps: ReceiverDeps, before: PanelState | undefined, message: HostMessage): void {
  if (message.type === 'focus') focusBox(MESSAGE_BOX, focusUnlessMoved);
  if (message.type === 'refocus')
    focusUnlessMoved(() => {
      if (!focusAgain()) focusBox(MESSAGE_BOX, focusUnlessMoved);
    });
  if (message.type === 'edit') onEdit(deps, message);
  if (message.type === 'open-find') deps.finder.open();
  if (message.type === 'why') {
    deps.searchedWords.clear();
    deps.why.ask(message);
  }
  if (message.type === 'step') {
    deps.why.show(message);
    deps.searchedWords.show(message);
  }
  if (message.type === 'map') deps.maps.receive(message);
  if (message.type === 'show-map') deps.maps.show(message);
  if (message.type === 'exchange') onExchange(deps, before, message.exchange);
  if (message.type === 'found') deps.finder.found(message);
  if (message.type === 'paths' || message.type === 'symbols') {
    const known = message.type === 'paths' ? deps.knownPaths : deps.knownSymbols;
    known.answered(message.existing, message.missing);
    deps.pathLinks.update();
  }
  if (message.type === 'recalled') deps.recall.recalled(message.texts);
  if (message.type === 'choices') onChoices(deps, message);
  if (message.type === 'reveal') reveal(deps, message);
}

/**
 * Opens the box of a question, except if a question that was not sent would take the box from another one. Its text goes to the message
 * box then.
 */
function onEdit(
  { editBox, messageBox, beginEdit }: ReceiverDeps,
  { editing, isReturned }: Extract<HostMessage, { type: 'edit' }>,
): void {
  if (!isReturned || editBox.mayTake(editing)) {
    beginEdit(editing);
    return;
  }
  messageBox.add(editing.text);
  editBox.leave(editing.exchangeId);
}

/** Announces the number of suggestions, because screen readers don't say by themselves that the list has opened. */
function onChoices(
  { page, mentions }: ReceiverDeps,
  message: Extract<HostMessage, { type: 'choices' }>,
): void {
  mentions.found(message);
  const count = mentions.list()?.choices.length ?? 0;
  if (count > 0) page.announce(page.word('{0, plural, one {# suggestion} other {# suggestions}}', count));
}

function onExchange(
  { page, autoScroll }: ReceiverDeps,
  before: PanelState | undefined,
  { id, turn }: ExchangeView,
): void {
  const known = before?.exchanges.find((exchange) => exchange.id === id);
  const begins = turn?.outcome === 'running' && turn.id !== known?.turn?.id;
  // Scrolls to a new question or attempt, not when the user pages through attempts or stops sending an image.
  if (!known || (begins && page.panel()?.exchanges.at(-1)?.id === id)) autoScroll.toEnd();
  else if (begins)
    afterDrawing(() => {
      const article = articleOf('k3', id);
      if (article !== null) autoScroll.looksAt(article);
    });
}

const articleOf = (kind: 'you' | 'k3', exchangeId: string) =>
  document.querySelector<HTMLElement>(`article.${kind}[data-exchange="${CSS.escape(exchangeId)}"]`);

function onSnapshot(deps: ReceiverDeps, before: PanelState | undefined, panel: PanelState): void {
  const isOther = before?.conversationId !== panel.conversationId;
  deps.maps.renew();
  deps.messageBox.show(panel, before?.conversationId);
  if (isOther) deps.mentions.forget();
  else deps.mentions.renew();
  const gone = deps.editBox.show(panel, before?.surroundings.deleted);
  // The text goes to the message box: its question is not on the shown path, so the user wouldn't find the text.
  if (gone !== undefined && isWritten(gone, before?.exchanges)) deps.messageBox.add(gone.text);
  const place = deps.disclosures.show(panel.opened ?? panel.conversationId);
  if (isOther) deps.autoScroll.restore(panel.opened === undefined ? place : undefined);
  // A question that was asked while earlier messages were shown is at the end, which wasn't on the page.
  else if (panel.later === 0 && before?.later !== 0) deps.autoScroll.toEnd();
  deps.searchedWords.markAgain();
  deps.knownPaths.renew();
  deps.knownSymbols.renew();
  afterDrawing(deps.pathLinks.update);
  if (before === undefined) afterDrawing(focusMessageBox);
  // A match that the user searches for may be on the page now.
  deps.finder.pageChanged(isOther);
}

const REVEALED_MS = 2000;

/** Scrolls to a question or an answer, and expands its reasoning, or the question, if the place is in it. */
function reveal(
  { page, disclosures, autoScroll, drawing }: ReceiverDeps,
  { exchangeId, part }: Extract<HostMessage, { type: 'reveal' }>,
): void {
  const exchange = page.panel()?.exchanges.find(({ id }) => id === exchangeId);
  const turnId = exchange?.turn?.id;
  // The question of a command is a single line.
  if (part === 'question' && exchange?.question.asked === undefined)
    disclosures.set(questionId(exchangeId), true);
  if (part === 'reasoning' && turnId !== undefined) disclosures.set(reasoningId(turnId), true);
  if (part === 'answer' && turnId !== undefined) disclosures.set(partId(turnId), true);
  autoScroll.stopFollowing();
  drawing.schedule();
  afterDrawing(() => {
    const article = articleOf(part === 'question' ? 'you' : 'k3', exchangeId);
    scrollLog(article, 'start');
    article?.focus({ preventScroll: true });
    article?.classList.add('is-revealed');
    setTimeout(() => article?.classList.remove('is-revealed'), REVEALED_MS);
  });
}

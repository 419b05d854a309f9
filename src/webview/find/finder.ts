/** Moves through the places that a search of the conversation has found. Places that are not on the page are requested from the host. */

import type { HostMessage } from '../../panel/hostMessages.ts';
import type { ExchangeView } from '../../panel/views.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import { messageBoxElement } from '../base/messageBoxElement.ts';
import { scrollLog } from '../base/scrollLog.ts';
import {
  clearHighlights,
  elementOfPlace,
  type Find,
  type FindActions,
  type FindMatch,
  HIGHLIGHTS,
  highlightPlaces,
  watchMarks,
} from './find.ts';
import { createFindRequests } from './findRequests.ts';

export interface Finder {
  /** The state of the find bar; undefined while it is closed. */
  find(): Find | undefined;
  readonly actions: FindActions;
  open(): void;
  found(message: Extract<HostMessage, { type: 'found' }>): void;
  /** Call this when text has arrived, or a part of the conversation has changed. Repeats the search after a pause. */
  grew(): void;
  /**
   * Call this when the page has got a snapshot, or earlier or later messages, which may contain the requested place.
   *
   * @param isOther whether it is a snapshot of another conversation
   */
  pageChanged(isOther: boolean): void;
}

export interface FinderDeps {
  post(message: WebviewMessage): void;
  schedule(): void;
  /** Draws at once. */
  drawNow(): void;
  exchange(id: string): ExchangeView | undefined;
  unfold(turnId: string): void;
  /** Shows a JSON answer as its text. */
  showText(turnId: string): void;
  /** Expands a long question, of which only the first lines are shown, or the prompt that a command sends. */
  unfoldQuestion(exchangeId: string): void;
  /** Stops following the end of the transcript. */
  stopFollowing(): void;
  /** Called when the find bar is opened. */
  onOpen(): void;
}

export function createFinder(deps: FinderDeps): Finder {
  const { post, schedule, exchange, unfold, stopFollowing } = deps;
  let find: Find | undefined;
  /** Whether the current place was requested from the host, and is shown when it arrives. */
  let isRequested = false;
  const requests = createFindRequests(post, () => find?.words);
  const marks = watchMarks(HIGHLIGHTS, () => {
    // If a search is due because of new text, all places are highlighted soon anyway.
    if (find !== undefined && !requests.isDue()) highlightPlaces(find);
  });

  function search(words: string): void {
    find = { words, places: [], at: -1, isFollowing: false };
    requests.ask(words, 'user');
    schedule();
  }

  /** Shows the count and highlights of a search that was repeated for new text. Doesn't scroll. */
  function show(words: string, places: readonly FindMatch[], at: number): void {
    find = { words, places, at, isFollowing: true };
    schedule();
    requestAnimationFrame(() => {
      if (find !== undefined) highlightPlaces(find);
    });
  }

  function goToPlace(): void {
    const place = find?.places[find.at];
    schedule();
    if (place === undefined) {
      clearHighlights();
      return;
    }
    const found = exchange(place.exchangeId);
    isRequested = found === undefined;
    if (found === undefined) {
      post({ type: 'show-exchange', exchangeId: place.exchangeId });
      return;
    }
    if (place.part === 'reasoning' && found.turn !== undefined) unfold(found.turn.id);
    if (place.part === 'answer' && found.turn?.structured !== undefined) deps.showText(found.turn.id);
    const isWritten = place.part === 'question' && found.question.asked === undefined;
    if (isWritten || place.part === 'prompt') deps.unfoldQuestion(found.id);
    stopFollowing();
    // Waits for the next drawing, which may add the text.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (find === undefined) return;
        const range = highlightPlaces(find);
        const target = range?.startContainer.parentElement ?? elementOfPlace(place);
        target?.closest('.step.is-folded')?.querySelector<HTMLElement>('.step-fold')?.click();
        // Again, because the previous place may have been at the end, which made the page follow it.
        stopFollowing();
        scrollLog(target, 'center');
        schedule();
      }),
    );
  }

  return {
    find: () => find,
    actions: {
      type: search,
      step(by) {
        if (find === undefined || find.words === '') return;
        // The answer may have grown since.
        if (find.places.length === 0) {
          search(find.words);
          return;
        }
        const { places } = find;
        const at =
          find.at === -1 && by === -1 ? places.length - 1 : (find.at + by + places.length) % places.length;
        find = { ...find, at, isFollowing: false };
        goToPlace();
      },
      close() {
        const place = find?.places[find.at];
        find = undefined;
        requests.cancel();
        marks.end();
        clearHighlights();
        deps.drawNow();
        // Focuses the message with the match, as the editor's search moves to its match. At once, because a later focus would take the
        // focus from a search that is opened again.
        const found = place && elementOfPlace(place)?.closest('article');
        if (found) found.focus({ preventScroll: true });
        else messageBoxElement()?.focus();
      },
    },
    open() {
      deps.onOpen();
      marks.begin();
      find ??= { words: '', places: [], at: -1, isFollowing: false };
      // Drawn at once, so that the next keys go to the box.
      deps.drawNow();
      const box = document.querySelector<HTMLInputElement>('.find-box');
      box?.focus();
      box?.select();
    },
    found({ words, places }) {
      if (find?.words !== words) return;
      const isFollowing = requests.answered() === 'new-text';
      const place = find.places[find.at];
      const known = place === undefined ? -1 : places.findIndex((one) => isSamePlace(one, place));
      if (isFollowing) {
        show(words, places, known);
        return;
      }
      // Starts with the last place, which is most often near the text that the user sees.
      find = { words, places, at: known === -1 ? places.length - 1 : known, isFollowing: false };
      goToPlace();
    },
    grew: requests.grew,
    pageChanged(isOther) {
      const lost = requests.forget();
      if (find === undefined || find.words === '') return;
      const place = find.places[find.at];
      if (isOther) search(find.words);
      // Another branch may be shown, which doesn't have the place, or a part of the conversation that was requested earlier.
      else if (place !== undefined && exchange(place.exchangeId) === undefined)
        requests.ask(find.words, 'user');
      else if (lost !== undefined) requests.ask(find.words, lost);
      else if (place !== undefined && isRequested) goToPlace();
      // For example after a round. The user may have scrolled elsewhere, so the page stays where it is.
      else show(find.words, find.places, find.at);
    },
  };
}

const isSamePlace = (one: FindMatch, other: FindMatch): boolean =>
  one.exchangeId === other.exchangeId &&
  one.part === other.part &&
  one.round === other.round &&
  one.occurrence === other.occurrence;

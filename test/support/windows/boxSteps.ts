/** Steps of the random tests of message boxes: actions of the user, and events of the page. */
import assert from 'node:assert/strict';
import type { BoxPage } from './boxPage.ts';
import type { Window } from './window.ts';
import type { World } from './world.ts';

interface Step {
  readonly do: string;
  readonly which: number;
}

/** Lets all messages arrive. */
export async function arriveAll({ clock }: Pick<World, 'clock'>, pages: readonly BoxPage[]): Promise<void> {
  for (let round = 0; round < 30; round++) {
    const moved = pages.flatMap((page) => [page.toHost(9), page.toPage(9)]);
    await clock.settle();
    if (!moved.includes(true)) return;
  }
  assert.fail('the pages and the hosts write to each other without end');
}

/** The drafts and queued texts of conversations in a window. */
export const textsOf = (
  { conversations, composers }: Pick<Window, 'conversations' | 'composers'>,
  ids: readonly string[],
): readonly string[] =>
  ids.flatMap((id) => [
    composers.of(id).draft,
    ...conversations.queue(id).map(({ question }) => question.text),
  ]);

/** A word that occurs nowhere else. */
export function newWord(world: World, words: Set<string>): string {
  const word = `word${++world.count}.`;
  words.add(word);
  return word;
}

/** Whether the step is an action in a message box. */
export const isInBox = ({ do: action }: Step): boolean =>
  ['type', 'clear', 'send', 'up', 'down'].includes(action);

/** @param words the typed words that were not deleted */
export function useBox({ do: action }: Step, page: BoxPage, world: World, words: Set<string>): void {
  if (page.shownId() === undefined) return;
  if (action === 'type') page.type(`${page.text()} ${newWord(world, words)}`.trim());
  else if (action === 'up') page.recall(1);
  else if (action === 'down') page.recall(-1);
  else if (action === 'send') {
    if (page.text() !== '') page.send();
  } else {
    for (const word of words) if (page.text().includes(word)) words.delete(word);
    page.type('');
  }
}

/** Runs an event of a page or its messages. Returns false for other steps. */
export function movePage(step: Step, page: BoxPage): boolean {
  switch (step.do) {
    case 'blur':
      page.blur();
      return true;
    case 'to host':
      page.toHost(step.which + 1);
      return true;
    case 'to page':
      page.toPage(step.which + 1);
      return true;
    case 'reload':
      // Messages arrive before the page is loaded again.
      page.toPage(99);
      page.toHost(99);
      page.reload();
      return true;
    case 'hide':
      // Messages arrive before the next action of the user.
      page.toHost(99);
      page.hide();
      return true;
    case 'show':
      page.show();
      return true;
    default:
      return false;
  }
}

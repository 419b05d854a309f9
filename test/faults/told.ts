/** The texts of a turn's notices, as the cards of the chat show them. */
import { toNotices } from '../../src/conversation/outcomes/notices.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { DEFAULT_PRICES } from '../../src/service/prices.ts';
import { withEditorStub } from '../support/withEditorStub.ts';

export interface Told {
  readonly code: string;
  /** The title and the paragraphs below it. */
  readonly text: string;
}

/** The notices of a turn that has ended, in their order. */
export async function toldBy(turn: Turn): Promise<readonly Told[]> {
  const { noticeTitle, noticeBody } = await words();
  return toNotices(turn, undefined).map((notice) => ({
    code: notice.code,
    text: [noticeTitle(notice, turn), ...noticeBody(notice, turn, DEFAULT_PRICES)].join('\n'),
  }));
}

const loadWords = () =>
  withEditorStub(async () => ({
    ...(await import('../../src/editor/cards/noticeTitles.ts')),
    ...(await import('../../src/editor/cards/noticeBodies.ts')),
  }));

let loaded: ReturnType<typeof loadWords> | undefined;

function words() {
  loaded ??= loadWords();
  return loaded;
}

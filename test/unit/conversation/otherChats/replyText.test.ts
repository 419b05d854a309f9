/** What another chat gets of reasoning whose opening tag is missing, because it stands in the prompt. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TurnEvent } from '../../../../src/conversation/events.ts';
import { createTurn, foldStep } from '../../../../src/conversation/fold.ts';
import { createReplyText, hadNoOpeningTag } from '../../../../src/conversation/otherChats/replyText.ts';
import { answer, FACTS, finish, reasoning, SERVICE_ENDED } from '../turns.ts';

const CLOSED: TurnEvent['event'] = { type: 'tag-closed', open: '', close: '</think>', wasReasoning: true };

/** What a chat gets step by step, and whether the route is known for this afterwards. */
function get(held: boolean, ...events: readonly TurnEvent['event'][]) {
  const addedBy = createReplyText(held);
  let turn = createTurn('a', 0, FACTS);
  const got: string[] = [];
  let known = false;
  for (const event of [...events, finish('stop'), SERVICE_ENDED]) {
    const step = foldStep(turn, { at: 1, event });
    turn = step.turn;
    const added = addedBy(step);
    if (added.reasoning !== '') got.push(`reasoning: ${added.reasoning}`);
    if (added.answer !== '') got.push(added.answer);
    known ||= hadNoOpeningTag(step);
  }
  return { got, known };
}

describe('The text of a reply to another chat', () => {
  it('is passed on as it arrives', () => {
    const { got, known } = get(false, reasoning('Hm.'), answer('Fo'), answer('ur.'));
    assert.deepEqual(got, ['reasoning: Hm.', 'Fo', 'ur.']);
    assert.equal(known, false);
  });

  it('is apart from reasoning that was passed on as the answer, the first time on a route', () => {
    const { got, known } = get(false, answer('H'), answer('m.'), CLOSED, answer('Four'), answer('.'));
    assert.deepEqual(got, ['H', 'm.', '\n\nFour', '.']);
    assert.equal(known, true);
  });

  it('does not have that reasoning in the answer afterwards', () => {
    const { got } = get(true, answer('H'), answer('m.'), CLOSED, answer('Four'), answer('.'));
    assert.deepEqual(got, ['reasoning: Hm.', 'Four', '.']);
  });

  it('is held back to the end on such a route if no reasoning comes, and not if reasoning has its own field', () => {
    assert.deepEqual(get(true, answer('Fo'), answer('ur.')).got, ['Four.']);
    const { got } = get(true, reasoning('Hm.'), answer('Fo'), answer('ur.'));
    assert.deepEqual(got, ['reasoning: Hm.', 'Fo', 'ur.']);
  });
});

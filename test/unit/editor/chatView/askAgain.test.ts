/** What Continue sends for a turn with tool calls. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Question } from '../../../../src/conversation/question.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { AttemptOptions } from '../../../../src/requests/conversationRequest.ts';
import { NOT_RENAMED } from '../../../support/notRenamed.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { calling, OF_A, runWith, toolboxOf } from '../../conversation/toolTurns.ts';
import { answer, conversationOf, DONE, exchangeOf, finish, reasoning } from '../../conversation/turns.ts';

const { createAskingAgain } = await withEditorStub(
  () => import('../../../../src/editor/chatView/askAgain.ts'),
);

/** The question and the options that Continue asks with. */
async function continued(turn: Turn): Promise<readonly [Question, AttemptOptions]> {
  const exchange = exchangeOf('Why?', turn);
  const asked: [Question, AttemptOptions][] = [];
  const { continueTurn } = createAskingAgain({
    conversations: {
      ask: async (_, question, options = {}) => {
        asked.push([question, options]);
        return { ok: true, turnId: 't2' };
      },
      askAgain: assert.fail,
      askInstead: assert.fail,
      find: () => undefined,
    },
    routes: { active: () => undefined },
    images: { shrink: async (images) => images },
    proposals: { ofTurn: () => [] },
    renames: NOT_RENAMED,
  });
  await continueTurn({ conversation: conversationOf(exchange), exchange, turn }, () => undefined);
  return asked[0] ?? assert.fail('nothing was asked');
}

describe('Continue after tool calls', () => {
  const endingIn = async (...last: Parameters<typeof runWith>[0][number][]) => {
    const { turn } = await runWith([calling(['read', OF_A]), ...last], toolboxOf(['read']));
    assert.equal(turn.rounds.length, 1);
    return turn;
  };

  it('F1 continues from the reasoning behind the calls, with a larger budget if that was spent on it', async () => {
    const spent = await endingIn([reasoning('So far, one.'), finish('length'), DONE]);
    assert.equal(spent.outcome, 'spent-on-reasoning');
    const [question, { prompt, budget }] = await continued(spent);
    assert.deepEqual([question.text, question.continues], ['Continue.', spent.id]);
    assert.match(
      prompt ?? '',
      /^Continue\.\n\n[^<]*budget ended[^<]*<reasoning>\nSo far, one\.\n<\/reasoning>/,
    );
    assert.equal(budget, 262_144);
    const [, interrupted] = await continued(await endingIn([reasoning('So far, two.')]));
    assert.match(interrupted.prompt ?? '', /interrupted[^<]*<reasoning>\nSo far, two\.\n/);
    assert.equal(interrupted.budget, undefined);
  });

  it('asks for the rest alone if the answer has begun, or no reasoning was behind the calls', async () => {
    for (const last of [[reasoning('So.'), answer('One and '), finish('length')], []]) {
      const [, options] = await continued(await endingIn(last));
      assert.deepEqual(options, {});
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toReplay } from '../../../../src/conversation/requestMessages/replay.ts';
import { toMessages } from '../../../../src/conversation/requestMessages/transcript.ts';
import type { Destination } from '../../../../src/conversation/routePlace.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { findMessageProblem } from '../../../../src/service/request.ts';
import type { AssistantMessage, Message } from '../../../../src/service/types.ts';
import { answering, calling, runWith, toolboxOf } from '../toolTurns.ts';
import {
  answer,
  chunk,
  completeTurn,
  exchangeOf,
  finish,
  reasoning,
  SERVICE_ENDED,
  turnOf,
} from '../turns.ts';

const DIRECT = { name: 'direct', kind: 'direct' } as const;
const GATEWAY = { name: 'gateway', kind: 'gateway' } as const;

/** A turn with one round of calls, whose responses have reasoning under a name, or none. */
async function called(
  name: 'reasoning_content' | 'reasoning' | undefined,
  routeName: string,
  routePlace?: string,
): Promise<Turn> {
  const { turn } = await runWith([calling(['read', '{"of":"a"}']), answering('Read.')], toolboxOf(['read']));
  const renamed = { reasoningName: name, ...(name === undefined && { reasoning: '' }) };
  return {
    ...turn,
    ...renamed,
    request: { ...turn.request, routeName, ...(routePlace !== undefined && { routePlace }) },
    rounds: turn.rounds.map((round) => ({ ...round, ...renamed })),
  };
}

const sentAfter = (turns: readonly Turn[], route: Destination): readonly Message[] => {
  const earlier = turns.map((turn, at) => exchangeOf(`question ${at}`, turn));
  const messages = toMessages('', earlier, { text: 'And now?', images: [] }, toReplay(earlier, route));
  assert.equal(findMessageProblem(messages), undefined);
  return messages;
};
const answersIn = (messages: readonly Message[]) =>
  messages.filter((message): message is AssistantMessage => message.role === 'assistant');

describe('Earlier answers in a request to a route', () => {
  it('R4 have their reasoning unchanged if they came from this route', async () => {
    for (const name of ['reasoning_content', 'reasoning'] as const) {
      const [round, last] = answersIn(sentAfter([await called(name, 'gateway')], GATEWAY));
      assert.equal(round?.[name], 'On to 1 calls.');
      assert.equal(round?.tool_calls?.length, 1);
      assert.equal(last?.[name], 'Now I know.');
    }
  });

  it('R4 have the documented name if they came from another route, also on a gateway that has given none', async () => {
    for (const route of [DIRECT, { ...GATEWAY, name: 'other' }]) {
      const [round, last] = answersIn(sentAfter([await called('reasoning', 'gateway')], route));
      assert.equal(round?.reasoning_content, 'On to 1 calls.');
      assert.equal(round?.reasoning, undefined);
      assert.equal(last?.reasoning_content, 'Now I know.');
    }
  });

  it('R4 have the name that a gateway has used itself', async () => {
    const here = turnOf([reasoning('Hm.', 'reasoning'), answer('Yes.'), finish('stop'), SERVICE_ENDED], {
      routeName: 'gateway',
    });
    const [round] = answersIn(sentAfter([await called('reasoning_content', 'direct'), here], GATEWAY));
    assert.equal(round?.reasoning, 'On to 1 calls.');
    const [asItCame] = answersIn(sentAfter([await called('reasoning_content', 'direct')], GATEWAY));
    assert.equal(asItCame?.reasoning_content, 'On to 1 calls.');
  });

  it('R11 keep a name that a gateway has used when it uses another one later', () => {
    const from = (routeName: string, name: 'reasoning_content' | 'reasoning') =>
      turnOf([reasoning('Hm.', name), answer('Yes.'), finish('stop'), SERVICE_ENDED], { routeName });
    const elsewhere = from('direct', 'reasoning_content');
    const here = from('gateway', 'reasoning');
    for (const earlier of [
      [elsewhere, here],
      [here, elsewhere],
    ]) {
      const before = answersIn(sentAfter(earlier, GATEWAY));
      assert.deepEqual(
        before.map((one) => one.reasoning),
        ['Hm.', 'Hm.'],
      );
      const later = [...earlier, from('gateway', 'reasoning_content')];
      assert.deepEqual(answersIn(sentAfter(later, GATEWAY)).slice(0, 2), before);
    }
  });

  it('R4 leave out reasoning that only another route can read', () => {
    const details = [{ type: 'reasoning.encrypted', index: 0, data: 'x' }];
    const turn = turnOf(
      [chunk({ reasoningDetails: details }), answer('Yes.'), finish('stop'), SERVICE_ENDED],
      { routeName: 'gateway' },
    );
    assert.deepEqual(answersIn(sentAfter([turn], DIRECT)), [{ role: 'assistant', content: 'Yes.' }]);
    assert.deepEqual(answersIn(sentAfter([turn], GATEWAY))[0]?.reasoning_details, details);
  });

  it('R4 leave it out also if its text has the name that this route knows', () => {
    const encrypted = { type: 'reasoning.encrypted', index: 1, data: 'x' };
    const details = [{ type: 'reasoning.text', index: 0, text: 'Hm.', signature: 's' }, encrypted];
    for (const name of ['reasoning_content', 'reasoning', 'reasoning_details'] as const) {
      const from = (routeName: string) =>
        turnOf(
          [
            chunk({ reasoning: { name, text: 'Hm.' }, reasoningDetails: details }),
            ...[answer('Yes.'), finish('stop'), SERVICE_ENDED],
          ],
          { routeName },
        );
      const [first, second] = answersIn(sentAfter([from('other'), from('gateway')], GATEWAY));
      assert.deepEqual(second?.reasoning_details, details);
      const known =
        name === 'reasoning_details' ? [{ type: 'reasoning.text', index: 0, text: 'Hm.' }] : 'Hm.';
      assert.deepEqual(first, { role: 'assistant', content: 'Yes.', [name]: known }, name);
    }
  });

  it('have calls without reasoning as text, because they would be refused', async () => {
    const messages = sentAfter([await called(undefined, 'gateway')], DIRECT);
    assert.deepEqual(messages, [
      { role: 'user', content: 'question 0' },
      { role: 'assistant', content: '[Tool call 1: read {"of":"a"}]' },
      { role: 'user', content: '[Result of tool call 1: read]\nread of a' },
      { role: 'assistant', content: 'Read.' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('have calls without reasoning as text on a route that gives reasoning: it was lost', async () => {
    const messages = sentAfter([await called(undefined, 'direct'), completeTurn()], DIRECT);
    assert.ok(messages.every((message) => !('tool_calls' in message)));
  });

  it('R11 have calls without reasoning as they came on a route that gives none', async () => {
    const [round] = answersIn(sentAfter([await called(undefined, 'gateway')], GATEWAY));
    assert.equal(round?.tool_calls?.length, 1);
  });

  it('R11 are as they were after their route was renamed', async () => {
    const renamed = { ...GATEWAY, name: 'renamed', place: 'here' };
    const [round, last] = answersIn(sentAfter([await called('reasoning', 'gateway', 'here')], renamed));
    assert.deepEqual([round?.reasoning, last?.reasoning], ['On to 1 calls.', 'Now I know.']);
    const [bare] = answersIn(sentAfter([await called(undefined, 'gateway', 'here')], renamed));
    assert.equal(bare?.tool_calls?.length, 1, 'it gave them so');
    const refused = await called(undefined, 'gateway', 'here');
    const once = { ...refused, request: { ...refused.request, callsAsText: true } as const };
    const asText = sentAfter([once], renamed);
    assert.ok(
      asText.every((message) => !('tool_calls' in message)),
      'it refuses them',
    );
  });

  it('R4 are those of another route if that has had the name of this one', async () => {
    const elsewhere = await called('reasoning', 'direct', 'there');
    const [round] = answersIn(sentAfter([elsewhere], { ...DIRECT, place: 'here' }));
    assert.deepEqual([round?.reasoning_content, round?.reasoning], ['On to 1 calls.', undefined]);
    const messages = sentAfter([await called(undefined, 'direct', 'there')], { ...DIRECT, place: 'here' });
    assert.ok(messages.every((message) => !('tool_calls' in message)));
  });

  it('have a note after the results of a turn that was not answered', async () => {
    const stopped = { ...(await called(undefined, 'gateway')), answer: '', outcome: 'stopped' } as const;
    assert.deepEqual(
      sentAfter([stopped], DIRECT).map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant', 'user'],
    );
  });
});

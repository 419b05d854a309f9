import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { toRound } from '../../../src/conversation/rounds.ts';
import { type Status, toStatus } from '../../../src/editor/usage/statusBar.ts';
import { toUsageTooltip } from '../../../src/editor/usage/usageTooltip.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import { type Scripted, startScripted, streamOf, until } from '../scripted.ts';

describe('The status bar', () => {
  let scripted: Scripted;
  beforeEach(async () => {
    scripted = await startScripted();
  });
  afterEach(() => scripted.close());

  function status(
    conversation: Conversation = scripted.conversations.current(),
    routeName = 'scripted',
  ): Status {
    const status = toStatus(conversation, {
      prices: DEFAULT_PRICES,
      routeName,
      conversations: scripted.conversations.loaded(),
      isSeen: scripted.conversations.isSeen,
      runsElsewhere: () => false,
      now: Date.now(),
      judged: () => undefined,
    });
    assert.ok(status);
    return status;
  }

  it('shows the route without a warning color before the first question', () => {
    assert.deepEqual(status(), {
      text: '$(comment-discussion) K3: scripted',
      spoken: 'K3 usage: scripted',
      warns: false,
    });
  });

  it('is hidden without a route', () => {
    const nothing = toStatus(scripted.conversations.current(), {
      prices: DEFAULT_PRICES,
      routeName: undefined,
      conversations: [],
      isSeen: () => false,
      runsElsewhere: () => false,
      now: 0,
      judged: () => undefined,
    });
    assert.equal(nothing, undefined);
  });

  it('shows that calls are waiting for approval, instead of the elapsed time', async () => {
    scripted.will(streamOf([{ answer: 'One.', finish: 'stop' }]));
    await scripted.ask('One?');
    const conversation = scripted.conversations.current();
    const [exchange] = conversation.exchanges;
    const turn = exchange?.attempts[0];
    assert.ok(exchange && turn);
    const waiting = (count: number): Conversation => {
      const call = { index: 0, id: 'a', name: 'f', arguments: '', state: 'waiting' as const };
      const calls = Array.from({ length: count }, () => ({
        ...call,
        result: undefined,
        startedAt: undefined,
        endedAt: undefined,
      }));
      const running = {
        ...turn,
        outcome: undefined,
        phase: 'calling' as const,
        rounds: [toRound(turn, calls, 1)],
      };
      return { ...conversation, exchanges: [{ ...exchange, attempts: [running] }] };
    };
    assert.match(status(waiting(1)).text, /^\$\(question\) Waiting for approval /);
    assert.match(status(waiting(3)).text, /^\$\(question\) Waiting for approval \(3\) /);
    assert.match(status(waiting(0)).text, /Using tools/);
  });

  it('shows a failure until the route answers again, or another route is active', async () => {
    scripted.will(
      (response) => void response.writeHead(401).end('{}'),
      streamOf([{ answer: 'Two.', finish: 'stop' }]),
    );
    await scripted.ask('One?');
    const failed = scripted.conversations.current();
    assert.deepEqual([status().text, status().warns], ['$(warning) The API key was not accepted', true]);
    assert.equal(status(failed, 'other').text, '$(comment-discussion) K3: other');
    scripted.conversations.create();
    await scripted.ask('Two?');
    assert.deepEqual(
      [status(failed).text, status(failed).warns],
      ['$(comment-discussion) K3: scripted', false],
    );
  });

  it('shows tokens, cached share, and cost of the conversation', async () => {
    scripted.will(
      streamOf([{ answer: 'One.', finish: 'stop' }]),
      streamOf([{ answer: 'Two.', finish: 'stop' }]),
    );
    await scripted.ask('One?');
    await scripted.ask('Two?');
    // Short to see; screen readers get the exact figures.
    assert.deepEqual(status(), {
      text: '$(comment-discussion) 5K tokens · 50% cached · $0.022',
      spoken: 'K3 usage: 5,000 tokens · 50% cached · $0.022',
      warns: false,
    });
  });

  it('shows that usage was not reported, and warns until the user has seen it', async () => {
    scripted.will(streamOf([{ answer: 'One.', finish: 'stop' }], null));
    const turn = await scripted.ask('One?');
    assert.equal(status().text, '$(warning) usage not reported');
    assert.equal(status().warns, true);
    scripted.conversations.markSeen(turn.id);
    assert.equal(status().warns, false);
  });

  it('adds up the reported usage when some turns report none', async () => {
    const reported = streamOf([{ answer: 'One.', finish: 'stop' }]);
    scripted.will(reported, streamOf([{ answer: 'Two.', finish: 'stop' }], null));
    await scripted.ask('One?');
    await scripted.ask('Two?');
    assert.match(status().text, /≥ 2\.5K tokens · .*≥ \$0\.01/);
  });

  it('shows the phase and the elapsed time while a turn runs', async () => {
    scripted.will(() => {});
    const { conversations } = scripted;
    const { id } = conversations.current();
    assert.ok((await conversations.ask(id, { text: 'Well?', images: [], origin: undefined })).ok);
    assert.match(status().text, /^\$\(loading~spin\) (Connecting|Waiting for the service) \d+ s$/);
    // A turn that is stopped before the service has the request costs nothing.
    await until(() => /Waiting for the service/.test(status().text));
    conversations.stop(id);
    await until(() => conversations.current().exchanges[0]?.attempts[0]?.outcome);
    assert.match(status().text, /usage not reported/);
  });

  it('shows a table of the turn and the conversation in its tooltip', async () => {
    scripted.will(streamOf([{ reasoning: 'Hm.' }, { answer: 'One.', finish: 'stop' }]));
    await scripted.ask('One?');
    const { value, isTrusted } = toUsageTooltip(scripted.conversations.current(), DEFAULT_PRICES);
    assert.match(value, /\| Reasoning tokens \| 400 \| 400 \|/);
    assert.match(value, /\| Route \| scripted \(direct\) \|/);
    assert.ok(!isTrusted);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import { isExpected, severityOf, toNotices } from '../../../../src/conversation/outcomes/notices.ts';
import { type CacheDrop, toPrefix } from '../../../../src/conversation/requestMessages/prefix.ts';
import { toRound } from '../../../../src/conversation/rounds.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { isLossSaid, latestBefore, turnBefore } from '../../../../src/conversation/turnBefore.ts';
import type { FunctionTool } from '../../../../src/service/types.ts';
import {
  answer,
  chunk,
  completeTurn,
  conversationOf,
  DONE,
  exchangeOf,
  failedBy,
  finish,
  reasoning,
  SERVICE_ENDED,
  SOME_USAGE,
  turnOf,
  USER_ENDED,
  usage,
} from '../turns.ts';

const codes = (turn: Turn, earlier?: Turn) => toNotices(turn, earlier).map((notice) => notice.code);

describe('Notices of a turn', () => {
  it('are empty for a complete turn without problems, and while a turn is running', () => {
    assert.deepEqual(codes(completeTurn()), []);
    assert.deepEqual(codes(turnOf([chunk({ model: 'other' }), { type: 'damaged' }, finish('stop')])), []);
  });

  it('R7 contain a warning if the service sent other answers as well', () => {
    const turn = turnOf([
      answer('a'),
      { type: 'other-choice', hasCalls: false },
      finish('stop'),
      usage(),
      DONE,
      SERVICE_ENDED,
    ]);
    assert.deepEqual([turn.answer, codes(turn)], ['a', ['other-choices']]);
    assert.equal(severityOf('other-choices'), 'warning');
  });

  it('R1 contain a warning if the service began its response again', () => {
    const turn = turnOf([
      answer('a'),
      { type: 'begun-again' },
      answer('b'),
      finish('stop'),
      usage(),
      DONE,
      SERVICE_ENDED,
    ]);
    assert.deepEqual([turn.answer, codes(turn)], ['ab', ['begun-again']]);
    assert.equal(severityOf('begun-again'), 'warning');
  });

  it('F1 contain an error if the budget was spent on reasoning', () => {
    assert.deepEqual(codes(turnOf([reasoning('r'), finish('length'), usage(), DONE, SERVICE_ENDED])), [
      'spent-on-reasoning',
    ]);
    assert.equal(severityOf('spent-on-reasoning'), 'error');
  });

  it('F2 contain a warning if the answer was cut off', () => {
    assert.deepEqual(codes(turnOf([answer('a'), finish('length'), usage(), SERVICE_ENDED])), ['truncated']);
    assert.equal(severityOf('truncated'), 'warning');
  });

  it('F3 Q15 say that an effort may have been ignored', () => {
    assert.deepEqual(codes(completeTurn('a', { effort: 'low' })), ['effort-ignored']);
    assert.deepEqual(codes(completeTurn('a', { effort: 'max' })), []);
    assert.equal(severityOf('effort-ignored'), 'information');
  });

  it('F3 Q15 say so only once while the same effort goes to the same route', () => {
    const low = completeTurn('a', { effort: 'low' });
    const known = completeTurn('a', { effort: 'low', effortWorks: true });
    assert.deepEqual(codes(low, low), []);
    assert.deepEqual(codes(completeTurn('a', { effort: 'high' }), low), ['effort-ignored']);
    assert.deepEqual(codes(completeTurn('a', { effort: 'low', routeName: 'other' }), low), [
      'effort-ignored',
    ]);
    assert.deepEqual(codes(low, completeTurn()), ['effort-ignored']);
    assert.deepEqual(codes(low, known), ['effort-ignored'], 'it was not said there');
  });

  it('F3 Q15 say nothing of an effort that a probe of the route has seen to work', () => {
    assert.deepEqual(codes(completeTurn('a', { effort: 'low', effortWorks: true })), []);
  });

  it('F4 Q8 say that the budget was clamped', () => {
    assert.deepEqual(codes(completeTurn('a', { maxCompletionTokens: 1_048_576, clampedFrom: 2e6 })), [
      'budget-clamped',
    ]);
  });

  it('say what was left out, instead of that the effort may be ignored', () => {
    const [notice] = toNotices(completeTurn('a', { leftOut: ['schema', 'effort'] }), undefined);
    assert.deepEqual(notice, { code: 'left-out', fields: ['schema', 'effort'] });
    assert.deepEqual(codes(completeTurn('a', { leftOut: ['schema', 'effort'] })), ['left-out']);
    assert.deepEqual(codes(turnOf([failedBy('bad-key')], { leftOut: ['schema'] })), ['failed']);
  });

  it('F5 R2 contain a warning if another model answered', () => {
    assert.deepEqual(
      codes(
        turnOf([
          answer('a'),
          chunk({ model: 'cheaper', finishReason: 'stop' }),
          usage(),
          chunk({ model: 'cheaper' }),
          SERVICE_ENDED,
        ]),
      ),
      ['model-substituted'],
    );
    assert.equal(severityOf('model-substituted'), 'warning');
  });

  it('F5 R2 contain no warning if the model is missing or empty', () => {
    const nameless = turnOf([
      chunk({ model: undefined, answer: 'a', finishReason: 'stop' }),
      chunk({ model: undefined, usage: completeTurn().usage }),
      SERVICE_ENDED,
    ]);
    assert.deepEqual(codes(nameless), []);
  });

  it('F6 Q10 E10 contain a warning if usage is missing or zero', () => {
    assert.deepEqual(codes(turnOf([answer('a'), finish('stop'), SERVICE_ENDED])), ['usage-missing']);
    assert.deepEqual(codes(turnOf([answer('a'), finish('stop'), usage({ totalTokens: 0 }), SERVICE_ENDED])), [
      'usage-missing',
    ]);
  });

  it('F6 contain a warning if the total of the usage is missing or zero, although its parts are there', () => {
    for (const totalTokens of [0, undefined]) {
      const partial = usage({ promptTokens: 20, completionTokens: 5, totalTokens });
      assert.deepEqual(codes(turnOf([answer('a'), finish('stop'), partial, SERVICE_ENDED])), [
        'usage-missing',
      ]);
    }
  });

  it('F6 do not require usage for a turn that was interrupted or stopped', () => {
    assert.deepEqual(codes(turnOf([answer('a'), failedBy('connection-lost')])), ['interrupted']);
    const calls = chunk({ toolCalls: [{ index: 0, id: 'c', name: 'read', arguments: '{}' }] });
    assert.deepEqual(codes(turnOf([calls, finish('tool_calls'), failedBy('connection-lost')])), [
      'interrupted',
    ]);
    assert.deepEqual(codes(turnOf([calls, finish('tool_calls'), failedBy('silent')])), ['stalled']);
    assert.deepEqual(codes(turnOf([answer('a'), USER_ENDED])), []);
  });

  it('F7 contain a warning if the answer is empty', () => {
    assert.deepEqual(codes(turnOf([reasoning('r'), finish('stop'), usage(), SERVICE_ENDED])), [
      'empty-answer',
    ]);
    assert.equal(severityOf('empty-answer'), 'warning');
  });

  it('R5 show a finish reason that is not documented', () => {
    assert.deepEqual(codes(turnOf([answer('a'), finish('eos'), usage(), SERVICE_ENDED])), ['unknown-finish']);
  });

  it('R5 name a finish reason that is not documented once, and not one that came before the end', () => {
    const call = chunk({ toolCalls: [{ index: 0, id: 'a', name: 'read', arguments: '{}' }] });
    const ended = (...events: Parameters<typeof turnOf>[0]) => codes(turnOf(events));
    assert.deepEqual(ended(answer('a'), finish('error'), usage(), SERVICE_ENDED), ['interrupted']);
    assert.deepEqual(ended(finish('eos'), usage(), SERVICE_ENDED), ['empty-answer']);
    assert.deepEqual(ended(call, finish('eos'), usage(), SERVICE_ENDED), ['calls-not-run']);
    // Some services send one with each chunk.
    assert.deepEqual(ended(finish('null'), answer('a'), USER_ENDED), []);
    assert.deepEqual(ended(finish('null'), answer('a'), failedBy('connection-lost')), ['interrupted']);
  });

  it('R5 say that calls were not run if the finish reason is not tool_calls', () => {
    const called = (...more: Parameters<typeof turnOf>[0]) =>
      turnOf([
        chunk({ toolCalls: [{ index: 0, id: 'a', name: 'read', arguments: '{}' }] }),
        ...more,
        usage(),
        SERVICE_ENDED,
      ]);
    assert.deepEqual(codes(called(finish('stop'))), ['calls-not-run']);
    assert.deepEqual(codes(called(answer('a'), finish('stop'))), ['calls-not-run']);
    assert.deepEqual(codes(called(finish('length'))), ['truncated']);
    assert.equal(severityOf('calls-not-run'), 'warning');
  });

  it('R5 say that the calls of a finish reason are missing, or that no tools were sent that could be called', () => {
    const call = chunk({ toolCalls: [{ index: 0, id: 'a', name: 'read', arguments: '{}' }] });
    const ended = (tools: readonly FunctionTool[], ...more: Parameters<typeof turnOf>[0]) =>
      codes(
        turnOf([...more, finish('tool_calls'), usage(), SERVICE_ENDED], {
          prefix: toPrefix({ model: 'svc-k3', tools, messages: [] }),
        }),
      );
    const read: FunctionTool = { type: 'function', function: { name: 'read', parameters: {} } };
    assert.deepEqual(ended([read], answer('Let me look.')), ['calls-not-run']);
    assert.deepEqual(ended([], call), ['calls-not-run']);
    assert.deepEqual(ended([], answer('Let me look.'), call), ['calls-not-run']);
    // Another chat, whose answers can be kept as a conversation, runs the calls of its tools.
    assert.deepEqual(ended([read], call), []);
  });

  it('R9 E9 contain interrupted, stalled, filtered, and failed turns', () => {
    assert.deepEqual(codes(turnOf([answer('a'), SERVICE_ENDED])), ['interrupted']);
    assert.deepEqual(codes(turnOf([failedBy('silent')])), ['stalled']);
    assert.deepEqual(codes(turnOf([answer('a'), finish('content_filter'), usage(), SERVICE_ENDED])), [
      'filtered',
    ]);
    assert.deepEqual(codes(turnOf([failedBy('bad-key')])), ['failed']);
  });

  it('contain damaged events', () => {
    assert.deepEqual(
      codes(turnOf([{ type: 'damaged' }, answer('a'), finish('stop'), usage(), SERVICE_ENDED])),
      ['damaged-events'],
    );
  });

  it('R11 explain a drop of the cached tokens', () => {
    const asked = (content: string) =>
      toPrefix({
        model: 'svc-k3',
        messages: [
          { role: 'system', content },
          { role: 'user', content: 'Why?' },
        ],
      });
    const earlier = completeTurn('a', { prefix: asked('Be brief.') });
    const turn = turnOf(
      [
        answer('a'),
        finish('stop'),
        usage({ totalTokens: 9, promptTokens: 3000, cachedTokens: 0 }),
        SERVICE_ENDED,
      ],
      { prefix: asked('Be exact.') },
    );
    const [notice] = toNotices(turn, earlier);
    assert.equal(notice?.code, 'cache-dropped');
    assert.equal(notice.code === 'cache-dropped' && notice.drop.changed, 'system');
    assert.equal(isExpected(notice), false);
  });

  it('Q5 R11 says what another form of the messages did to the cache, once', () => {
    const cacheOf = (cachedTokens: number | undefined, earlier: Turn | undefined, refused = true) => {
      const events = [
        answer('a'),
        finish('stop'),
        usage({ totalTokens: 9, promptTokens: 3000, cachedTokens }),
      ];
      const turn = turnOf([...events, SERVICE_ENDED], { contentParts: { fromRound: 0, refused } });
      return toNotices(turn, earlier).map((one) => (one.code === 'content-parts' ? one.cache : one.code));
    };
    const earlier = completeTurn('a');
    const [drop, ...more] = cacheOf(0, earlier);
    assert.ok(typeof drop === 'object' && drop.changed === 'form');
    assert.deepEqual(more, []);
    assert.deepEqual(cacheOf(1792, earlier), ['used']);
    assert.deepEqual(cacheOf(undefined, earlier), ['not-reported']);
    assert.deepEqual(cacheOf(0, undefined), ['empty']);
    assert.deepEqual(cacheOf(0, completeTurn('a', { routeName: 'other' })), ['empty']);
    assert.deepEqual(cacheOf(0, earlier, false), ['cache-dropped']);
  });
});

describe('A cache drop', () => {
  const drop = (changed: CacheDrop['changed']) =>
    isExpected({
      code: 'cache-dropped',
      drop: { changed, expectedTokens: 2048, cachedTokens: 0, message: undefined },
    });

  it('is expected when a command of the extension changed the tools or the answer format', () => {
    assert.deepEqual(
      ['tools', 'answer-format'].map((one) => drop(one as CacheDrop['changed'])),
      [true, true],
    );
  });

  it('is shown when the service lost an unchanged request, or anything else changed', () => {
    const others = ['nothing', 'other-tools', 'system', 'model', 'message', 'effort', 'form'] as const;
    assert.deepEqual(others.filter(drop), []);
    assert.equal(isExpected({ code: 'truncated' }), false);
  });

  it('R11 is said once while a route caches nothing', () => {
    const asked = (id: string, ...cached: readonly number[]): Exchange => {
      const [first = 0, ...more] = cached.map((cachedTokens) => ({
        ...completeTurn('a', { prefix: toPrefix({ model: 'svc-k3', messages: [] }) }),
        usage: { ...SOME_USAGE, cachedTokens },
      }));
      const turn = { ...(first || completeTurn()), id };
      return exchangeOf(id, more.length === 0 ? turn : { ...turn, rounds: [toRound(turn, [], 1)], tries: 1 });
    };
    const said = (...exchanges: readonly Exchange[]) => {
      const conversation = conversationOf(...exchanges);
      return exchanges.flatMap(({ id, attempts: [turn = assert.fail()] }) => {
        const earlier = latestBefore(conversation, id);
        assert.equal(earlier.turn, turnBefore(conversation, id));
        const notices = toNotices(turn, earlier.turn).filter((one) => !isLossSaid(one, earlier));
        return notices.some(({ code }) => code === 'cache-dropped') ? [id] : [];
      });
    };
    assert.deepEqual(said(asked('t1', 0), asked('t2', 0), asked('t3', 0), asked('t4', 0)), ['t2']);
    assert.deepEqual(said(asked('t1', 0), asked('t2', 0), asked('t3', 0), asked('t4', 1792)), ['t2']);
    // What it has cached before is lost each time.
    assert.deepEqual(said(asked('t1', 0), asked('t2', 1792), asked('t3', 0), asked('t4', 0)), ['t3', 't4']);
    // Within the requests of the first question.
    assert.deepEqual(said(asked('t1', 0, 0), asked('t2', 0)), ['t1']);
  });
});

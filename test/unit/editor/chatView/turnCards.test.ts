import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toRound } from '../../../../src/conversation/rounds.ts';
import type { Call, Turn } from '../../../../src/conversation/turn.ts';
import type { StreamEvent } from '../../../../src/service/client.ts';
import type { ServiceErrorKind } from '../../../../src/service/errors.ts';
import { toShownTurn } from '../../../support/shownTurn.ts';
import {
  answer,
  failedBy,
  finish,
  REFUSED_ONCE,
  reasoning,
  SERVICE_ENDED,
  SOME_USAGE,
  turnOf,
  USER_ENDED,
  usage,
} from '../../conversation/turns.ts';

describe('The card of an answer that a later exchange continues', () => {
  const lineOf = (...events: Parameters<typeof turnOf>[0]) => {
    const { card, buttons } = toShownTurn(turnOf(events), true);
    assert.deepEqual(buttons, []);
    return card.trim();
  };

  it('is one line that says how this part ended', () => {
    assert.equal(
      lineOf(answer('a'), finish('length'), usage(), SERVICE_ENDED),
      'The answer was cut off. Continued below.',
    );
    assert.equal(
      lineOf(answer('a'), failedBy('connection-lost')),
      'The answer was interrupted. Continued below.',
    );
    assert.match(
      lineOf(answer('a'), failedBy('stream-error')),
      /^The service reported an error\. Continued below\.$/,
    );
    assert.equal(lineOf(answer('a'), USER_ENDED), 'Stopped. Continued below.');
  });

  it('is one line after the last round of tools, too', () => {
    const { toolCalls, ...turn } = turnOf([answer(''), finish('stop'), usage(), SERVICE_ENDED]);
    const round = { ...turn, toolCalls: [], times: { ...turn.roundTimes, endedAt: 1 } };
    const spent = { ...turn, toolCalls, outcome: 'complete' as const, tries: 0, rounds: [round] };
    assert.match(toShownTurn(spent).card, /^Stopped after 0 rounds of tool calls\nThe model requested/);
    assert.deepEqual(toShownTurn(spent).buttons, ['Continue']);
    assert.match(
      toShownTurn(spent, true).card,
      /^Stopped after 0 rounds of tool calls\. Continued below\.\n*$/,
    );
    assert.deepEqual(toShownTurn(spent, true).buttons, []);
  });

  it('does not hide what else is wrong with the part', () => {
    assert.match(
      toShownTurn(turnOf([answer('a'), finish('length'), SERVICE_ENDED]), true).text,
      /^The answer was cut off\. Continued below\.[\s\S]*Usage not reported/,
    );
  });
});

describe('The card of an answer that the user stopped', () => {
  const bodyOf = (...received: readonly StreamEvent[]) => {
    return toShownTurn(turnOf([...received, USER_ENDED]))
      .card.split('\n')
      .slice(1)
      .filter(Boolean);
  };

  it('says that the text is kept where there is text', () => {
    const words = ['The text received so far is kept. The service may bill it without reporting usage.'];
    assert.deepEqual(bodyOf(answer('Hel')), words);
    assert.deepEqual(bodyOf(reasoning('Hm')), words);
  });

  it('does not speak of text where none was received', () => {
    assert.deepEqual(bodyOf({ type: 'connected' }), [
      'No text was received. The service may bill the request without reporting usage.',
    ]);
  });

  it('does not speak of text where only reasoning came before a tool call, and continues what has run', () => {
    const cardOf = (state: Call['state'], text = '') => {
      const { toolCalls: _, ...turn } = turnOf([
        reasoning('Hm'),
        answer(text),
        finish('tool_calls'),
        usage(),
      ]);
      const call: Call = {
        ...{ index: 0, id: 'c', name: 'echo', arguments: '{}', state },
        ...{ result: { text: '' }, startedAt: undefined, endedAt: undefined },
      };
      const round = { ...turn, toolCalls: [call], times: { ...turn.roundTimes, endedAt: 1 } };
      return toShownTurn({
        ...turn,
        ...{ reasoning: '', answer: '', toolCalls: [], outcome: 'stopped', tries: 0, rounds: [round] },
      });
    };
    const without = cardOf('not-run');
    assert.match(without.card, /^Stopped\nNo answer text was received\.$/m);
    assert.deepEqual(without.buttons, ['Retry']);
    assert.deepEqual(cardOf('stopped').buttons, ['Continue', 'Retry']);
    const withText = cardOf('not-run', 'Let me look.');
    assert.match(withText.card, /\nThe text received so far is kept\.$/m);
    assert.deepEqual(withText.buttons, ['Continue', 'Retry']);
  });

  it('E6 says that a request is not billed that was refused, or not sent', () => {
    const words = ['This request was not billed.'];
    assert.deepEqual(bodyOf(...REFUSED_ONCE), words);
    assert.deepEqual(bodyOf(...REFUSED_ONCE, { type: 'try', tries: 2 }), words);
    assert.deepEqual(bodyOf({ type: 'try', tries: 1 }), words);
  });
});

describe('E11 The card of a failure', () => {
  it('shows the message of the service at first where only that says why', () => {
    const isFirst = (kind: ServiceErrorKind) => toShownTurn(turnOf([failedBy(kind)])).wordsFirst;
    const kinds = ['invalid-request', 'stream-error', 'unknown', 'bad-key', 'rate-limited'] as const;
    assert.deepEqual(kinds.map(isFirst), [true, true, true, false, false]);
    const failure = { kind: 'server-failed', details: { status: 200 } } as const;
    assert.equal(toShownTurn(turnOf([{ type: 'ended', by: 'error', failure }])).wordsFirst, true);
    assert.equal(isFirst('server-failed'), false);
  });
});

describe('F1 The card of an answer whose budget went into reasoning', () => {
  const factsOf = (turn: Turn) => toShownTurn(turn).facts;
  const spent = (...more: Parameters<typeof turnOf>) =>
    turnOf([reasoning('Hm.'), finish('length'), ...(more[0] ?? []), SERVICE_ENDED], more[1]);

  it('names the billed tokens of all requests, as the text above it does', () => {
    const called = turnOf([reasoning('Hm.'), finish('tool_calls'), usage()]);
    const turn = { ...spent([usage()]), rounds: [toRound(called, [], 1)], tries: 1 };
    assert.match(toShownTurn(turn).card, /Billed: 4,100 tokens/);
    assert.deepEqual(factsOf(turn), ['Reasoning 40', 'Answer 10', 'Total billed 4,100']);
  });

  it('names them without a total, or with a total of zero', () => {
    for (const totalTokens of [undefined, 0])
      assert.equal(factsOf(spent([usage({ ...SOME_USAGE, totalTokens })]))?.[2], 'Total billed 2,050');
  });

  it('names none in the demo, which bills nothing', () => {
    const turn = spent([usage()], { demo: true });
    assert.match(toShownTurn(turn).card, /Nothing was billed/);
    assert.deepEqual(factsOf(turn), ['Reasoning 40', 'Answer 10']);
  });
});

describe('The line of reasoning while an answer is running', () => {
  it('begins with no half of a character', () => {
    const { liveLine } = toShownTurn(turnOf([reasoning(`${'a'.repeat(9)}😀${'b'.repeat(199)}`)]));
    assert.equal(liveLine, 'b'.repeat(199));
  });
});

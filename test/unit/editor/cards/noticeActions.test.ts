import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RequestFacts } from '../../../../src/conversation/requestFacts.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import {
  answer,
  chunk,
  failedBy,
  finish,
  reasoning,
  SERVICE_ENDED,
  turnOf,
  usage,
} from '../../conversation/turns.ts';

const { actionsFor, nextStep } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/cards/noticeActions.ts')),
  ...(await import('../../../../src/editor/cards/noticeText.ts')),
}));

describe('The card of a request that the service refused', () => {
  const actionsOf = (facts: Partial<RequestFacts>) =>
    actionsFor({ code: 'failed' }, turnOf([failedBy('invalid-request')], facts), { images: 'none' }).map(
      ({ action }) => action,
    );

  it('offers to send it without what a route can refuse, and to find out what it refuses', () => {
    assert.deepEqual(actionsOf({}), ['retry', 'show-log']);
    assert.deepEqual(actionsOf({ answerFormat: 'abc' }), [
      'retry-without-format',
      'retry',
      'probe-route',
      'show-log',
    ]);
    assert.deepEqual(actionsOf({ answerFormat: 'abc', effort: 'low' }), [
      'retry-without-format',
      'retry-without-effort',
      'retry',
      'probe-route',
      'show-log',
    ]);
    assert.deepEqual(actionsOf({ effort: 'max' }), ['retry', 'show-log']);
  });

  it('offers to stop sending images, which later questions would have as well, and then to continue', () => {
    for (const kind of ['invalid-request', 'too-large'] as const) {
      const actionsFrom = (facts: Partial<RequestFacts>, images: 'earlier' | 'none') =>
        actionsFor({ code: 'failed' }, turnOf([reasoning('r'), failedBy(kind)], facts), { images }).map(
          ({ action }) => action,
        );
      const before = actionsFrom({}, 'earlier');
      assert.deepEqual([before.includes('omit-oldest-images'), before.includes('continue')], [true, false]);
      const after = actionsFrom({ withoutImages: true }, 'none');
      assert.deepEqual([after.includes('omit-oldest-images'), after.includes('continue')], [false, true]);
    }
  });
});

describe('The card of a model that a gateway doesn’t recognize', () => {
  it('E3 offers to use the one that it suggests, unless that is the one that was asked for', () => {
    const actionsFrom = (didYouMean: string) => {
      const failure = { kind: 'model-unknown', details: { didYouMean } } as const;
      const turn = turnOf([{ type: 'ended', by: 'error', failure }]);
      return actionsFor({ code: 'failed' }, turn, { images: 'none' }).map(({ label }) => label);
    };
    assert.deepEqual(actionsFrom('vendor/svc-k3'), ['Use vendor/svc-k3', 'Edit Routes']);
    assert.deepEqual(actionsFrom('svc-k3'), ['Check Connection', 'Edit Routes']);
  });
});

describe('The card of a request that is too large', () => {
  it('offers a new conversation, as it says, before the same request again', () => {
    for (const kind of ['too-large', 'context-overflow'] as const) {
      const actions = actionsFor({ code: 'failed' }, turnOf([failedBy(kind)]), { images: 'none' });
      assert.deepEqual(actions.map(({ action }) => action).slice(0, 2), ['new-conversation', 'retry'], kind);
    }
  });
});

describe('The card of a question or an answer that the content filter stopped', () => {
  it('offers to edit the question first, as it says, because the same question may be stopped again', () => {
    const answered = turnOf([answer('a'), finish('content_filter'), usage(), SERVICE_ENDED]);
    for (const actions of [
      actionsFor({ code: 'filtered' }, answered, { images: 'none' }),
      actionsFor({ code: 'failed' }, turnOf([failedBy('filtered')]), { images: 'none' }),
    ])
      assert.deepEqual(
        actions.map(({ action, label }) => [action, label]),
        [
          ['edit-question', 'Edit Question'],
          ['retry', 'Retry'],
        ],
      );
  });
});

describe('The card of an answer by another model', () => {
  it('offers to check the route and to switch to another one', () => {
    const actions = actionsFor({ code: 'model-substituted' }, turnOf([answer('a'), SERVICE_ENDED]), {
      images: 'none',
    });
    assert.deepEqual(
      actions.map(({ label }) => label),
      ['Check Connection', 'Switch Route…'],
    );
  });
});

describe('The card of an answer without usage, or with a second one beside it', () => {
  it('offers to check whether the route does that each time', () => {
    const turn = turnOf([answer('a'), finish('stop'), SERVICE_ENDED]);
    const actionsOf = (code: 'usage-missing' | 'other-choices') =>
      actionsFor({ code }, turn, { images: 'none' }).map(({ action }) => action);
    assert.deepEqual(actionsOf('usage-missing'), ['check-connection']);
    assert.deepEqual(actionsOf('other-choices'), ['retry', 'check-connection']);
  });
});

describe('The card of an answer that an error of the service ended', () => {
  const actionsOf = (...events: Parameters<typeof turnOf>[0]) =>
    actionsFor({ code: 'failed' }, turnOf(events), { images: 'none' }).map(({ label }) => label);

  it('offers to continue it, because what has come stays', () => {
    for (const kind of ['stream-error', 'overloaded', 'rate-limited', 'unknown'] as const) {
      assert.deepEqual(actionsOf(answer('a'), failedBy(kind)), ['Continue', 'Retry'], kind);
      assert.deepEqual(
        actionsOf(reasoning('r'), failedBy(kind)),
        ['Continue from the reasoning', 'Retry'],
        kind,
      );
      assert.deepEqual(actionsOf(failedBy(kind)), ['Retry'], kind);
    }
    assert.deepEqual(actionsOf(answer('a'), failedBy('no-balance')), ['Switch Route…', 'Continue', 'Retry']);
    assert.deepEqual(actionsOf(answer('a'), failedBy('bad-key')), ['Set API Key…', 'Continue', 'Retry']);
  });

  it('does not offer to continue it if the rest would be refused as well', () => {
    for (const kind of ['invalid-request', 'context-overflow', 'too-large', 'filtered'] as const)
      assert.equal(actionsOf(answer('a'), failedBy(kind)).includes('Continue'), false, kind);
  });
});

describe('The card of a request that went to the wrong address', () => {
  it('offers to edit the route first, because another try goes to the same address', () => {
    for (const kind of ['redirected', 'not-found'] as const) {
      const actions = actionsFor({ code: 'failed' }, turnOf([failedBy(kind)]), { images: 'none' });
      assert.deepEqual(
        actions.map(({ action }) => action),
        ['edit-routes', 'check-connection', 'retry'],
        kind,
      );
    }
  });
});

describe('The card of an answer that the service ended at a length', () => {
  const actionsOf = (
    code: 'truncated' | 'spent-on-reasoning',
    tokens: number,
    facts: Partial<RequestFacts>,
  ) => {
    const text = code === 'truncated' ? answer('a') : reasoning('r');
    const figures = usage({ totalTokens: 9, completionTokens: tokens });
    const turn = turnOf([text, finish('length'), figures, SERVICE_ENDED], facts);
    assert.equal(turn.outcome, code);
    return actionsFor({ code }, turn, { images: 'none' }).map(({ action }) => action);
  };

  it('F1 F2 offers a larger budget where the budget was used up', () => {
    const facts = { maxCompletionTokens: 1000 };
    assert.deepEqual(actionsOf('truncated', 1000, facts), ['continue', 'retry-larger']);
    assert.deepEqual(actionsOf('spent-on-reasoning', 1000, facts), ['retry-larger', 'continue']);
  });

  it('F2 offers not to continue from reasoning that is not there, for a call that was cut off', () => {
    const call = chunk({ toolCalls: [{ index: 0, id: 'a', name: 'read', arguments: '{"of' }] });
    for (const [more, actions] of [
      [[], ['retry-larger', 'retry']],
      [[reasoning('r')], ['continue', 'retry-larger']],
    ] as const) {
      const turn = turnOf([...more, call, finish('length'), SERVICE_ENDED]);
      assert.equal(turn.outcome, 'truncated');
      assert.deepEqual(
        actionsFor({ code: 'truncated' }, turn, { images: 'none' }).map(({ action }) => action),
        actions,
      );
    }
  });

  it('F1 offers a larger budget where neither reasoning nor usage shows that it was used up', () => {
    const actions = (reason: string) => {
      const turn = turnOf([finish(reason), SERVICE_ENDED], { maxCompletionTokens: 1000 });
      assert.equal(turn.outcome, 'empty');
      return actionsFor({ code: 'empty-answer' }, turn, { images: 'none' }).map(({ action }) => action);
    };
    assert.deepEqual(actions('length'), ['retry-larger', 'retry']);
    assert.deepEqual(actions('stop'), ['retry']);
  });

  it('F1 F2 offers none where the service stopped below the budget that was set', () => {
    const facts = { maxCompletionTokens: 200_000 };
    assert.deepEqual(actionsOf('truncated', 8192, facts), ['continue']);
    assert.deepEqual(actionsOf('spent-on-reasoning', 8192, facts), ['continue', 'retry']);
  });

  it('F1 F2 offers none where the budget was the largest that the service takes', () => {
    const facts = { maxCompletionTokens: 1_048_576 };
    assert.deepEqual(actionsOf('truncated', 1_040_000, facts), ['continue']);
    assert.deepEqual(actionsOf('spent-on-reasoning', 1_040_000, facts), ['continue', 'retry']);
  });
});

describe('The card of a problem for which other chats are told to ask again', () => {
  const turn = turnOf([answer('a'), finish('stop'), usage(), SERVICE_ENDED]);
  for (const code of ['empty-answer', 'interrupted', 'stalled', 'calls-not-run', 'damaged-events'] as const)
    it(`offers to retry: ${code}`, () => {
      assert.equal(nextStep({ code }, turn), 'Ask again.');
      const actions = actionsFor({ code }, turn, { images: 'none' });
      assert.ok(actions.some(({ action }) => action === 'retry'));
    });
});

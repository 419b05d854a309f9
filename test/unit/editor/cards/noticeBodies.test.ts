import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RequestFacts } from '../../../../src/conversation/requestFacts.ts';
import { toRound } from '../../../../src/conversation/rounds.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import {
  answer,
  chunk,
  completeTurn,
  DONE,
  failedBy,
  reasoning,
  SERVICE_ENDED,
  SOME_USAGE,
  turnOf,
} from '../../conversation/turns.ts';

const { noticeBody } = await withEditorStub(() => import('../../../../src/editor/cards/noticeBodies.ts'));
const { noticeTitle } = await withEditorStub(() => import('../../../../src/editor/cards/noticeTitles.ts'));

describe('The words of a notice', () => {
  const linesOf = (damagedEvents: number) =>
    noticeBody({ code: 'damaged-events' }, { ...completeTurn(), damagedEvents }, DEFAULT_PRICES).join(' ');

  it('are in the singular for one event', () => {
    assert.equal(
      linesOf(1),
      '1 event was not valid JSON or had a number in place of text. Some text may be missing.',
    );
    assert.equal(
      linesOf(2),
      '2 events were not valid JSON or had a number in place of text. Some text may be missing.',
    );
  });

  it('say why calls were not run', () => {
    const call = { index: 0, id: 'a', name: 'read', arguments: '{}' };
    const body = (finishReason: string, ...toolCalls: readonly (typeof call)[]) =>
      noticeBody(
        { code: 'calls-not-run' },
        { ...completeTurn(), finishReason, toolCalls },
        DEFAULT_PRICES,
      ).join();
    assert.match(body('stop', call), /^The finish reason is “stop” instead of/);
    assert.match(body('tool_calls'), /^The finish reason is “tool_calls”, but the response has no tool call/);
    assert.match(body('tool_calls', call), /^No tools were sent/);
    const mixed = { ...completeTurn(), rounds: [toRound(completeTurn(), [], 1)], tries: 0, toolCalls: [] };
    assert.match(
      noticeBody({ code: 'calls-not-run' }, mixed, DEFAULT_PRICES).join(),
      /parts of different answers/,
    );
  });

  it('F6 say whether nothing is known of the usage, or all but its total', () => {
    const lines = (figures: Partial<typeof SOME_USAGE> | undefined) => {
      const usage = figures && { ...SOME_USAGE, ...figures };
      const turn = { ...completeTurn(), usage };
      const notice = { code: 'usage-missing' } as const;
      return [noticeTitle(notice, turn), ...noticeBody(notice, turn, DEFAULT_PRICES)].join(': ');
    };
    assert.match(lines(undefined), /^Usage not reported: The response has no token counts/);
    assert.equal(
      lines({ totalTokens: 0 }),
      'Total usage not reported: The service reported no total of tokens. The sum of input and output is counted instead.',
    );
  });

  it('R5 say of an answer that ended with an error which finish reason it has', () => {
    const body = (finishReason: string | undefined) =>
      noticeBody({ code: 'interrupted' }, { ...completeTurn(), finishReason }, DEFAULT_PRICES).join();
    assert.match(body(undefined), /^The stream ended without a finish reason, so the answer is probably/);
    assert.match(
      body('error'),
      /^The finish reason is “error”, so the answer is probably incomplete\. The text/,
    );
  });

  it('don’t say of an answer that was interrupted before any text that its text is kept', () => {
    const body = (...events: Parameters<typeof turnOf>[0]) =>
      noticeBody({ code: 'interrupted' }, turnOf(events), DEFAULT_PRICES).join();
    const none = 'No text was received. The service may bill the request without reporting usage.';
    assert.equal(body(chunk({}), failedBy('connection-lost')), `The connection was lost. ${none}`);
    assert.equal(body(DONE, SERVICE_ENDED), none);
    const call = chunk({ toolCalls: [{ index: 0, id: 'a', name: 'read', arguments: '{' }] });
    for (const some of [answer('So'), reasoning('Hm'), call])
      for (const end of [failedBy('connection-lost'), SERVICE_ENDED])
        assert.match(body(some, end), /The text received so far is kept/);
  });

  it('say that a window was closed only of an answer whose window was, also during a tool call', () => {
    const body = (windowClosed: boolean, own: boolean) => {
      const turn = { ...completeTurn(), finishReason: undefined };
      const during = { ...turn, rounds: [toRound(completeTurn(), [], 1)], tries: 0 };
      const ended = { ...(own ? turn : during), ...(windowClosed && { windowClosed: true as const }) };
      return noticeBody({ code: 'interrupted' }, ended, DEFAULT_PRICES).join();
    };
    assert.match(body(true, true), /^The window was closed or reloaded/);
    assert.match(body(true, false), /^The window was closed during a tool call/);
    // It was exported while it ran, or its conversation was deleted and restored.
    assert.match(body(false, true), /^The stream ended without/);
    assert.match(body(false, false), /^The answer ended during a tool call/);
  });

  it('F7 say of an empty answer that it ended normally only if it did', () => {
    const body = (finishReason: string) =>
      noticeBody({ code: 'empty-answer' }, { ...completeTurn(''), finishReason }, DEFAULT_PRICES)[0] ?? '';
    assert.match(body('stop'), /^The service finished normally but returned no answer text/);
    for (const reason of ['length', 'tool_calls', 'eos'])
      assert.equal(
        body(reason),
        `The finish reason is “${reason}”, but the response has no answer text and no tool call.`,
      );
  });

  it('Q15 name the reasoning tokens of an effort that may have been ignored only if they were counted', () => {
    const body = (reasoningTokens: number | undefined) => {
      const turn = { ...completeTurn('a', { effort: 'low' }), usage: { ...SOME_USAGE, reasoningTokens } };
      return noticeBody({ code: 'effort-ignored' }, turn, DEFAULT_PRICES).join();
    };
    assert.match(body(40), /This turn used 40 reasoning tokens\.$/);
    for (const none of [undefined, 0]) assert.match(body(none), /but may ignore it\.$/);
    const silent = {
      ...completeTurn('a', { effort: 'low' }),
      reasoning: '',
      usage: { ...SOME_USAGE, reasoningTokens: 0 },
    };
    assert.match(
      noticeBody({ code: 'effort-ignored' }, silent, DEFAULT_PRICES).join(),
      /used 0 reasoning tokens\.$/,
    );
  });

  it('name what the route refuses, and what was sent instead', () => {
    const fields = ['schema', 'json', 'effort', 'ceiling'] as const;
    const body = (facts: Partial<RequestFacts>) =>
      noticeBody({ code: 'left-out', fields }, completeTurn('a', facts), DEFAULT_PRICES);
    assert.deepEqual(body({}), [
      'Route “direct” rejects json_schema, so the request describes the answer format in words.',
      'Route “direct” rejects json_object, so the request describes the answer format in words.',
      'Route “direct” rejects reasoning_effort, so the effort was not sent.',
      'Route “direct” rejects an output budget of 1,048,576 tokens, so the request was sent with 131,072.',
    ]);
    assert.match(body({ maxCompletionTokens: 524_288 })[3] ?? '', /sent with 524,288\.$/);
  });
});

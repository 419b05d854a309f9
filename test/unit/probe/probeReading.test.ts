/** What the answers of models show that follow the words of a probe, and of those that don't. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createSchemaCheck } from '../../../src/conversation/answerFormats/schemaCheck.ts';
import { type CheckId, refuses } from '../../../src/probe/probe.ts';
import { readStep } from '../../../src/probe/stepReading.ts';
import type { Usage } from '../../../src/service/types.ts';
import { answer, DONE, failedBy, finish, SERVICE_ENDED, turnOf, usage } from '../conversation/turns.ts';

const probeTurnOf = (text: string, figures: Partial<Usage>) => ({
  turn: turnOf([answer(text), finish('stop'), usage(figures), DONE, SERVICE_ENDED]),
  keepAlives: 0,
  cut: false,
});
const PLAIN = probeTurnOf('ready', { promptTokens: 100, completionTokens: 5, totalTokens: 105 }).turn;

/** The verdict about a step whose only answer is this. Undefined tokens are not reported. */
function verdictOf(about: CheckId, text: string, promptTokens?: number): string {
  const totalTokens = promptTokens && promptTokens + 5;
  const probeTurn = probeTurnOf(text, { promptTokens, completionTokens: promptTokens && 5, totalTokens });
  const [first] = readStep(about, [probeTurn], PLAIN, createSchemaCheck());
  return `${first?.verdict} ${first?.seen.kind}`;
}

describe('An answer to a probe', () => {
  it('shows that tools were dropped by its words, unless the input tokens contradict', () => {
    assert.equal(verdictOf('tools', 'No tool.', 150), 'no dropped');
    assert.equal(verdictOf('tools', 'no tool'), 'no dropped');
    assert.equal(verdictOf('tools', 'no tool', 450), 'unclear answered');
    // Not every service counts tools, and not every model calls what it is asked to call.
    assert.equal(verdictOf('tools', '5 and 9', 150), 'unclear answered');
    assert.equal(verdictOf('tools', 'There is no tool, so: 5 and 9', 150), 'unclear answered');
  });

  it('shows that an image was seen by its colors or the input tokens, and that it was dropped by its words', () => {
    assert.equal(verdictOf('images', 'Red, blue.', 140), 'yes answered');
    assert.equal(verdictOf('images', 'blue and red', 140), 'unclear answered');
    assert.equal(verdictOf('images', 'blue and red', 400), 'yes counted');
    assert.equal(verdictOf('images', '**No image**', 140), 'no dropped');
    assert.equal(verdictOf('images', 'no image', 400), 'unclear answered');
    assert.equal(verdictOf('images', 'I cannot say.'), 'unclear answered');
  });

  it('is kept in its first characters, which are whole', () => {
    const probeTurn = probeTurnOf(`No ${'😀'.repeat(100)}`, {});
    const [{ seen } = assert.fail()] = readStep('json', [probeTurn], PLAIN, createSchemaCheck());
    assert.equal(seen.values[0], `No ${'😀'.repeat(58)}…`);
  });

  it('has a format or not', () => {
    assert.equal(verdictOf('json', '{"a":1}'), 'yes answered');
    assert.equal(verdictOf('json', '```json\n{"a":1}\n```'), 'no other-form');
    assert.equal(verdictOf('schema', '{"heron_count":2,"seen_at":"river"}'), 'yes answered');
    assert.equal(verdictOf('schema', '{"herons":2}'), 'no other-form');
  });

  it('shows an effect of the effort only if every answer does', () => {
    const verdict = (...tokens: readonly number[]) => {
      const turns = tokens.map((reasoningTokens) =>
        probeTurnOf('10', { promptTokens: 9, completionTokens: 900, totalTokens: 909, reasoningTokens }),
      );
      return readStep('effort', turns, PLAIN, createSchemaCheck())[0]?.verdict;
    };
    assert.equal(verdict(100, 300, 120, 280), 'yes');
    assert.equal(verdict(100, 300, 290, 280), 'no');
    assert.equal(verdict(300, 300, 300, 300), 'no');
    assert.equal(verdict(250, 300, 240, 280), 'unclear');
  });

  it('that refuses one effort and accepts the other one doesn’t refuse the effort', () => {
    const usage = { promptTokens: 9, completionTokens: 900, totalTokens: 909, reasoningTokens: 400 };
    const [accepted, refused] = [
      probeTurnOf('10', usage),
      { turn: turnOf([failedBy('invalid-request')]), keepAlives: 0, cut: false },
    ];
    const read = (...turns: readonly (typeof accepted)[]) => {
      const [first] = readStep('effort', turns, PLAIN, createSchemaCheck());
      const probed = first && { results: [{ ...first, at: 0 }], requests: 4, cost: 0 };
      const parts = (['effort', 'lower-effort'] as const).filter((part) => refuses(probed, part));
      return `${first?.verdict} ${first?.seen.kind} ${parts.join()}`;
    };
    assert.equal(read(refused, accepted, refused, accepted), 'no refused lower-effort');
    assert.equal(read(accepted, refused, accepted, refused), 'unclear refused ');
    assert.equal(read(refused, refused, refused, refused), 'no refused effort');
    const failed = { ...refused, turn: turnOf([failedBy('silent')]) };
    assert.equal(read(refused, failed, refused, failed), 'no refused lower-effort');
    assert.equal(read(failed, refused, failed, refused), 'unclear failed ');
    assert.equal(read(accepted, accepted, accepted, accepted), 'no efforts ');
  });

  it('of which a part could not be read shows nothing about its form, and one without an end nothing about the budget', () => {
    const damaged = turnOf([answer('{"a":'), { type: 'damaged' }, finish('stop'), DONE, SERVICE_ENDED]);
    const broken = turnOf([answer('rea'), SERVICE_ENDED]);
    // A route can send such an event with each answer.
    const whole = turnOf([answer('{"a":1}'), { type: 'damaged' }, finish('stop'), DONE, SERVICE_ENDED]);
    for (const [about, turn, expected] of [
      ['json', damaged, 'unclear answered'],
      ['schema', damaged, 'unclear answered'],
      ['json', whole, 'yes answered'],
      ['ceiling', broken, 'unclear failed'],
    ] as const) {
      const [first] = readStep(about, [{ turn, keepAlives: 0, cut: false }], PLAIN, createSchemaCheck());
      assert.equal(`${first?.verdict} ${first?.seen.kind}`, expected, about);
    }
  });

  it('that did not come shows nothing, and one that was refused shows that', () => {
    for (const [kind, expected] of [
      ['silent', 'unclear failed'],
      ['server-failed', 'unclear failed'],
      ['invalid-request', 'no refused'],
    ] as const)
      for (const about of ['tools', 'images', 'json', 'schema', 'effort', 'budget', 'ceiling'] as const) {
        const probeTurn = { turn: turnOf([failedBy(kind)]), keepAlives: 0, cut: false };
        const [first] = readStep(about, [probeTurn], PLAIN, createSchemaCheck());
        assert.equal(`${first?.verdict} ${first?.seen.kind}`, expected, `${about}: ${kind}`);
      }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ContextChoice } from '../../../../src/panel/context.ts';
import { createMentionResults } from '../../../../src/webview/composer/mentionResults.ts';

const choice = (label: string, isProblem = false): ContextChoice => ({
  ...{ label, description: '', icon: 'file', reference: undefined },
  ...(isProblem && { action: 'edit-settings' as const }),
});
const A = choice('a');
const B = choice('b');
const PROBLEM = choice('Open Settings', true);

describe('The results for a mention', () => {
  it('are looked for until those for the last letters arrive', () => {
    const results = createMentionResults();
    const first = results.ask();
    const second = results.ask();
    assert.equal(results.found(first, [A]), false);
    assert.deepEqual(results.shown(), { choices: [], active: -1, looking: true });
    assert.equal(results.found(second, [B]), true);
    assert.deepEqual(results.shown(), { choices: [B], active: 0, looking: false });
  });

  it('are gone through with the arrow keys, from the end to the beginning', () => {
    const results = createMentionResults();
    results.found(results.ask(), [A, B]);
    assert.deepEqual([results.move(1), results.move(1), results.move(-1)], [1, 0, 1]);
    results.stay();
    assert.equal(results.shown().active, 0);
  });

  it('keep the active one within what is found later', () => {
    const results = createMentionResults();
    results.found(results.ask(), [A, B]);
    results.move(1);
    results.found(results.ask(), [A]);
    assert.equal(results.shown().active, 0);
  });

  it('have what is wrong with a setting active only after an arrow key', () => {
    const results = createMentionResults();
    results.found(results.ask(), [PROBLEM]);
    assert.equal(results.shown().active, -1);
    assert.equal(results.move(1), 0);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  closeOutline,
  EMPTY_OUTLINE,
  foldOutline,
  stepsOf,
} from '../../../src/conversation/reasoning/outline.ts';
import { createReasoningSteps, type StepText } from '../../../src/panel/reasoningSteps.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

/** The text of each step, of reasoning that arrives in these pieces. */
function stepsIn(...pieces: readonly string[]): readonly string[] {
  const steps = createReasoningSteps();
  const all: readonly StepText[] = [...pieces.flatMap((piece) => steps.append(piece)), ...steps.finish()];
  const texts: string[] = [];
  for (const { step, text } of all) texts[step] = (texts[step] ?? '') + text;
  return texts;
}

describe('The steps of reasoning on the page', () => {
  const text =
    '\n## Plan\n\nI read it.\n\n- a\n- b\n\nThen I **write**.\n```\nx\n\ny\n```\n\n1. one\n\n**Next**\n\nDone';

  it('are those of the Reasoning view', () => {
    assert.deepEqual(stepsIn(text), [
      '\n## Plan\n\nI read it.\n\n- a\n- b\n\n',
      'Then I **write**.\n```\nx\n\ny\n```\n\n',
      '1. one\n\n',
      '**Next**\n\nDone',
    ]);
    const outline = closeOutline(foldOutline(EMPTY_OUTLINE, text, 0));
    assert.equal(stepsOf(outline).length, 4);
  });

  it('are the same however the text is split, and have all of it', () => {
    const words = fc.constantFrom(
      '\n',
      '\n\n',
      '- ',
      '`',
      '```',
      '~',
      '# ',
      '**',
      'Word',
      '**Bold**',
      ' ',
      '|',
      '1.',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 25 }), fc.array(fc.nat(200)), (parts, cuts) => {
        const whole = parts.join('');
        const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end));
        const split = stepsIn(...pieces);
        assert.deepEqual(split, stepsIn(whole));
        assert.equal(split.join(''), whole);
      }),
      { numRuns: 1000 },
    );
  });

  it('wait only for the start of a line that can still be a list', () => {
    const steps = createReasoningSteps();
    assert.deepEqual(steps.append('One.\n\n'), [
      { step: 0, text: 'One.\n' },
      { step: 0, text: '\n' },
    ]);
    assert.deepEqual(steps.append('-'), []);
    assert.deepEqual(steps.append(' a'), [{ step: 0, text: '- a' }]);
    assert.deepEqual(steps.append('\n\nT'), [
      { step: 0, text: '\n' },
      { step: 0, text: '\n' },
      { step: 1, text: 'T' },
    ]);
    assert.deepEqual([steps.title(0), steps.title(1)], ['One', 'T']);
  });

  it('are found in linear time, also in tens of thousands', () => {
    const growth = growthOf((length) => 'One.\n\n'.repeat(length), stepsIn, 5000);
    assert.ok(growth < LINEAR, String(growth));
  });
});

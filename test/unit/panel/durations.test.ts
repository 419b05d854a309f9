import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { durationText } from '../../../src/panel/durations.ts';
import { fillPlaceholders } from '../../../src/panel/placeholders.ts';
import { withEditorStub } from '../../support/withEditorStub.ts';

const { formatSeconds } = await withEditorStub(() => import('../../../src/editor/base/formats.ts'));

const CASES: Readonly<Record<number, string>> = {
  0: '0 s',
  0.84: '0.8 s',
  9.96: '10 s',
  59.4: '59 s',
  59.5: '1 min 00 s',
  125: '2 min 05 s',
  3599.4: '59 min 59 s',
  3599.6: '1 h 00 min',
  11100: '3 h 05 min',
  86369: '23 h 59 min',
  86370: '1 d 0 h',
  86400: '1 d 0 h',
  129600: '1 d 12 h',
};

describe('A duration', () => {
  it('is in seconds, minutes, hours, or days', () => {
    for (const [seconds, text] of Object.entries(CASES)) {
      const ms = Number(seconds) * 1000;
      assert.equal(formatSeconds(ms), text);
      assert.equal(
        durationText(ms, (word, ...values) => fillPlaceholders(word, 'en', values)),
        text,
      );
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fillPlaceholders } from '../../../../src/panel/placeholders.ts';
import type { MapPart } from '../../../../src/panel/turnMapParts.ts';
import { nameOfParts } from '../../../../src/webview/turnMap/mapNames.ts';
import { turnView } from '../../../support/views.ts';

const word = (text: string, ...values: readonly (string | number)[]) => fillPlaceholders(text, 'en', values);
const stepOf = (title: string): MapPart => ({
  kind: 'step',
  step: 1,
  title,
  value: 200,
  ms: 200,
  tokens: 55,
});
const nameOfSteps = (...titles: readonly string[]) =>
  nameOfParts(titles.map(stepOf), 'times', turnView('complete'), word);

describe('The name of a part of a map', () => {
  it('has the title of its step and its figures', () => {
    assert.equal(nameOfSteps('Read it'), 'Step 2: Read it, 0.2 s, 55 tokens');
  });

  it('keeps a title from right to left apart, so that the figures stay behind it', () => {
    assert.equal(nameOfSteps('צעד שני'), 'Step 2: \u2068צעד שני\u2069, 0.2 s, 55 tokens');
    assert.equal(
      nameOfSteps('صعد', 'Read it'),
      '2 more, from “Step 2: \u2068صعد\u2069” to “Step 2: Read it”, 0.4 s',
    );
  });
});

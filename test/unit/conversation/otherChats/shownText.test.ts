import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { foldShownText, NOTHING_SHOWN } from '../../../../src/conversation/otherChats/shownText.ts';

/** The text that is shown after several updates of a turn: the texts of its rounds, then the answer. */
function shown(...looks: readonly (readonly [...rounds: string[], answer: string])[]): string {
  let shown = NOTHING_SHOWN;
  let text = '';
  for (const look of looks) {
    const now = foldShownText(shown, {
      rounds: look.slice(0, -1).map((answer) => ({ answer })),
      answer: look.at(-1) ?? '',
    });
    text += now.added;
    shown = now.shown;
  }
  return text;
}

const FIRST = 'Let me look at the file first.';
const ANSWER = 'No. Do not delete it: the table is still used by billing.';

describe('The text to append for a turn', () => {
  it('is the answer as it grows', () => {
    assert.equal(shown([''], ['No'], ['No. Do'], ['No. Do'], ['No. Do not.']), 'No. Do not.');
  });

  it('contains the text of a later round after a blank line', () => {
    assert.equal(shown([FIRST], [FIRST, ''], [FIRST, 'No.'], [FIRST, ANSWER]), `${FIRST}\n\n${ANSWER}`);
  });

  it('contains text that arrived between two updates', () => {
    assert.equal(shown(['Let'], [FIRST, 'Then that.', ANSWER]), `${FIRST}\n\nThen that.\n\n${ANSWER}`);
  });

  it('has no blank line for rounds without text', () => {
    assert.equal(shown(['', ''], ['', '', ANSWER]), ANSWER);
  });

  it('is the complete answer if the first text was reasoning', () => {
    assert.equal(shown(['I think of it'], [''], ['No'], ['No.']), 'I think of it\n\nNo.');
    assert.equal(shown(['I think of it'], [ANSWER]), `I think of it\n\n${ANSWER}`);
  });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { WebviewMessage } from '../../../../src/panel/webviewMessages.ts';
import { createRecall, type Recall } from '../../../../src/webview/composer/recall.ts';

let text: string;
let posted: WebviewMessage[];
let said: string[];
let recall: Recall;
const PROMPTS = ['newest', 'two\nlines', 'oldest'];

describe('Earlier messages in the message box', () => {
  beforeEach(() => {
    text = 'half a dr';
    posted = [];
    said = [];
    recall = createRecall({
      post: (message) => posted.push(message),
      text: () => text,
      setText(next) {
        text = next;
      },
      announce: (words) => said.push(words),
    });
  });
  const walk = (...steps: readonly (1 | -1)[]) => {
    const shown = steps.map((step) => {
      recall.step(step);
      return text;
    });
    return shown;
  };
  function begin(): void {
    recall.step(1);
    recall.recalled(PROMPTS);
  }

  it('come one after the other, and at the end the draft comes back', () => {
    begin();
    assert.deepEqual([text, posted], ['newest', [{ type: 'recall' }]]);
    assert.deepEqual(walk(1, 1, 1), ['two\nlines', 'oldest', 'oldest'], 'stays at the oldest');
    assert.equal(recall.kept(), 'half a dr');
    assert.deepEqual(walk(-1, -1, -1), ['two\nlines', 'newest', 'half a dr']);
    assert.equal(recall.kept(), undefined);
    assert.equal(recall.step(-1), false, 'nothing is below the draft');
    assert.deepEqual(said, ['newest', 'two\nlines', 'oldest', 'two\nlines', 'newest', 'half a dr']);
    assert.equal(posted.length, 1);
  });

  it('go as far as was pressed before they arrived, and nowhere when there are none', () => {
    assert.deepEqual(walk(1, 1, 1, -1), Array(4).fill('half a dr'));
    recall.recalled(PROMPTS);
    assert.equal(text, 'two\nlines');
    recall.forget();
    text = 'other';
    recall.step(1);
    recall.recalled([]);
    assert.deepEqual([text, recall.kept()], ['other', undefined], 'there are none');
  });

  it('lose no draft when one of them is changed: it is before them then', () => {
    begin();
    text = 'newest, but shorter';
    assert.equal(recall.kept(), undefined, 'what was changed is the draft now');
    recall.step(1);
    recall.recalled(PROMPTS);
    assert.deepEqual([text, ...walk(1)], ['half a dr', 'newest']);
    assert.deepEqual(walk(-1, -1), ['half a dr', 'newest, but shorter']);
  });

  it('are kept with the draft when they are changed, so that a page that is closed or shows another conversation loses neither', () => {
    const typed = (): unknown => recall.toKeep({ type: 'typed', text });
    assert.deepEqual(typed(), { type: 'typed', text: 'half a dr' });
    begin();
    assert.deepEqual(typed(), { type: 'typed', text: 'half a dr' }, 'it is not changed');
    text = 'newest, but shorter';
    assert.deepEqual(typed(), { type: 'typed', text: 'newest, but shorter\nhalf a dr' });
    assert.deepEqual(recall.toKeep({ type: 'draft', text }), {
      type: 'draft',
      text: 'newest, but shorter\nhalf a dr',
    });
    const send = { type: 'send', text } as const;
    const draft = 'newest, but shorter\nhalf a dr';
    assert.deepEqual(recall.toKeep(send), { ...send, draft, rest: 'half a dr' });
    begin();
    text = 'half a draft';
    assert.deepEqual(typed(), { type: 'typed', text: 'half a draft\nnewest, but shorter\nhalf a dr' });
    text = 'half a dr';
    assert.deepEqual(typed(), { type: 'typed', text: 'newest, but shorter\nhalf a dr' });
    assert.equal(recall.aside(), 'newest, but shorter', 'the other one is in the box');
    recall.forget();
    assert.deepEqual(typed(), { type: 'typed', text: 'half a dr' });
  });

  it('give back all drafts in whose place they were changed when one is sent', () => {
    begin();
    text = 'newest, but shorter';
    begin();
    walk(-1);
    assert.deepEqual([text, recall.aside()], ['newest, but shorter', 'half a dr']);
    recall.forget();
    assert.equal(recall.aside(), undefined);
  });

  it('are not shown in a box that was changed while they were on their way', () => {
    recall.step(1);
    text = 'half a draft';
    recall.recalled(PROMPTS);
    assert.deepEqual([text, recall.kept()], ['half a draft', undefined]);
  });

  it('are not shown in the box of another conversation that is shown when they arrive', () => {
    text = '';
    recall.step(1);
    recall.forget();
    recall.recalled(PROMPTS);
    assert.deepEqual([text, recall.kept(), said], ['', undefined, []]);
  });

  it('are asked for again in another conversation, although the first answer is still on its way', () => {
    text = '';
    recall.step(1);
    recall.forget();
    recall.step(1);
    assert.equal(posted.length, 2);
    recall.recalled(PROMPTS);
    assert.equal(text, 'newest');
    recall.recalled(PROMPTS);
    assert.equal(text, 'newest', 'the answer to the first question came late');
  });

  it('leave out what is in the box already', () => {
    text = 'newest';
    begin();
    assert.equal(text, 'two\nlines');
  });
});

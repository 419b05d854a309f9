import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createStreamingTexts } from '../../../../src/webview/text/streamingTexts.ts';

/** Streaming texts whose elements record what was drawn, with a clock that each drawing advances. */
function textsThatTake(ms: number) {
  let time = 0;
  let made = 0;
  const make = () => {
    const element = { number: ++made, drawn: [] as string[], whole: false };
    let waiting = '';
    return {
      element,
      append(text: string) {
        waiting += text;
      },
      draw() {
        time += ms;
        element.drawn.push(waiting);
        waiting = '';
      },
      finish() {
        element.drawn.push(waiting);
        waiting = '';
        element.whole = true;
      },
    };
  };
  const texts = createStreamingTexts({ make: { answer: make, reasoning: make }, now: () => time });
  return {
    texts,
    pass(by: number) {
      time += by;
    },
  };
}

describe('Streaming texts', () => {
  it('draw only the appended text', () => {
    const { texts } = textsThatTake(0);
    const element = texts.show('answer', 't1', 'Be', false);
    texts.draw();
    assert.equal(texts.append('t1', { reasoning: '', answer: 'ca' }), true);
    assert.equal(texts.append('t1', { reasoning: '', answer: 'use' }), true);
    assert.deepEqual(element.drawn, ['Be']);
    texts.draw();
    assert.deepEqual(element.drawn, ['Be', 'cause']);
    assert.equal(texts.show('answer', 't1', 'Because', false), element);
    assert.equal(texts.waiting(), 'nothing');
  });

  it('report when the page must create an element first', () => {
    const { texts } = textsThatTake(0);
    texts.show('reasoning', 't1', 'Hm', false);
    assert.equal(texts.append('t1', { reasoning: '.', answer: '' }), true);
    assert.equal(texts.append('t1', { reasoning: '', answer: 'Be' }), false);
    const element = texts.show('answer', 't1', 'Be', false);
    texts.draw();
    assert.deepEqual(element.drawn, ['Be']);
  });

  it('add text that arrived while another attempt was shown', () => {
    const { texts } = textsThatTake(0);
    const element = texts.show('answer', 't1', 'Be', false);
    texts.show('answer', 't1', 'Because', false);
    texts.draw();
    assert.deepEqual(element.drawn, ['Because']);
  });

  it('draw all text once at the end', () => {
    const { texts } = textsThatTake(0);
    const element = texts.show('answer', 't1', 'Be', false);
    texts.append('t1', { reasoning: '', answer: 'cause' });
    texts.show('answer', 't1', 'Because.', true);
    assert.deepEqual(element, { number: 1, drawn: ['Because.'], whole: true });
    assert.equal(texts.waiting(), 'nothing');
    texts.show('answer', 't1', 'Because.', true);
    assert.equal(element.drawn.length, 1);
  });

  it('pause four times as long as the last drawing and its layout took', () => {
    const { texts, pass } = textsThatTake(4);
    texts.show('answer', 't1', 'Be', false);
    assert.equal(texts.waiting(), 'due');
    texts.draw();
    pass(6);
    texts.laidOut();
    assert.equal(texts.waiting(), 'nothing');
    texts.append('t1', { reasoning: '', answer: 'cause' });
    assert.equal(texts.waiting(), 'later');
    pass(39);
    assert.equal(texts.waiting(), 'later');
    pass(1);
    assert.equal(texts.waiting(), 'due');
  });

  it('do not pause longer for layouts in which no text was drawn', () => {
    const { texts, pass } = textsThatTake(10);
    texts.show('answer', 't1', 'Be', false);
    texts.draw();
    texts.laidOut();
    texts.append('t1', { reasoning: '', answer: 'cause' });
    pass(40);
    texts.laidOut();
    assert.equal(texts.waiting(), 'due');
  });

  it('do not pause when their element is new', () => {
    const { texts } = textsThatTake(10);
    texts.show('reasoning', 't1', 'Hm.', false);
    texts.draw();
    texts.laidOut();
    texts.show('answer', 't1', 'Be', false);
    assert.equal(texts.waiting(), 'due');
  });

  it('create new elements for turns whose text was replaced, and keep those of others, with their rounds', () => {
    const { texts } = textsThatTake(0);
    const first = texts.show('answer', 't1', 'Line 3', true);
    const round = texts.show('answer', 't2/0', 'Let me see.', true);
    texts.show('reasoning', 't1', 'Hm', false);
    texts.keep(new Set(['t2']));
    assert.equal(texts.waiting(), 'nothing');
    const second = texts.show('answer', 't1', 'Line 5', true);
    assert.notEqual(second, first);
    assert.deepEqual(second.drawn, ['Line 5']);
    assert.equal(texts.show('answer', 't2/0', 'Let me see.', true), round);
    texts.keep(new Set(['t1']));
    assert.equal(texts.show('answer', 't1', 'Line 5', true), second);
    assert.notEqual(texts.show('answer', 't2/0', 'Let me see.', true), round);
  });
});

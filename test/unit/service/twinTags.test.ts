import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createTwinTags } from '../../../src/service/twinTags.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';
import { runsOf } from '../../support/mutations.ts';

/** The answer, if the reasoning came before, and `content` arrives in these pieces. */
function answerOf(reasoning: string, pieces: readonly string[]): string {
  const twin = createTwinTags(reasoning);
  return pieces.map((piece) => twin.take(piece)).join('') + twin.flush();
}

const text = fc
  .array(fc.constantFrom('<think>', '</think>', 'a', 'b', ' ', '\n', '<', '</', 'thi', 'ab'), {
    maxLength: 8,
  })
  .map((pieces) => pieces.join(''));

describe('R4 Reasoning in tags that came in its own field as well', () => {
  it('is left out, and nothing else is, however the content is split', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), fc.array(fc.nat(100)), (reasoning, other, isTwin, cuts) => {
        const content = isTwin ? `<think>${reasoning}</think>${other}` : other;
        const places = [0, ...cuts.map((at) => at % (content.length + 1)).toSorted((a, b) => a - b)];
        const pieces = places.map((from, at) => content.slice(from, places[at + 1]));
        const answer = answerOf(reasoning, [content]);
        assert.equal(answerOf(reasoning, [...content]), answer);
        assert.equal(answerOf(reasoning, pieces), answer);
        const inner = content.trimStart().replace(/^<think>/, '');
        const end = inner.indexOf('</think>');
        if (answer !== content && end !== -1) {
          assert.equal(inner.slice(0, end).trim(), reasoning.trim());
          assert.equal(answer, inner.slice(end + '</think>'.length));
        } else if (answer !== content) assert.equal(answer, '', 'it was cut off');
        else assert.ok(!isTwin || reasoning.trim() === '' || reasoning.includes('</think>'), content);
      }),
      runsOf(2000),
    );
  });

  it('is the only thing left out, also with a finish reason behind each piece', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), fc.array(fc.nat(100)), (reasoning, other, isTwin, cuts) => {
        const content = isTwin ? `<think>${reasoning}</think>${other}` : other;
        const places = [0, ...cuts.map((at) => at % (content.length + 1)).toSorted((a, b) => a - b)];
        const twin = createTwinTags(reasoning);
        const answer =
          places
            .map((from, at) => twin.take(content.slice(from, places[at + 1])) + twin.flush(true))
            .join('') + twin.flush();
        assert.ok(content.endsWith(answer));
        const left = content.slice(0, content.length - answer.length).trimStart();
        const inner = left.replace(/^<think>/, '');
        const isWhole = [inner, inner.replace(/<\/think>$/, '')].some(
          (one) => one.trim() === reasoning.trim(),
        );
        const isCut =
          answer === '' && reasoning.trim().startsWith(inner.replace(/<[/think]*\s*$/, '').trim());
        assert.ok(left === '' || isWhole || isCut, JSON.stringify([reasoning, content, answer]));
      }),
      runsOf(2000),
    );
  });

  it('is compared in linear time, behind the field and beside it', () => {
    for (const isBeside of [false, true]) {
      const work = (length: number) => {
        const twin = createTwinTags(isBeside ? '' : 'word '.repeat(length));
        twin.take('<think>');
        for (let at = 0; at < length; at++) {
          if (isBeside) twin.know('word ');
          twin.take('word ');
        }
        assert.equal(twin.take('</think>.'), '.');
      };
      const growth = growthOf((length) => length, work, 4000);
      assert.ok(growth < LINEAR, `${growth}`);
    }
  });
});

describe('Reasoning that may come in tags as well', () => {
  for (const [title, lead] of [
    ['that do not come', '\n'],
    ['that have begun', '<think>'],
  ] as const)
    it(`takes time in proportion to its length, with tags ${title}`, () => {
      const growth = growthOf(
        (length) => length,
        (length) => {
          const twin = createTwinTags('');
          twin.take(lead);
          for (let count = 0; count < length; count++) twin.know('some words ');
        },
        5000,
      );
      assert.ok(growth < LINEAR, `${growth} times`);
    });
});

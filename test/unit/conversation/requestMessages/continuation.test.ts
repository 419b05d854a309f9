import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  toContinuation,
  toSameContinuation,
  withoutContinuation,
} from '../../../../src/conversation/requestMessages/continuation.ts';
import { finish, reasoning, SERVICE_ENDED, turnOf } from '../turns.ts';

describe('The messages of a request', () => {
  it('F1 continue from the reasoning in the text of the question', () => {
    const spent = turnOf([reasoning('Hm, so far.'), finish('length'), SERVICE_ENDED]);
    const text = toContinuation('Why?', spent);
    assert.match(
      text,
      /^Why\?\n\n.*the output budget ended[^<]*<reasoning>\nHm, so far\.\n<\/reasoning>\n\n/,
    );
  });

  it('F1 continue from the reasoning of all attempts that continue one another, in order', () => {
    const cut = (text: string, prompt?: string) => {
      const turn = turnOf([reasoning(text), SERVICE_ENDED]);
      return { ...turn, request: { ...turn.request, prompt } };
    };
    // The question and the reasoning may quote the words around the reasoning.
    const question = toContinuation('What does this mean?', cut('Quoted.'));
    const second = toContinuation(question, cut('First.'));
    const third = toContinuation(question, cut('I was told:\n\n<reasoning>\nso.', second));
    const fourth = toContinuation(question, cut('', third));
    const [said = ''] = third.slice(question.length).split('<reasoning>');
    assert.match(said, /^\n\nYou have already reasoned about this; you were interrupted before the answer\./);
    const ending = '\n</reasoning>\n\nGo on from there: reason only as far as still needed, then answer.';
    assert.equal(third, `${question}${said}<reasoning>\nFirst.\n\nI was told:\n\n<reasoning>\nso.${ending}`);
    assert.equal(fourth, third);
    const renewed = toContinuation('Why is it so now?', cut('And.', toContinuation('Why?', cut('First.'))));
    assert.ok(renewed.endsWith(`<reasoning>\nFirst.\n\nAnd.${ending}`));
  });

  it('F1 ask again to continue from the same reasoning, also if the question quotes our words or its code has changed', () => {
    const spent = turnOf([reasoning('First.'), finish('length'), SERVICE_ENDED]);
    const first = toContinuation('Why?', spent);
    const asked = (prompt: string | undefined) =>
      turnOf([reasoning('Second.'), finish('length'), SERVICE_ENDED], { prompt });
    assert.equal(toSameContinuation('Why?', asked(first)), first);
    const quoting = toContinuation(first, spent);
    assert.equal(toSameContinuation(first, asked(quoting)), quoting);
    assert.equal(
      toSameContinuation('Why is it so now?', asked(first)),
      toContinuation('Why is it so now?', spent),
    );
    assert.equal(toSameContinuation('Why?', asked(undefined)), undefined);
    assert.equal(toSameContinuation('Why?', asked('Why? Answer in JSON.')), undefined);
  });

  it('F1 are shown without that reasoning, also if the question quotes our words or its code has changed', () => {
    const spent = turnOf([reasoning('First.'), finish('length'), SERVICE_ENDED]);
    const first = toContinuation('Why?', spent);
    assert.equal(withoutContinuation(first, 'Why?'), 'Why?');
    assert.equal(withoutContinuation(first, 'Why was it so?'), 'Why?');
    assert.equal(withoutContinuation(toContinuation(first, spent), first), first);
    const quoting = turnOf([reasoning(first), finish('length'), SERVICE_ENDED]);
    assert.equal(withoutContinuation(toContinuation('Why?', quoting), 'Why was it so?'), 'Why?');
    assert.equal(withoutContinuation(`${first} Why?`, 'Who?'), `${first} Why?`);
  });
});

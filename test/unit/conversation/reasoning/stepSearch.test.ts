import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { stepsOf } from '../../../../src/conversation/reasoning/outline.ts';
import { createStepSearch, type FoundStep } from '../../../../src/conversation/reasoning/stepSearch.ts';
import { allStepTexts, toStepText } from '../../../../src/conversation/reasoning/steps.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';
import { answer, conversationOf, exchangeOf, finish, reasoning, SERVICE_ENDED, turnOf } from '../turns.ts';

const turn = (...texts: readonly string[]) =>
  turnOf([...texts.map((text) => reasoning(text)), answer('Yes.'), finish('stop'), SERVICE_ENDED]);
const searchOf = (...texts: readonly string[]) =>
  createStepSearch(conversationOf(exchangeOf('Does it work?', turn(...texts))));
const indexesOf = (found: readonly FoundStep[]) => found.map(({ index }) => index);
const excerptsOf = (found: readonly FoundStep[]) =>
  found.map(({ excerpt: { before, match, after } }) => `${before}[${match}]${after}`);

const FENCE = `The log says:\n\n\`\`\`\n${'socket closed, next try\n'.repeat(200)}ECONNRESET at last\n\`\`\`\n\n`;
const LIST = `I go through them:\n${'- a file that is fine\n'.repeat(300)}- the file of the routes\n\n`;

describe('The search of the steps', () => {
  it('has the steps of all shown turns, the latest turn first', () => {
    const first = turn('I read it.\n\n', 'It has $(zap) in it.\nAnd   more.');
    const search = createStepSearch(
      conversationOf(
        exchangeOf('Does it work?\nPlease check.', turn('Not shown.'), first),
        exchangeOf('No reasoning', turn()),
        exchangeOf('And now?', turn('Now it does.')),
      ),
    );
    assert.equal(search.count, 3);
    const found = search.find('');
    assert.deepEqual(
      found.map(({ title, question, index, excerpt }) => [title, question, index, excerpt.after]),
      [
        ['Now it does', 'And now?', 0, 'Now it does.'],
        ['I read it', 'Does it work?', 0, 'I read it.'],
        ['It has $(zap) in it', 'Does it work?', 1, 'It has $(zap) in it. And more.'],
      ],
    );
    assert.equal(found[1]?.turnId, first.id);
  });

  it('finds the end of a step with a long fence or list, and shows the words around the match', () => {
    const search = searchOf(FENCE, LIST, 'That is all.');
    assert.deepEqual(indexesOf(search.find('econnreset')), [0]);
    assert.deepEqual(excerptsOf(search.find('econnreset')), [
      '…next try socket closed, next try [ECONNRESET] at last',
    ]);
    assert.deepEqual(excerptsOf(search.find('the  routes')), [
      '…- a file that is fine - the file of [the routes]',
    ]);
  });

  it('wants all words, in any case and order, and lists first what has them beside each other', () => {
    const search = searchOf(
      'The loop has a limit of retries.\n\n',
      'Nothing.\n\n',
      'So the limit is three retries, and the LIMIT OF\nRETRIES is too low.',
    );
    assert.deepEqual(indexesOf(search.find('limit retries')), [0, 2]);
    assert.deepEqual(indexesOf(search.find('retries three')), [2]);
    assert.deepEqual(indexesOf(search.find('three retries limit')), [2]);
    assert.deepEqual(indexesOf(search.find('limit is')), [2]);
    assert.deepEqual(excerptsOf(search.find('is limit')).slice(0, 1), [
      'So the [limit] is three retries, and the LIMIT OF RETRIES is too low.',
    ]);
    assert.deepEqual(search.find('limit of nothing'), []);
  });

  it('finds steps by their title and question, and shows how they begin', () => {
    const search = searchOf('**Checking** the plan: it is short.');
    assert.deepEqual(excerptsOf(search.find('does it work')), ['[]Checking the plan: it is short.']);
    assert.equal(search.find('checking the plan').length, 1);
    assert.deepEqual(searchOf().find(''), []);
  });

  it('shows the words of Markdown without its marks, and finds words beside each other across them', () => {
    const search = searchOf('## A **plan**\n- Read `fares.js`, with __init__ and **/*.ts, 2 ** 3.');
    assert.deepEqual(excerptsOf(search.find('read fares.js')), [
      'A plan - [Read fares.js], with __init__ and **/*.ts, 2 ** 3.',
    ]);
    for (const written of ['**plan**', '## a plan', '`fares.js`', '**/*.ts'])
      assert.equal(search.find(written).length, 1, written);
  });

  it('finds words of the question with marks that are none of Markdown', () => {
    const search = createStepSearch(
      conversationOf(exchangeOf('Why does List`1 fail in foo(**opts)?', turn('I read it.'))),
    );
    for (const words of ['List`1', 'foo(**opts)', 'list`1 fail'])
      assert.deepEqual(indexesOf(search.find(words)), [0], words);
    assert.deepEqual(search.find('`'), []);
  });

  it('finds text of scripts without spaces, and characters that change their length in lowercase', () => {
    const japanese = '接続が切れたので、もう一度試します。'.repeat(20);
    assert.match(
      excerptsOf(searchOf(`${japanese}再試行の上限`).find('再試行の上限')).join(''),
      /^….{30,45}\[再試行の上限\]$/,
    );
    assert.deepEqual(excerptsOf(searchOf('İstanbul is a city').find('CITY')), ['i̇stanbul is a [city]']);
    const emoji = '😀'.repeat(300);
    for (const shift of ['', 'a'])
      for (const text of excerptsOf(searchOf(`${shift}${emoji}x${emoji}`).find('x')))
        assert.ok(text.isWellFormed(), text);
  });

  it('finds letters with marks in both of their forms, and shows the match', () => {
    for (const [text, words] of [
      ['The menu of the Café is old.'.normalize('NFD'), 'café'],
      ['The menu of the Café is old.', 'café'.normalize('NFD')],
    ] as const)
      assert.deepEqual(excerptsOf(searchOf(text).find(words)), ['The menu of the [Café] is old.']);
  });

  it('shows the match, and nothing that is not in the text', () => {
    const words = fc.array(fc.constantFrom('one', 'two', 'ab', '😀', '\n', '文字', 'a'.repeat(150)), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(words, fc.constantFrom('one', 'two one', 'ab', '字', 'aaa', '😀'), (texts, wanted) => {
        const [found] = searchOf(`It begins. ${texts.join(' ')}`).find(wanted);
        if (found === undefined) return;
        const { before, match, after } = found.excerpt;
        const shown = before.replace(/^…/, '') + match + after.replace(/…$/, '');
        assert.ok(found.text.includes(shown));
        assert.ok(match !== '' && wanted.includes(match));
        assert.ok(shown.length <= 260 && shown.isWellFormed());
      }),
      { numRuns: 300 },
    );
  });

  it('has the texts of the steps as they are, and takes time in proportion to their length', () => {
    const of = turn(FENCE, LIST, '\n\n# Title\n\nText', '\n\nEnd');
    assert.deepEqual(
      allStepTexts(of),
      stepsOf(of.outline).map((_, index) => toStepText(of, index, Number.POSITIVE_INFINITY)),
    );
    const made = (n: number) => turn('A step of the reasoning, which has some words.\n\n'.repeat(n));
    assert.ok(growthOf(made, allStepTexts, 2000) < LINEAR);
  });
});

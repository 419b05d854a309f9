import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import { type Exchange, withExchange } from '../../../src/conversation/conversation.ts';
import { forkOf } from '../../../src/conversation/fork.ts';
import type { Question } from '../../../src/conversation/question.ts';
import { toMessages } from '../../../src/conversation/requestMessages/transcript.ts';
import type { Outcome, Turn } from '../../../src/conversation/turn.ts';
import { parseExport, toExport } from '../../../src/history/exportedJson.ts';
import {
  goesOn,
  isContinued,
  isRestAlone,
  toWholeAnswer,
  type WholeAnswer,
} from '../../../src/requests/wholeAnswer.ts';
import { decodeProposal } from '../../../src/review/edits/proposalAnswer.ts';
import { readProposal } from '../../../src/review/edits/readProposal.ts';
import { completeTurn, conversationOf } from '../conversation/turns.ts';

const FORMAT = { kind: 'json' } as const;
const FENCED = 'Look:\n\n```ts\nconst total = sum(list);\n```\n\nThat is all.\n';

let count = 0;
const turnOf = (answer: string, outcome: Outcome | undefined = 'truncated'): Turn => ({
  ...completeTurn(answer),
  id: `turn-${++count}`,
  outcome,
});

function exchangeOf(question: Partial<Question>, ...attempts: readonly Turn[]): Exchange {
  const asked = { text: `Question ${++count}`, images: [], origin: undefined, ...question };
  return { id: `exchange-${count}`, question: asked, attempts, shown: attempts.length - 1 };
}

/** The exchanges of an answer in parts, of which all but the last were cut off. */
function partsOf(
  beside: Partial<Question>,
  texts: readonly string[],
  outcome: Outcome | undefined = 'complete',
): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  for (const [index, text] of texts.entries()) {
    const before = exchanges.at(-1)?.attempts[0]?.id;
    const turn = turnOf(text, index === texts.length - 1 ? outcome : 'truncated');
    exchanges.push(exchangeOf({ ...beside, ...(before && { continues: before }) }, turn));
  }
  return exchanges;
}

function wholeOf(exchanges: readonly Exchange[], at = exchanges.length - 1) {
  const { question, attempts, shown } = exchanges[at] ?? assert.fail();
  return toWholeAnswer(exchanges, question, attempts[shown] ?? assert.fail());
}

describe('A whole answer', () => {
  it('is the text of the turn if it continues nothing', () => {
    const exchanges = [exchangeOf({}, turnOf('One.')), exchangeOf({}, turnOf('Two.'))];
    const { text, parts, fits } = wholeOf(exchanges);
    assert.deepEqual({ text, parts, fits }, { text: 'Two.', parts: 1, fits: true });
  });

  it('is joined from all parts, with the question of the first one', () => {
    const exchanges = partsOf({}, [FENCED.slice(0, 20), FENCED.slice(20, 40), FENCED.slice(40)]);
    assert.deepEqual(wholeOf(exchanges), {
      question: exchanges[0]?.question,
      text: FENCED,
      parts: 3,
      earlier: exchanges.slice(0, 2).flatMap(({ attempts }) => attempts),
      fits: true,
    });
    assert.equal(wholeOf(exchanges, 1).text, FENCED.slice(0, 40));
  });

  it('is JSON if that was asked for, whatever the second part repeats', () => {
    const json = JSON.stringify({ list: ['a first item', 'a second item'], more: {} });
    const again = `\`\`\`json\n${json.slice(20)}\n\`\`\``;
    for (const second of [json.slice(30), json.slice(20), again, json])
      assert.equal(wholeOf(partsOf({ format: FORMAT }, [json.slice(0, 30), second])).text, json, second);
  });

  it('is a proposal, in JSON or in a code block with JSON in it', () => {
    const json = JSON.stringify({ explanation: 'So.', files: [] });
    for (const purpose of ['proposal', 'tests'] as const) {
      const { text } = wholeOf(partsOf({ purpose }, [json.slice(0, 9), json.slice(9)]));
      assert.ok(decodeProposal(JSON.parse(text)).ok);
      const block = '```json\n{\n  "a": 1\n}\n```\n\nIt is new.\n';
      assert.equal(wholeOf(partsOf({ purpose }, [block.slice(0, 15), block.slice(15)])).text, block);
      assert.equal(
        wholeOf(partsOf({ purpose }, [FENCED.slice(0, 20), `\`\`\`ts\n${FENCED.slice(20)}`])).text,
        FENCED,
      );
    }
  });

  it('is JSON also as a list, or below text with braces, when the second part starts again', () => {
    const list = JSON.stringify([{ a: 'a first item' }, { a: 'a second item' }]);
    for (const second of [list.slice(30), list, list.replaceAll(':', ': ')])
      assert.deepEqual(
        JSON.parse(wholeOf(partsOf({ format: FORMAT }, [list.slice(0, 30), second])).text),
        JSON.parse(list),
        second,
      );
    const json = JSON.stringify({ explanation: 'So.', files: [] });
    const again = JSON.stringify({ explanation: 'So.', files: [] }, null, 1);
    for (const lead of ['Use {} and {name}.\n\n```json\n', 'Use {}:\n']) {
      const { text } = wholeOf(partsOf({ purpose: 'proposal' }, [lead + json.slice(0, 25), again]));
      assert.equal(text, again);
    }
  });

  it('is the last part alone if the rest of a list or of JSON below text with braces does not fit', () => {
    for (const first of ['[1, ', 'As {}:\n\n{"a": 1, '])
      assert.equal(wholeOf(partsOf({ format: FORMAT }, [first, 'I am sorry.'])).fits, false, first);
  });

  it('is a proposal in JSON, also with words before it', () => {
    const json = JSON.stringify({ explanation: 'So.', files: [{ path: 'a.ts', edits: [] }] }, undefined, 2);
    const cut = json.indexOf('ath"');
    // The second part repeats less than is known to be a repetition in other texts.
    for (const lead of ['', 'This is the change:\n\n']) {
      const parts = [`${lead}\`\`\`json\n${json.slice(0, cut)}`, `${json.slice(cut - 7)}\n\`\`\`\n`];
      const { text } = wholeOf(partsOf({ purpose: 'proposal' }, parts));
      assert.equal(text, `${lead}\`\`\`json\n${json}\n\`\`\`\n`);
    }
  });

  describe('of a proposal in JSON below other text', () => {
    const proposal = {
      explanation: 'So {it} is.',
      files: [{ path: 'a.ts', edits: [{ find: 'let a = { b: 1 };', replace: 'let a = {};\n```\nx' }] }],
    };
    const json = JSON.stringify(proposal);
    const LEADS: Readonly<Record<string, string>> = {
      sentence: 'This is the change:\n\n',
      braces: 'Use {} and {name}, see [1]:\n',
      code: 'As here:\n\n```ts\nconst a = {};\n```\n\n',
      fence: 'So:\n\n```json\n',
      'other JSON': 'Before:\n\n```json\n{"a": 1}\n```\n\nAfter:\n\n',
    };

    /** For each place where the text can be cut, how the rest given for it is joined, if that isn't as wanted. */
    function wrongCuts(
      toSecond: (at: number, lead: string) => string,
      isRight: (found: WholeAnswer) => boolean,
    ) {
      return Object.entries(LEADS).flatMap(([name, lead]) =>
        Array.from(json.slice(1), (_, before) => before + 1).flatMap((at) => {
          const found = wholeOf(
            partsOf({ purpose: 'proposal' }, [lead + json.slice(0, at), toSecond(at, lead)]),
          );
          return isRight(found) ? [] : [`${name} at ${at}: ${found.fits ? found.text : 'not joined'}`];
        }),
      );
    }
    const isWhole = ({ text }: WholeAnswer) => {
      const read = readProposal(text);
      return read.kind === 'edits' && isDeepStrictEqual(read.answer, proposal);
    };

    for (const [how, toSecond] of Object.entries({
      'goes on': (at: number) => json.slice(at),
      'goes on below a line break': (at: number) => `\n${json.slice(at)}`,
      'goes on below a sentence': (at: number) => `Here is the rest:\n\n${json.slice(at)}`,
      'opens a code block': (at: number) => `\`\`\`json\n${json.slice(at)}\n\`\`\`\n`,
      'starts again': () => json,
      'repeats everything': (_: number, lead: string) => lead + json,
    }))
      it(`is that proposal if the second part ${how}`, () => {
        assert.deepEqual(wrongCuts(toSecond, isWhole), []);
      });

    it('can’t be joined to anything else, as soon as it is known to be one', () => {
      const key = '{"explanation":'.length;
      const wrong = wrongCuts(
        () => 'I am sorry, I cannot do that.',
        ({ fits }) => !fits,
      );
      assert.deepEqual(
        wrong.filter((one) => Number(/ at (\d+)/.exec(one)?.[1]) >= key),
        [],
      );
    });
  });

  it('is the last part alone if the parts of JSON do not fit, also if only its end is missing', () => {
    for (const second of ['I am sorry.', '"b": 2']) {
      const exchanges = partsOf({ format: FORMAT }, ['{"a": 1, ', second]);
      const { text, fits } = wholeOf(exchanges);
      assert.deepEqual({ text, fits }, { text: second, fits: false });
      const [first] = exchanges;
      assert.equal(isContinued(exchanges, first?.attempts[0] ?? assert.fail()), false);
    }
    // It was cut off again, so its end can still come.
    assert.equal(wholeOf(partsOf({ format: FORMAT }, ['{"a": 1, ', '"b": 2'], 'truncated')).fits, true);
  });

  it('leaves out parts without text, such as a request that failed', () => {
    const [first, second] = partsOf({ format: FORMAT }, ['{"a": ', '  '], 'stopped');
    assert.ok(first && second);
    assert.equal(wholeOf([first, second]).parts, 1);
    assert.equal(isContinued([first, second], first.attempts[0] ?? assert.fail()), false);
    const third = exchangeOf(
      { format: FORMAT, continues: second.attempts[0]?.id ?? '' },
      turnOf('1}', 'complete'),
    );
    assert.equal(wholeOf([first, second, third]).text, '{"a": 1}');
    // The third one shows the first one’s text.
    assert.equal(isContinued([first, second, third], first.attempts[0] ?? assert.fail()), true);
  });

  it('names the turns that it is the rest of, also those that have only reasoning', () => {
    const earlierOf = (exchanges: readonly Exchange[]) =>
      wholeOf(exchanges).earlier.map(({ id }) =>
        exchanges.findIndex(({ attempts }) => attempts[0]?.id === id),
      );
    assert.deepEqual(earlierOf(partsOf({}, ['One and two.'])), []);
    assert.deepEqual(earlierOf(partsOf({}, ['One', ' and', ' two.'])), [0, 1]);
    assert.deepEqual(earlierOf(partsOf({}, ['One', '', ' and two.'])), [0, 1]);
    assert.deepEqual(earlierOf(partsOf({}, ['', 'One and two.'])), [0]);
    // Of the last one there is only reasoning, or nothing: the answer is shown before it.
    assert.deepEqual(earlierOf(partsOf({}, ['One and', ' '], 'stopped')), []);
    assert.deepEqual(earlierOf(partsOf({ format: FORMAT }, ['{"a": 1, ', 'I am sorry.'])), []);
    const [first, second] = partsOf({}, ['One and', ' two.']);
    assert.ok(first && second);
    assert.deepEqual(earlierOf([exchangeOf({}, turnOf('Between.')), second]), []);
    const running = { ...(second.attempts[0] ?? assert.fail()), answer: '', outcome: undefined };
    assert.deepEqual(earlierOf([first, { ...second, attempts: [running] }]), [0]);
  });

  it('is that of the attempt that is shown, of the first part as of the last one', () => {
    const [first, second] = partsOf({}, ['One and', ' two.']);
    assert.ok(first && second);
    const other = { ...second, attempts: [...second.attempts, turnOf(' three.', 'complete')], shown: 1 };
    assert.equal(wholeOf([first, other]).text, 'One and three.');
    // The question was asked again: the second part continues an attempt that is not shown.
    const again = { ...first, attempts: [...first.attempts, turnOf('Everything.', 'complete')], shown: 1 };
    assert.equal(wholeOf([again, second]).text, ' two.');
    assert.equal(wholeOf([first, second]).text, 'One and two.');
  });

  it('has the text of an earlier part that its window went on with after it was taken for interrupted', () => {
    const [first, second, third] = partsOf({}, ['One', ' and two', ' and three.']);
    assert.ok(first && second && third);
    assert.equal(wholeOf([first, second, third]).text, 'One and two and three.');
    const [turn] = first.attempts;
    const longer = { ...first, attempts: [{ ...(turn ?? assert.fail()), answer: 'One, really' }] };
    assert.equal(wholeOf([longer, second, third]).text, 'One, really and two and three.');
  });

  it('is not joined across another question', () => {
    const [first, second] = partsOf({}, ['One and', ' two.']);
    assert.ok(first && second);
    assert.equal(wholeOf([first, exchangeOf({}, turnOf('Between.')), second]).text, ' two.');
  });

  it('is joined in a fork, and after an export and import', () => {
    let n = 0;
    const conversation = conversationOf(...partsOf({ format: FORMAT }, ['{"a": ', '1}']));
    const fork = forkOf(conversation, undefined, { createdAt: 0, newId: () => `new-${++n}` });
    assert.equal(wholeOf(fork.exchanges).text, '{"a": 1}');
    const imported = parseExport(toExport(conversation, 2));
    assert.ok(imported.ok);
    assert.equal(wholeOf(imported.conversations[0]?.exchanges ?? []).text, '{"a": 1}');
    // A fork up to the first part has only that.
    const [first] = conversation.exchanges;
    const part = forkOf(conversation, first?.id, { createdAt: 0, newId: () => `new-${++n}` });
    assert.equal(wholeOf(part.exchanges).text, '{"a": ');
  });

  it('is only shown: later requests have the parts as they came', () => {
    const exchanges = partsOf({ format: FORMAT }, ['{"a": "one two', 'one two three"}']);
    const sent = toMessages('', exchanges, { text: 'Next.', images: [] });
    assert.deepEqual(
      sent.filter(({ role }) => role === 'assistant').map(({ content }) => content),
      ['{"a": "one two', 'one two three"}'],
    );
  });

  it('only grows while its last part streams, and begins with the earlier parts', () => {
    const start = '```ts\nconst total = 1;\n';
    const end = '```\n\nThen:\n\n```\nnpm test\n```\n';
    for (const [before, rest, whole] of [
      [FENCED.slice(0, 24), `\`\`\`ts\n${FENCED.slice(24)}`, FENCED],
      // The first line ends the code block, also while a later one is open.
      [start, end, start + end],
    ] as const) {
      const [first, second] = partsOf({}, [before, '']);
      assert.ok(first && second);
      let shown = '';
      for (let length = 0; length <= rest.length; length++) {
        const running = {
          ...(second.attempts[0] ?? assert.fail()),
          answer: rest.slice(0, length),
          outcome: undefined,
        };
        const { text, parts } = wholeOf([first, { ...second, attempts: [running] }]);
        assert.equal(parts, 2);
        assert.ok(text.startsWith(shown) && text.startsWith(before), text);
        shown = text;
      }
      assert.equal(shown, whole);
    }
  });

  it('makes the earlier part a continued one, in the place where both are shown', () => {
    const exchanges = partsOf({}, ['One and', ' two.']);
    const turns = exchanges.map(({ attempts }) => attempts[0] ?? assert.fail());
    assert.deepEqual(
      turns.map((turn) => isContinued(exchanges, turn)),
      [true, false],
    );
    const [first, second] = exchanges;
    assert.ok(first && second);
    assert.equal(isContinued([first], turns[0] ?? assert.fail()), false);
    const conversation = withExchange(conversationOf(first, second), {
      ...first,
      attempts: [...first.attempts, turnOf('Everything.', 'complete')],
      shown: 1,
    });
    assert.equal(
      isContinued(conversation.exchanges, conversation.exchanges[0]?.attempts[1] ?? assert.fail()),
      false,
    );
  });
});

describe('A turn that ended early', () => {
  const goes = (exchanges: readonly Exchange[], at = 0) => {
    const exchange = exchanges[at] ?? assert.fail();
    return goesOn(exchanges, exchange.attempts[exchange.shown] ?? assert.fail());
  };

  it('goes on where its rest is, also while that has no text yet', () => {
    assert.equal(goes(partsOf({}, ['One and', ' two.'])), true);
    assert.equal(goes(partsOf({}, ['One and', ' two.']), 1), false);
    const [first, second] = partsOf({}, ['One and', ' two.']);
    assert.ok(first && second);
    const running = { ...(second.attempts[0] ?? assert.fail()), answer: '', outcome: undefined };
    assert.equal(goes([first, { ...second, attempts: [running] }]), true);
  });

  it('does not go on in a rest that failed, doesn’t fit, is gone, or continues another attempt', () => {
    assert.equal(goes(partsOf({}, ['One and', ' '], 'stopped')), false);
    assert.equal(goes(partsOf({ format: FORMAT }, ['{"a": 1, ', 'I am sorry.'])), false);
    for (const text of ['One and', '']) {
      const [first, second] = partsOf({}, [text, ' two.']);
      assert.ok(first && second);
      assert.equal(goes([first]), false);
      const again = { ...first, attempts: [...first.attempts, turnOf('Cut', 'truncated')], shown: 1 };
      assert.equal(goes([again, second]), false);
      assert.equal(goesOn([again, second], first.attempts[0] ?? assert.fail()), false, 'it is not shown');
    }
  });

  it('goes on without text of its own in an answer after it, unless that has none either', () => {
    assert.equal(goes(partsOf({}, ['', 'One and two.'])), true);
    assert.equal(goes(partsOf({}, ['', ''], 'stopped')), false);
    assert.equal(goes(partsOf({}, ['', '', 'One and two.'])), true);
    assert.equal(goes(partsOf({}, ['', '', ''], 'stopped')), false);
  });
});

describe('The rest of an answer', () => {
  it('stands alone when the answer that it continues was regenerated', () => {
    const [first, second] = partsOf({ purpose: 'proposal' }, ['```ts\nconst a', ' = 1;\n```\n']);
    const turn = second?.attempts[0];
    assert.ok(first && second && turn);
    assert.equal(isRestAlone([first, second], second.question, turn), false);
    const again = { ...first, attempts: [...first.attempts, turnOf('Other.', 'complete')], shown: 1 };
    assert.equal(isRestAlone([again, second], second.question, turn), true);
    assert.equal(isRestAlone([again], again.question, again.attempts[1] ?? turn), false);
  });
});

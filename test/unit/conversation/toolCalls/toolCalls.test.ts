import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  type CallDraft,
  foldToolCall,
  foldToolCalls,
} from '../../../../src/conversation/toolCalls/toolCalls.ts';
import type { ToolCallDelta } from '../../../../src/service/types.ts';
import { startCpu } from '../../../support/growth.ts';
import { runsOf } from '../../../support/mutations.ts';

const delta = (more: Partial<ToolCallDelta>): ToolCallDelta => ({
  index: undefined,
  id: undefined,
  name: undefined,
  arguments: '',
  ...more,
});
const fold = (deltas: readonly ToolCallDelta[]) => deltas.reduce(foldToolCall, [] as readonly CallDraft[]);
const short = (calls: readonly CallDraft[]) => calls.map((call) => [call.id, call.name, call.arguments]);

describe('Assembling tool calls', () => {
  it('joins the pieces of one call', () => {
    const deltas = [
      delta({ index: 0, id: 'ping_0', name: 'ping' }),
      delta({ index: 0, arguments: '{"a"' }),
      delta({ index: 0, arguments: ':1}' }),
    ];
    assert.deepEqual(short(fold(deltas)), [['ping_0', 'ping', '{"a":1}']]);
  });

  it('keeps interleaved calls separate, by index or by id', () => {
    const byIndex = [
      delta({ index: 0, id: 'a', name: 'f' }),
      delta({ index: 1, id: 'b', name: 'g' }),
      delta({ index: 0, arguments: '1' }),
      delta({ index: 1, arguments: '2' }),
      delta({ index: 0, arguments: '3' }),
    ];
    assert.deepEqual(short(fold(byIndex)), [
      ['a', 'f', '13'],
      ['b', 'g', '2'],
    ]);
    const byId = [
      delta({ id: 'a', name: 'f' }),
      delta({ id: 'b', name: 'g' }),
      delta({ id: 'a', arguments: '1' }),
      delta({ id: 'b', arguments: '2' }),
    ];
    assert.deepEqual(short(fold(byId)), [
      ['a', 'f', '1'],
      ['b', 'g', '2'],
    ]);
  });

  it('adds a delta without index and id to the previous call', () => {
    assert.deepEqual(
      short(fold([delta({ id: 'a', name: 'f' }), delta({ arguments: '1' }), delta({ arguments: '2' })])),
      [['a', 'f', '12']],
    );
  });

  it('starts another call if an old index has a new id', () => {
    const deltas = [
      delta({ index: 0, id: 'a', name: 'f', arguments: '1' }),
      delta({ index: 0, id: 'b', name: 'g', arguments: '2' }),
      delta({ index: 0, arguments: '3' }),
    ];
    assert.deepEqual(short(fold(deltas)), [
      ['a', 'f', '1'],
      ['b', 'g', '23'],
    ]);
  });

  it('joins the pieces of a call whose id is another one in each, as the index and the missing name show', () => {
    const pieces = (index: number, id: string, name: string, args: readonly string[]) => [
      delta({ index, id: `${id}0`, name }),
      ...args.map((one, at) => delta({ index, id: `${id}${at + 1}`, arguments: one })),
    ];
    for (const second of [0, 1])
      assert.deepEqual(
        short(fold([...pieces(0, 'a', 'f', ['{"x"', ':1', '}']), ...pieces(second, 'b', 'g', ['{', '}'])])),
        [
          ['a0', 'f', '{"x":1}'],
          ['b0', 'g', '{}'],
        ],
        `${second}`,
      );
    const withoutArguments = [
      delta({ index: 0, id: 'a', name: 'f' }),
      delta({ index: 0, id: 'b' }),
      delta({ index: 0, id: 'b', name: 'g', arguments: '{}' }),
    ];
    assert.deepEqual(short(fold(withoutArguments)), [
      ['a', 'f', ''],
      ['b', 'g', '{}'],
    ]);
  });

  it('never overwrites an id or a name with an empty one', () => {
    const deltas = [
      delta({ index: 0, id: 'a', name: 'f' }),
      delta({ index: 0, id: '', name: '' }),
      delta({ index: 0, id: 'a', name: 'f' }),
    ];
    assert.deepEqual(short(fold(deltas)), [['a', 'f', '']]);
  });

  for (const [what, same] of [
    ['without index and id', {}],
    ['with the same index and no id', { index: 0 }],
    ['with the same id', { id: 'a' }],
    ['with the same index and the same id', { index: 0, id: 'a' }],
  ] as const) {
    it(`starts another call if the name differs, ${what}`, () => {
      const deltas = [
        delta({ ...same, name: 'delete_path' }),
        delta({ ...same, name: 'list_dirs', arguments: '{"path"' }),
        delta({ ...same, arguments: ':"src"}' }),
      ];
      const id = 'id' in same ? same.id : '';
      assert.deepEqual(short(fold(deltas)), [
        [id, 'delete_path', ''],
        [id, 'list_dirs', '{"path":"src"}'],
      ]);
    });
  }

  for (const [what, same] of [
    ['without index and id', {}],
    ['with the same index and no id', { index: 0 }],
  ] as const) {
    it(`starts another call if a tool is named again after complete arguments, ${what}`, () => {
      const deltas = [
        delta({ ...same, name: 'read', arguments: '{"path":"a"}' }),
        delta({ ...same, name: 'read', arguments: '{"path":"b"}' }),
      ];
      assert.deepEqual(short(fold(deltas)), [
        ['', 'read', '{"path":"a"}'],
        ['', 'read', '{"path":"b"}'],
      ]);
    });
  }

  it('joins the pieces of a call that names its tool in every piece', () => {
    const deltas = ['{"path"', ':"a"', '}', ''].map((piece) => delta({ name: 'read', arguments: piece }));
    assert.deepEqual(short(fold(deltas)), [['', 'read', '{"path":"a"}']]);
  });

  it('starts another call if complete arguments are followed by others at another index, with the same id', () => {
    const call = { id: 'call_0', name: 'read' };
    const deltas = [
      delta({ ...call, index: 0, arguments: '{"path":"a"}' }),
      delta({ ...call, index: 1, arguments: '{"path":"b"}' }),
    ];
    assert.deepEqual(short(fold(deltas)), [
      ['call_0', 'read', '{"path":"a"}'],
      ['call_0', 'read', '{"path":"b"}'],
    ]);
  });

  for (const [what, id] of [
    ['only in the first delta', undefined],
    ['in every delta', 'call_0'],
  ] as const)
    it(`keeps calls of one tool with the same id separate by their index, with the id ${what}`, () => {
      const begin = (index: number) => delta({ id: 'call_0', name: 'read', index });
      const more = (index: number, piece: string) => delta({ index, arguments: piece, ...(id && { id }) });
      const expected = [
        ['call_0', 'read', '{"path":"a"}'],
        ['call_0', 'read', '{"path":"b"}'],
      ];
      const inTurn = [begin(0), more(0, '{"path":'), more(0, '"a"}'), begin(1), more(1, '{"path":"b"}')];
      assert.deepEqual(short(fold(inTurn)), expected);
      const interleaved = [
        begin(0),
        begin(1),
        more(0, '{"path":'),
        more(1, '{"path":'),
        more(0, '"a"}'),
        more(1, '"b"}'),
      ];
      assert.deepEqual(short(fold(interleaved)), expected);
    });

  for (const [what, pieces] of [
    ['an empty one at its end', ['', '{"path"', ':"a"}', '']],
    ['an empty one between', ['{"path"', '', ':"a"}']],
  ] as const)
    it(`joins the pieces of a call whose index counts up with each of them, with ${what}`, () => {
      const call = { id: 'call_0', name: 'read' };
      const deltas = pieces.map((piece, index) => delta({ ...call, index, arguments: piece }));
      assert.deepEqual(short(fold(deltas)), [['call_0', 'read', '{"path":"a"}']]);
    });

  it('tells a second call with the same id apart after one whose index counted up', () => {
    const pieces = ['{"path"', ':"a"}', '{"path":"b"}'];
    const deltas = pieces.map((piece, index) => delta({ id: 'x', name: 'read', index, arguments: piece }));
    assert.deepEqual(short(fold(deltas)), [
      ['x', 'read', '{"path":"a"}'],
      ['x', 'read', '{"path":"b"}'],
    ]);
    const again = [
      ...deltas.slice(0, 2),
      delta({ id: 'x', name: 'read', index: 3, arguments: '{"path":"a"}' }),
    ];
    assert.deepEqual(short(fold(again)), [['x', 'read', '{"path":"a"}']]);
  });

  it('drops an empty object before the arguments', () => {
    for (const first of [{ id: 'a', name: 'f' }, { name: 'f' }])
      assert.deepEqual(
        short(
          fold([
            delta({ index: 0, ...first, arguments: '{}' }),
            delta({ index: 0, arguments: '' }),
            delta({ index: 0, arguments: '{"a"' }),
            delta({ index: 0, arguments: ':1}' }),
          ]),
        ).map(([, ...rest]) => rest),
        [['f', '{"a":1}']],
      );
    assert.deepEqual(short(fold([delta({ id: 'a', name: 'f', arguments: '{}' })])), [['a', 'f', '{}']]);
  });

  describe('drops an empty object before arguments of which each piece has the name,', () => {
    const pieces = ['{"path"', ':"src"}'];
    const argumentsOfAll = (first: Partial<ToolCallDelta>, more: Partial<ToolCallDelta>, rest = pieces) =>
      [
        delta({ name: 'list', arguments: '{}', ...first }),
        ...rest.map((piece) => delta({ name: 'list', ...more, arguments: piece })),
      ]
        .reduce((calls, one) => foldToolCalls(calls, { toolCalls: [one] }), fold([]))
        .map((call) => call.arguments);

    for (const [what, first, more] of [
      ['with an id in the first piece', { index: 0, id: 'a' }, { index: 0 }],
      ['with empty ids after the first one', { index: 0, id: 'a' }, { index: 0, id: '' }],
      ['with the same id in each', { index: 0, id: 'a' }, { index: 0, id: 'a' }],
      ['with an id in the first piece, and without indexes', { id: 'a' }, {}],
      ['with indexes alone', { index: 0 }, { index: 0 }],
    ] as const)
      it(what, () => {
        assert.deepEqual(argumentsOfAll(first, more), ['{"path":"src"}']);
        assert.deepEqual(argumentsOfAll({ ...first, arguments: ' {}\n' }, more), ['{"path":"src"}']);
        assert.deepEqual(argumentsOfAll(first, more, ['{}', ...pieces]), ['{"path":"src"}']);
        assert.deepEqual(argumentsOfAll(first, more, ['', ' ', ...pieces]), ['{"path":"src"}']);
      });

    it('also if the arguments come whole, where an id shows that no other call begins', () => {
      for (const more of [{ index: 0 }, { index: 0, id: '' }, { index: 0, id: 'a' }, {}])
        assert.deepEqual(argumentsOfAll({ index: 0, id: 'a' }, more, ['{"path":"src"}']), ['{"path":"src"}']);
    });

    it('and no call without arguments if another call of the tool follows', () => {
      for (const [first, more] of [
        [
          { index: 0, id: 'a' },
          { index: 0, id: 'b' },
        ],
        [{ index: 0, id: 'a' }, { index: 1 }],
        [
          { index: 0, id: 'a' },
          { index: 1, id: 'a' },
        ],
        [{ index: 0 }, { index: 1 }],
        [{ id: 'a' }, { id: 'b' }],
      ] as const)
        for (const rest of [pieces, ['{"path":"src"}']])
          assert.deepEqual(
            argumentsOfAll(first, more, rest.slice(0, 1)),
            ['{}', ...rest.slice(0, 1)],
            JSON.stringify([first, more]),
          );
      // Without ids, two whole calls of a tool come in this form.
      for (const same of [{}, { index: 0 }])
        assert.deepEqual(argumentsOfAll(same, same, ['{"path":"src"}']), ['{}', '{"path":"src"}']);
    });

    it('but not where pieces that begin in another way follow', () => {
      assert.deepEqual(argumentsOfAll({ index: 0, id: 'a' }, { index: 0 }, ['"path"']), ['{}', '"path"']);
    });
  });

  it('drops arguments that come once more as a whole', () => {
    const whole = delta({ index: 0, id: 'a', name: 'f', arguments: '{"a":1}' });
    const pieces = [delta({ ...whole, arguments: '{"a"' }), delta({ index: 0, arguments: ':1}' })];
    assert.deepEqual(short(fold([...pieces, whole])), [['a', 'f', '{"a":1}']]);
    assert.deepEqual(short(fold([...pieces, delta({ ...whole, name: undefined })])), [['a', 'f', '{"a":1}']]);
  });

  it('joins long arguments in linear time, with braces in many of their pieces', () => {
    const worked = startCpu();
    let calls = fold([delta({ index: 0, id: 'a', name: 'write', arguments: '{"text":"' })]);
    for (let at = 0; at < 30_000; at++)
      calls = foldToolCall(calls, delta({ index: 0, arguments: at % 10 === 0 ? '{}' : 'if (a) b();\\n' }));
    assert.ok(worked() < 1500, `${worked()} ms`);
    assert.equal(calls[0]?.arguments.length, 9 + 3000 * 2 + 27_000 * 13);
  });

  describe('that come once more as a whole at the end', () => {
    const read = delta({ index: 0, id: 'a', name: 'read', arguments: '{"path":"x"}' });
    const list = delta({ index: 1, id: 'b', name: 'list' });
    const pieces = [
      [delta({ ...read, arguments: '{"path"' })],
      [delta({ index: 0, arguments: ':"x"}' })],
      [list],
    ];
    const none = { id: undefined, index: undefined };
    const foldChunks = (...chunks: readonly (readonly ToolCallDelta[])[]) =>
      short(
        chunks.reduce<readonly CallDraft[]>((calls, toolCalls) => foldToolCalls(calls, { toolCalls }), []),
      );

    for (const [what, again] of [
      ['with their ids', {}],
      ['without ids', { id: undefined }],
      ['with empty ids', { id: '' }],
      ['without ids and indexes', none],
    ] as const)
      it(`has each of them once, ${what}, also if its JSON is written anew`, () => {
        for (const path of ['{"path":"x"}', '{ "path": "x" }']) {
          const whole = [
            delta({ ...read, ...again, arguments: path }),
            delta({ ...list, ...again, arguments: '{}' }),
          ];
          const calls = foldChunks(...pieces, whole);
          assert.deepEqual(
            calls.map(([id, name, args]) => [id, name, args || '{}']),
            [
              ['a', 'read', '{"path":"x"}'],
              ['b', 'list', '{}'],
            ],
          );
        }
      });

    it('has each of them once in another order, in part, and with their JSON in another order', () => {
      const write = delta({ id: 'c', index: 2, name: 'write', arguments: '{"a":1,"b":[{"c":2,"d":3}]}' });
      const again = [
        delta({ ...write, ...none, arguments: '{"b":[{"d":3,"c":2}],"a":1}' }),
        delta({ ...read, ...none }),
      ];
      for (const part of [again, again.slice(0, 1), again.slice(1)])
        assert.equal(foldChunks([read], [write], part).length, 2);
      const other = delta({ ...write, ...none, arguments: '{"a":1,"b":[{"c":3,"d":2}]}' });
      assert.equal(foldChunks([read], [write], [other]).length, 3);
    });

    it('has each of them once if they have indexes alone, in which they come again, in part or after another order', () => {
      const [one, other] = [
        delta({ ...read, id: undefined }),
        delta({ ...list, id: undefined, arguments: '{}' }),
      ];
      const want = [
        ['', 'list', '{}'],
        ['', 'read', '{"path":"x"}'],
      ];
      for (const again of [[one, other], [one], [other]])
        assert.deepEqual(foldChunks([other], [one], again), want, JSON.stringify(again));
      const different = delta({ ...one, arguments: '{"path":"y"}' });
      assert.equal(foldChunks([other], [one], [different]).length, 3);
    });

    it('takes arguments that are nested too deeply to be compared for others', () => {
      const deep = (inner: string) => `{"a":${'['.repeat(50_000)}${inner}${']'.repeat(50_000)}}`;
      const calls = foldChunks(
        [delta({ ...read, arguments: deep('1') })],
        [delta({ ...read, ...none, arguments: deep('2') })],
      );
      assert.equal(calls.length, 2);
    });

    it('has each of them once if they come one by one, with their indexes', () => {
      const both = [...pieces, [delta({ index: 1, arguments: '{"of":1}' })]];
      const again = [
        [delta({ ...read, id: undefined })],
        [delta({ ...list, id: undefined, arguments: '{"of":1}' })],
      ];
      assert.deepEqual(foldChunks(...both, ...again), [
        ['a', 'read', '{"path":"x"}'],
        ['b', 'list', '{"of":1}'],
      ]);
    });

    it('has another call of the same tool with the same arguments, if its id or index says so, or it is in the same chunk', () => {
      for (const other of [{ id: 'c', index: 0 }, { id: 'c' }, { id: undefined, index: 1 }])
        assert.equal(foldChunks([read], [delta({ ...read, ...other })]).length, 2, JSON.stringify(other));
      assert.equal(foldChunks([delta({ ...read, ...none }), delta({ ...read, ...none })]).length, 2);
    });

    it('has other calls that follow', () => {
      const other = delta({ ...read, ...none, arguments: '{"path":"y"}' });
      assert.equal(foldChunks([read], [other]).length, 2);
      assert.equal(foldChunks([read], [delta({ ...read, ...none }), other]).length, 2);
    });
  });

  it('accepts an id that comes late', () => {
    assert.deepEqual(
      short(
        fold([delta({ index: 0, name: 'f', arguments: '1' }), delta({ index: 0, id: 'a', arguments: '2' })]),
      ),
      [['a', 'f', '12']],
    );
  });

  it('accepts an index that comes late', () => {
    const deltas = [
      delta({ id: 'a', name: 'f' }),
      delta({ index: 0, arguments: '1' }),
      delta({ index: 0, arguments: '2' }),
    ];
    assert.deepEqual(short(fold(deltas)), [['a', 'f', '12']]);
  });

  it('keeps broken arguments unchanged', () => {
    assert.deepEqual(short(fold([delta({ index: 0, id: 'a', arguments: '{"cut' })])), [['a', '', '{"cut']]);
  });

  it('returns the calls that were sent, however they are split and interleaved', () => {
    const calls = fc.uniqueArray(
      fc.record({
        id: fc.stringMatching(/^[a-z.:_0-9]{1,12}$/),
        name: fc.stringMatching(/^[a-z]{1,8}$/),
        // An empty object before more text is not sent by the model.
        pieces: fc
          .array(fc.string(), { maxLength: 5 })
          .filter((all) => !all.some((_, at) => all.slice(0, at).join('') === '{}')),
      }),
      { selector: (call) => call.id, maxLength: 5 },
    );
    const style = fc.constantFrom('index', 'id', 'both', 'bare');
    fc.assert(
      fc.property(calls, style, fc.infiniteStream(fc.nat(1000)), (sent, how, picks) => {
        const queues = sent.map((call, index) => {
          const first = delta({
            index: how === 'id' || how === 'bare' ? undefined : index,
            id: call.id,
            name: call.name,
          });
          const rest = call.pieces.map((piece) =>
            delta({
              index: first.index,
              id: how === 'id' || how === 'both' ? call.id : how === 'index' ? '' : undefined,
              name: how === 'index' ? '' : undefined,
              arguments: piece,
            }),
          );
          return [first, ...rest];
        });
        // A call starts before the next one. Its pieces are interleaved with those of the others, unless
        // nothing identifies it.
        const wire: ToolCallDelta[] = [];
        if (how === 'bare') wire.push(...queues.flat());
        else {
          for (const queue of queues) wire.push(...queue.splice(0, 1));
          for (
            let open = queues.filter((queue) => queue.length > 0);
            open.length > 0;
            open = queues.filter((queue) => queue.length > 0)
          ) {
            const pick = picks.next().value ?? 0;
            wire.push(...(open[pick % open.length]?.splice(0, 1) ?? []));
          }
        }
        // A different implementation: uses keys of a map instead of searching a list.
        const expected = new Map(sent.map((call) => [call.id, [call.id, call.name, call.pieces.join('')]]));
        assert.deepEqual(short(fold(wire)), [...expected.values()]);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not parse arguments again at each delta when each has the name and no id', () => {
    const { parse } = JSON;
    let parsed = 0;
    JSON.parse = (...args) => {
      parsed++;
      return parse(...args);
    };
    try {
      const pieces = ['{"text":"', ...Array.from({ length: 1000 }, () => 'word '), '"}'];
      const calls = fold(pieces.map((piece) => delta({ name: 'write', arguments: piece })));
      assert.deepEqual([calls.length, calls[0]?.arguments], [1, pieces.join('')]);
      assert.ok(parsed < 20, `${parsed} times`);
    } finally {
      JSON.parse = parse;
    }
  });

  it('drops empty objects one after the other', () => {
    const pieces = ['{', '}', '{', '}', '{"a":1}'].map((piece) => delta({ arguments: piece }));
    assert.deepEqual(short(fold(pieces)), [['', '', '{"a":1}']]);
  });

  // `RUNS=100000` is the long version.
  it('equals a reference implementation that groups the deltas, in random interleavings', () => {
    const any = fc.record({
      index: fc.option(fc.nat(2), { nil: undefined }),
      id: fc.constantFrom(undefined, '', 'a', 'b', 'ping_0', 'functions.f:0'),
      name: fc.constantFrom(undefined, '', 'f', 'g'),
      arguments: fc.constantFrom('', '{', '"a":', '1', '}', '\u2028', '\ud83d', '\ude00'),
    });
    for (const wire of [withNextCall('{}'), withNextCall('11')])
      assert.deepEqual(short(fold(wire)), reference(wire));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 14 }), (wire) => {
        assert.deepEqual(short(fold(wire)), reference(wire));
      }),
      runsOf(10_000),
    );
  }).timeout(120_000);
});

/** Deltas of a call whose arguments have a value of two pieces, and of the next one, which has only its id. */
const withNextCall = ([one = '', other = '']: string): readonly ToolCallDelta[] => [
  ...['{', '"a":', one, other, '}'].map((piece) => delta({ index: 0, id: 'a', name: 'g', arguments: piece })),
  delta({ index: 0, id: 'b', arguments: '{' }),
];

/**
 * A different implementation without accumulation: adds each delta to a group of deltas, and derives each
 * call from its complete group.
 */
function reference(wire: readonly ToolCallDelta[]): readonly (readonly string[])[] {
  const groups: ToolCallDelta[][] = [];
  const first = (group: readonly ToolCallDelta[], key: 'id' | 'name') =>
    group.map((one) => one[key] ?? '').find((text) => text !== '') ?? '';
  const indexOf = (group: readonly ToolCallDelta[]) => group.find(({ index }) => index !== undefined)?.index;
  for (const one of wire) {
    const newestFirst = groups.toReversed();
    const isAnother = (group: readonly ToolCallDelta[]) => {
      const name = first(group, 'name');
      if (!one.name || name === '') return false;
      if (one.name !== name) return true;
      const at = indexOf(group);
      const indexes = new Set(group.map(({ index }) => index).filter((index) => index !== undefined));
      const isElsewhere = one.index !== undefined && at !== undefined && one.index !== at;
      const text = argumentsOf(group);
      const mayEnd = text === '' || isObject(text);
      if (one.arguments.trim() === '') return isElsewhere && indexes.size < 2 && mayEnd;
      const isSameCall = first(group, 'id') !== '' || (one.index !== undefined && !isObject(one.arguments));
      if (text.trim() === '{}' && one.arguments.startsWith('{') && isSameCall && !isElsewhere) return false;
      return (!one.id || isElsewhere) && isObject(text) && (indexes.size < 2 || one.arguments !== text);
    };
    const hasRest = (group: readonly ToolCallDelta[]) =>
      !one.name &&
      one.index !== undefined &&
      one.arguments.trim() !== '' &&
      first(group, 'name') !== '' &&
      !isObject(argumentsOf(group));
    const sameIndex = newestFirst.filter((group) => indexOf(group) === one.index);
    const indexless = newestFirst.filter((group) => indexOf(group) === undefined);
    const own = one.id
      ? [
          ...sameIndex.filter((group) => first(group, 'id') === one.id),
          ...newestFirst.filter((group) => first(group, 'id') === one.id),
          ...sameIndex.filter((group) => first(group, 'id') === '' || hasRest(group)),
        ]
      : one.index === undefined
        ? newestFirst
        : sameIndex.length > 0 || one.name
          ? sameIndex
          : indexless;
    const [group] = own;
    if (group === undefined || isAnother(group)) groups.push([one]);
    else group.push(one);
  }
  return groups.map((group) => [first(group, 'id'), first(group, 'name'), argumentsOf(group)]);
}

/** The text of the pieces without the empty objects before it. The pieces of the test are too short to be sent twice. */
const argumentsOf = (group: readonly ToolCallDelta[]): string => textOf(group.map((one) => one.arguments));

function textOf(pieces: readonly string[]): string {
  const ends = pieces.map(
    (_, at) =>
      pieces
        .slice(0, at + 1)
        .join('')
        .trim() === '{}',
  );
  const next = pieces.findIndex((piece, at) => piece.trim() !== '' && ends[at - 1] === true);
  return next === -1 ? pieces.join('') : textOf(pieces.slice(next));
}

/** Whether a text is a JSON object, by the grammar of the pieces of the test, whose values are numbers and other objects. */
const isObject = (text: string): boolean => {
  const value = /^\{(?:"a":(.+))?\}$/.exec(text);
  return value !== null && (value[1] === undefined || /^1+$/.test(value[1]) || isObject(value[1]));
};

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readExplanation, readProposal } from '../../../../src/review/edits/readProposal.ts';

const ANSWER = {
  explanation: 'Renames `a`.',
  files: [{ path: 'src/a.ts', edits: [{ find: 'let a', replace: 'let b' }] }],
};

describe('A proposal in an answer', () => {
  it('has edits in the requested format', () => {
    assert.deepEqual(readProposal(JSON.stringify(ANSWER)), { kind: 'edits', answer: ANSWER });
  });

  it('has edits in a fence with text around it', () => {
    const text = `Here:\n\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\`\nDone.`;
    assert.deepEqual(readProposal(text), { kind: 'edits', answer: ANSWER });
  });

  it('has the edits of all objects in an answer, also of the same file, each once', () => {
    const [a, b, c] = [
      { find: 'a', replace: 'A' },
      { find: 'b', replace: 'B' },
      { find: 'c', replace: 'C' },
    ];
    const objects = [
      { explanation: 'First.', files: [{ path: 'a.ts', edits: [a] }] },
      { explanation: 'Then.', files: [{ path: 'b.ts', edits: [b] }] },
      { explanation: 'First.', files: [{ path: 'a.ts', edits: [a, c] }] },
    ].map((json) => JSON.stringify(json));
    const answer = {
      explanation: 'First.\n\nThen.',
      files: [
        { path: 'a.ts', edits: [a] },
        { path: 'b.ts', edits: [b] },
        { path: 'a.ts', edits: [c] },
      ],
    };
    const fenced = objects.map((json) => `\`\`\`json\n${json}\n\`\`\`\n`);
    for (const text of [objects.join('\n'), fenced.join('\n'), `So.\n\n${fenced.join('\nAnd:\n\n')}`])
      assert.deepEqual(readProposal(text), { kind: 'edits', answer });
  });

  it('has the last one of several edits for the same lines, or texts of a new file: the others were drafts', () => {
    const [draft, last] = ['B', 'b'].map((text) => ({
      explanation: text,
      files: [
        { path: 'a.ts', edits: [{ find: 'a', replace: text }] },
        { path: 'new.ts', edits: [{ find: '', replace: text }] },
      ],
    }));
    assert.ok(draft && last);
    const [first, second] = [draft, last].map((one) => JSON.stringify(one));
    const fenced = (json: string | undefined) => `\`\`\`json\n${json}\n\`\`\`\n`;
    const answer = { ...last, explanation: 'B\n\nb' };
    for (const text of [
      `${first}\n${second}`,
      `So: ${first}\n\n${fenced(second)}`,
      `${fenced(first)}\nOr: ${second}\n`,
    ])
      assert.deepEqual(readProposal(text), { kind: 'edits', answer });
  });

  it('has the last one of them also if its path or its last line end are in another form, and each once', () => {
    const object = (path: string, replace: string) =>
      JSON.stringify({ explanation: '', files: [{ path, edits: [{ find: 'a', replace }] }] });
    const filesOf = (...objects: string[]) => {
      const read = readProposal(objects.join('\n'));
      return read.kind === 'edits' && read.answer.files;
    };
    const last = [{ path: './src/a.ts', edits: [{ find: 'a', replace: 'b' }] }];
    for (const path of ['src/a.ts', 'src\\a.ts', ' src/a.ts'])
      assert.deepEqual(filesOf(object(path, 'B'), object('./src/a.ts', 'b')), last);
    assert.deepEqual(filesOf(object('./src/a.ts', 'b'), object('src/a.ts', 'b')), last);
    const ended = JSON.stringify({
      explanation: '',
      files: [{ path: 'src/a.ts', edits: [{ find: 'a\n', replace: 'B\n' }] }],
    });
    assert.deepEqual(filesOf(ended, object('./src/a.ts', 'b')), last, 'with the line end of the last line');
  });

  it('has the last one of them also in a quotation, or if it is what was written first', () => {
    const [first, second] = ['B', 'b'].map((replace) => ({
      explanation: replace,
      files: [{ path: 'a.ts', edits: [{ find: 'a', replace }] }],
    }));
    assert.ok(first && second);
    const json = (one: typeof first) => JSON.stringify(one);
    const quoted = ['```json', ...JSON.stringify(second, undefined, 2).split('\n'), '```']
      .map((line) => `> ${line}`)
      .join('\n');
    const filesOf = (text: string) => {
      const read = readProposal(text);
      return read.kind === 'edits' && read.answer.files;
    };
    assert.deepEqual(filesOf(`${json(first)}\n\nOr rather:\n\n${quoted}\n`), second.files);
    assert.deepEqual(filesOf(`${quoted}\n\nOr rather:\n\n${json(first)}\n`), first.files);
    assert.deepEqual(filesOf(`${json(first)}\n${json(second)}\nNo:\n${json(first)}`), first.files);
  });

  it('has an edit that is in one object twice as often, also if another object repeats it', () => {
    const [a, b] = [
      { find: 'a', replace: 'A' },
      { find: 'b', replace: 'B' },
    ];
    const files = (...edits: (typeof a)[]) => [{ path: 'a.ts', edits }];
    const twice = { explanation: '', files: files(a, b, a) };
    const draft = { explanation: '', files: files(a) };
    const read = (...objects: object[]) => readProposal(objects.map((one) => JSON.stringify(one)).join('\n'));
    assert.deepEqual(read(twice), { kind: 'edits', answer: twice });
    assert.deepEqual(read(twice, twice, draft), { kind: 'edits', answer: twice });
    const all = { explanation: '', files: [...files(a), ...files(b, a)] };
    assert.deepEqual(read(draft, twice), { kind: 'edits', answer: all });
    assert.deepEqual(read(all), { kind: 'edits', answer: all });
  });

  it('has edits after text with braces of its own', () => {
    for (const before of ['The options are {"strict": true}. ', 'Each {name} is replaced: ', 'As in {"a": '])
      assert.deepEqual(readProposal(before + JSON.stringify(ANSWER)), { kind: 'edits', answer: ANSWER });
  });

  it('has code when the service did not use the format', () => {
    const read = readProposal('Sure:\n```ts\nlet b;\n```\n');
    assert.deepEqual(read, { kind: 'code', blocks: [{ language: 'ts', path: undefined, code: 'let b;\n' }] });
  });

  it('has code when the code itself is JSON', () => {
    assert.equal(readProposal('```json\n{ "name": "x" }\n```').kind, 'code');
  });

  it('has no code beside edits that shows the result under a part of the path', () => {
    const edits = JSON.stringify({
      ...ANSWER,
      files: [{ path: 'src/a.ts', edits: [{ find: 'a', replace: 'b' }] }],
    });
    const besideOf = (name: string) => {
      const read = readProposal(`${edits}\n\n\`\`\`ts ${name}\nb\n\`\`\`\n`);
      return read.kind === 'edits' && read.beside?.map(({ path }) => path);
    };
    assert.deepEqual([besideOf('a.ts'), besideOf('./a.ts')], [undefined, undefined]);
    assert.deepEqual([besideOf('ba.ts'), besideOf('lib/a.ts')], [['ba.ts'], ['lib/a.ts']]);
  });

  it('has the code of a file with the last part of the path that doesn’t have the new lines', () => {
    const edits = (...all: { find: string; replace: string }[]) =>
      JSON.stringify({ explanation: '', files: [{ path: 'src/index.ts', edits: all }] });
    const besideOf = (json: string, code: string) => {
      const read = readProposal(`${json}\n\n\`\`\`ts index.ts\n${code}\n\`\`\`\n`);
      return read.kind === 'edits' && read.beside?.map((block) => block.code);
    };
    const two = edits({ find: 'let a;', replace: 'let b;\n' }, { find: 'f()', replace: 'g()\nh()\n' });
    assert.deepEqual(besideOf(two, "export * from '../src/index';"), ["export * from '../src/index';\n"]);
    assert.equal(besideOf(two, '// …\n  g()\n  h()\n// …'), undefined, 'a part of the result, indented');
    assert.equal(besideOf(two, 'let b;'), undefined);
    assert.equal(besideOf(two, 'g()\n// …'), undefined, 'not all of the new lines');
    assert.equal(
      besideOf(edits({ find: 'let a;\n', replace: '' }), 'let c;'),
      undefined,
      'without the old lines',
    );
    assert.deepEqual(besideOf(edits({ find: 'let a;\n', replace: '' }), 'let a;'), ['let a;\n']);
  });

  it('has the code beside edits that names another file', () => {
    const json = JSON.stringify(ANSWER);
    const beside = [{ language: 'ts', path: 'src/b.ts', code: 'let b;\n' }];
    const named = '```ts src/b.ts\nlet b;\n```\n';
    for (const text of [`${json}\n\n${named}`, `\`\`\`json\n${json}\n\`\`\`\n\n${named}`])
      assert.deepEqual(readProposal(text), { kind: 'edits', answer: ANSWER, beside });
    // Code of the edited file shows the result, and code without a name can be about anything.
    for (const other of [
      '```ts src/a.ts\nlet b;\n```',
      '```ts ./src/a.ts\nlet b;\n```',
      '```ts\nlet c;\n```',
    ])
      assert.deepEqual(readProposal(`${json}\n\n${other}\n`), { kind: 'edits', answer: ANSWER });
    assert.deepEqual(readProposal(`\`\`\`json edits.json\n${json}\n\`\`\`\n`), {
      kind: 'edits',
      answer: ANSWER,
    });
  });

  it('has the code beside JSON without edits', () => {
    const block = { language: 'ts', path: undefined, code: 'let b;\n' };
    for (const files of ['[]', '[{"path":"a.ts","edits":[]}]']) {
      const json = `{"explanation":"So.","files":${files}}`;
      for (const answer of [json, `\`\`\`json\n${json}\n\`\`\``])
        assert.deepEqual(readProposal(`${answer}\n\n\`\`\`ts\nlet b;\n\`\`\`\n`), {
          kind: 'code',
          blocks: [block],
          explanation: 'So.',
        });
    }
  });

  it('has no edits if there are only commands beside JSON without any', () => {
    const json = '{"explanation":"So.","files":[]}';
    for (const beside of ['', '```sh\nnpm test\n```\n', `\`\`\`\n${json}\n\`\`\`\n`])
      assert.deepEqual(readProposal(`${json}\n${beside}`), {
        kind: 'edits',
        answer: { explanation: 'So.', files: [] },
      });
  });

  it('has code that has a list of files, which isn’t one of edits', () => {
    for (const code of ['{ "files": [] }\n', '{ "files": [], "include": ["src"] }\n']) {
      const read = readProposal(`\`\`\`json tsconfig.json\n${code}\`\`\``);
      assert.deepEqual(read.kind === 'code' && read.blocks.map((block) => block.code), [code]);
    }
  });

  it('is empty when the answer is only text', () => {
    assert.deepEqual(readProposal('I cannot do that.'), { kind: 'code', blocks: [] });
  });

  for (const [json, field, expected] of [
    [{ explanation: '' }, 'files', 'a list'],
    [{ files: ['x'] }, 'files[0]', 'an object'],
    [{ files: [{ edits: [] }] }, 'files[0].path', 'text'],
    [{ files: [{ path: 'a', edits: [{ find: 1 }] }] }, 'files[0].edits[0].find', 'text'],
    [{ files: [{ path: 'a', edits: [{ find: 'x' }] }] }, 'files[0].edits[0].replace', 'text'],
  ] as const) {
    it(`reports the malformed field ${field}`, () => {
      assert.deepEqual(readProposal(JSON.stringify(json)), {
        kind: 'malformed',
        malformed: { field, expected },
      });
    });
  }

  it('can be without an explanation, or with one that isn’t text', () => {
    const { files } = ANSWER;
    for (const json of [{ files }, { files, explanation: 3 }, { files, explanation: null }])
      assert.deepEqual(readProposal(JSON.stringify(json)), {
        kind: 'edits',
        answer: { explanation: '', files },
      });
  });

  it('ignores unknown fields', () => {
    const read = readProposal(JSON.stringify({ ...ANSWER, confidence: 1 }));
    assert.deepEqual(read, { kind: 'edits', answer: ANSWER });
  });
});

describe('The explanation of a proposal that is being streamed', () => {
  it('only grows until it is complete', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (explanation, pretty) => {
        const text = JSON.stringify({ explanation, files: [] }, null, pretty ? 2 : 0);
        let before = '';
        for (let length = 0; length <= text.length; length++) {
          const shown = readExplanation(text.slice(0, length));
          assert.ok(shown.startsWith(before), `${JSON.stringify(before)} → ${JSON.stringify(shown)}`);
          before = shown;
        }
        assert.equal(before, explanation);
      }),
    );
  });

  it('keeps backslashes at its end', () => {
    for (const explanation of ['\\', 'a\\', '\\\\', '\\u', '\n'])
      assert.equal(readExplanation(JSON.stringify({ explanation, files: [] })), explanation);
  });

  it('is empty in an answer without the format', () => {
    assert.equal(readExplanation('Sure, here'), '');
    assert.equal(readExplanation('{"files": ['), '');
    assert.equal(readExplanation('Sure, here: {"explanation": "Renames it."'), '');
  });
});

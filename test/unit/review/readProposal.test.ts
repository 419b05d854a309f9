import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readExplanation, readProposal } from '../../../src/review/readProposal.ts';

const ANSWER = {
  explanation: 'Renames `a`.',
  files: [{ path: 'src/a.ts', edits: [{ find: 'let a', replace: 'let b' }] }],
};

describe('What an answer proposes', () => {
  it('are edits, in the form that was asked for', () => {
    assert.deepEqual(readProposal(JSON.stringify(ANSWER)), { kind: 'edits', answer: ANSWER });
  });

  it('are edits in a fence with words around them', () => {
    const text = `Here:\n\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\`\nDone.`;
    assert.deepEqual(readProposal(text), { kind: 'edits', answer: ANSWER });
  });

  it('is code, when the service did not keep to the form', () => {
    const read = readProposal('Sure:\n```ts\nlet b;\n```\n');
    assert.deepEqual(read, { kind: 'code', blocks: [{ language: 'ts', path: undefined, code: 'let b;\n' }] });
  });

  it('is code, when the code is JSON itself', () => {
    assert.equal(readProposal('```json\n{ "name": "x" }\n```').kind, 'code');
  });

  it('is nothing in plain words', () => {
    assert.deepEqual(readProposal('I cannot do that.'), { kind: 'code', blocks: [] });
  });

  for (const [json, field, expected] of [
    [{ explanation: '' }, 'files', 'a list'],
    [{ files: ['x'] }, 'files[0]', 'an object'],
    [{ files: [{ edits: [] }] }, 'files[0].path', 'text'],
    [{ files: [{ path: 'a', edits: [{ find: 1 }] }] }, 'files[0].edits[0].find', 'text'],
    [{ files: [{ path: 'a', edits: [{ find: 'x' }] }] }, 'files[0].edits[0].replace', 'text'],
  ] as const) {
    it(`names the field that is wrong: ${field}`, () => {
      assert.deepEqual(readProposal(JSON.stringify(json)), {
        kind: 'malformed',
        malformed: { field, expected },
      });
    });
  }

  it('passes over fields that nobody asked for', () => {
    const read = readProposal(JSON.stringify({ ...ANSWER, confidence: 1 }));
    assert.deepEqual(read, { kind: 'edits', answer: ANSWER });
  });
});

describe('The explanation of a proposal that is being written', () => {
  it('only ever grows, up to the whole of it', () => {
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

  it('is nothing in an answer of another form', () => {
    assert.equal(readExplanation('Sure, here'), '');
    assert.equal(readExplanation('{"files": ['), '');
  });
});

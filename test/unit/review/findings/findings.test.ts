import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeFindings, FINDINGS_SCHEMA, parseFindings } from '../../../../src/review/findings/findings.ts';
import { describeWrong } from '../../../../src/validation/decode.ts';

const ONE = {
  file: 'src/a.ts',
  startLine: 3,
  endLine: 4,
  severity: 'warning',
  claim: 'The limit is one too far.',
  evidence: 'i <= list.length',
  edit: { find: 'i <= list.length', replace: 'i < list.length' },
};
const ANSWER = { summary: 'One slip.', findings: [ONE, { ...ONE, edit: null }] };

const problemOf = (finding: object) => {
  const decoded = decodeFindings({ summary: '', findings: [ONE, { ...ONE, ...finding }] });
  if (!decoded.ok) return describeWrong(decoded.wrong);
  assert.deepEqual(decoded.value.findings, [ONE]);
  return decoded.value.leftOut.map(({ wrong }) => describeWrong(wrong)).join();
};

describe('The schema of findings', () => {
  it('requires every field and allows no others, as strict structured output requires', () => {
    const check = (schema: Record<string, unknown>): void => {
      const properties = schema['properties'];
      if (typeof properties === 'object' && properties !== null) {
        assert.deepEqual(schema['required'], Object.keys(properties));
        assert.equal(schema['additionalProperties'], false);
        for (const one of Object.values(properties)) check(one);
      }
      if (typeof schema['items'] === 'object') check({ ...schema['items'] });
    };
    check(FINDINGS_SCHEMA);
  });
});

describe('An answer with findings', () => {
  it('is parsed when it is only JSON, in a fence, or has text around it', () => {
    const json = JSON.stringify(ANSWER, null, 2);
    for (const text of [
      json,
      `\`\`\`json\n${json}\n\`\`\``,
      `Here they are:\n\n\`\`\`\n${json}\n\`\`\`\nDone.`,
      `So: ${json} — done.`,
      `The options are {"strict": true}. ${json}`,
      `As {asked}: ${json} The form is {"summary": …}.`,
      `With the options:\n\n\`\`\`json\n{"strict": true}\n\`\`\`\n\n\`\`\`json\n${json}\n\`\`\``,
    ]) {
      const parsed = parseFindings(text);
      assert.ok(parsed.ok, text);
      assert.equal(parsed.value.summary, 'One slip.');
      assert.deepEqual(parsed.value.findings[0], ONE);
      assert.equal(parsed.value.findings[1]?.edit, undefined);
    }
  });

  it('is parsed when a quotation contains a code fence', () => {
    const fenced = { summary: '', findings: [{ ...ONE, evidence: '```js\nx\n```' }] };
    const parsed = parseFindings(JSON.stringify(fenced));
    assert.equal(parsed.ok && parsed.value.findings[0]?.evidence, '```js\nx\n```');
  });

  it('reports the invalid field of a finding, and keeps the other findings', () => {
    assert.equal(
      problemOf({ severity: 'bad' }),
      'findings[1].severity should be one of error, warning, info',
    );
    assert.equal(problemOf({ startLine: '3' }), 'findings[1].startLine should be a number');
    assert.equal(problemOf({ endLine: 3.5 }), 'findings[1].endLine should be a whole number');
    assert.equal(problemOf({ claim: undefined }), 'findings[1].claim should be text');
    assert.equal(problemOf({ edit: { find: 'x' } }), 'findings[1].edit.replace should be text');
    assert.equal(problemOf({ edit: 'x' }), 'findings[1].edit should be an object');
  });

  it('keeps what is left out as it is, and is not parsed without any valid finding', () => {
    const wrong = { ...ONE, severity: 'critical' };
    const some = parseFindings(JSON.stringify({ findings: [wrong, 'x', ONE] }));
    assert.ok(some.ok);
    assert.deepEqual(
      some.value.leftOut.map(({ json }) => json),
      [wrong, 'x'],
    );
    const none = parseFindings(JSON.stringify({ findings: [wrong, 'x'] }));
    assert.deepEqual(none, {
      ok: false,
      wrong: { field: 'findings[0].severity', expected: 'one of error, warning, info' },
    });
  });

  it('is taken from the object without an invalid finding, if there are two', () => {
    const wrong = { findings: [ONE, { ...ONE, severity: 'critical' }] };
    const parsed = parseFindings(`First ${JSON.stringify(wrong)}, and now ${JSON.stringify(ANSWER)}`);
    assert.ok(parsed.ok && parsed.value.leftOut.length === 0);
  });

  it('is that of all objects without an invalid finding, each finding once', () => {
    const draft = { summary: 'A draft.', findings: [] };
    const other = { summary: 'Two files.', findings: [ONE, { ...ONE, file: 'b.ts' }] };
    const parsed = parseFindings(
      [draft, ANSWER, other].map((one) => `Now:\n\`\`\`json\n${JSON.stringify(one)}\n\`\`\``).join('\n'),
    );
    assert.ok(parsed.ok);
    assert.equal(parsed.value.summary, ['A draft.', ANSWER.summary, 'Two files.'].join('\n\n'));
    assert.deepEqual(
      parsed.value.findings.map(({ file }) => file),
      [...ANSWER.findings.map(({ file }) => file), 'b.ts'],
    );
    const wrong = { findings: [ONE, { ...ONE, severity: 'critical' }] };
    const some = parseFindings(`${JSON.stringify(draft)}\n${JSON.stringify(wrong)}`);
    assert.deepEqual(some.ok && [some.value.findings.length, some.value.leftOut.length], [1, 1]);
  });

  it('is not parsed when it is something else or incomplete', () => {
    for (const text of [
      '',
      'Looks fine to me.',
      '[]',
      'null',
      '{"summary":"x"}',
      JSON.stringify(ANSWER).slice(0, -9),
    ])
      assert.ok(!parseFindings(text).ok, text);
  });
});

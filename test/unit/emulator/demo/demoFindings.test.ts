import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { toDemoCommit } from '../../../../src/emulator/demo/demoCommit.ts';
import { toDemoFindings } from '../../../../src/emulator/demo/demoFindings.ts';
import { placeFinding } from '../../../../src/review/findings/findingPlacement.ts';
import { decodeFindings, FINDINGS_SCHEMA } from '../../../../src/review/findings/findings.ts';
import { toCodeReviewQuestion } from '../../../../src/review/questions/reviewQuestion.ts';

describe('The findings of the demo', () => {
  for (const path of [
    ...globSync('test/fixtures/workspace/src/*'),
    'src/conversation/fold.ts',
    'package.json',
  ]) {
    it(`refer to the file that was sent, and suggest an edit: ${path}`, () => {
      const text = readFileSync(path, 'utf8');
      const lineCount = text.split('\n').length;
      const { text: question } = toCodeReviewQuestion(
        { path, language: 'x', text, startLine: 0, lineCount },
        1e6,
        () => 1,
      );
      const decoded = decodeFindings(toDemoFindings(FINDINGS_SCHEMA, question));
      assert.ok(decoded.ok);
      const { findings } = decoded.value;
      assert.ok(findings.length >= 2 && findings.length <= 4, String(findings.length));
      for (const finding of findings) {
        assert.equal(finding.file, path);
        const { startLine, endLine } = finding;
        assert.deepEqual(placeFinding(finding, text), {
          placed: true,
          startLine: startLine - 1,
          endLine: endLine - 1,
        });
      }
      const { find } = findings.find(({ edit }) => edit !== undefined)?.edit ?? assert.fail('no edit');
      assert.equal(text.split(find).length, 2);
    });
  }

  it('quote no line of a minified file, which would take minutes to send', () => {
    const text = `var a = "${'x'.repeat(160_000)}";\nvar b = 1;\n`;
    const code = { path: 'a.js', language: 'x', text, startLine: 0, lineCount: 2 };
    const { text: question } = toCodeReviewQuestion(code, 1e6, () => 1);
    const answer = toDemoFindings(FINDINGS_SCHEMA, question);
    assert.ok(JSON.stringify(answer).length < 2000);
    const decoded = decodeFindings(answer);
    assert.ok(decoded.ok && decoded.value.findings.every(({ startLine }) => startLine === 2));
  });

  it('are counted in the answer, also when there is one only', () => {
    const ask = (text: string) =>
      JSON.stringify(
        toDemoFindings(
          FINDINGS_SCHEMA,
          toCodeReviewQuestion(
            { path: 'a.js', language: 'x', text, startLine: 0, lineCount: 1 },
            1e6,
            () => 1,
          ).text,
        ),
      );
    assert.match(
      ask('for (let i = 0; i <= list.length; i++) use(list[i]);'),
      / 1 finding from simple rules\./,
    );
  });

  it('are only returned for a schema of findings', () => {
    const other = { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } };
    assert.equal(toDemoFindings(other, '1 | x'), undefined);
  });
});

describe('The commit message of the demo', () => {
  it('has each file with the number of changes, and says that it is a demo', () => {
    const diff =
      'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+c\ndiff --git a/n b/n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+x\n+y\n';
    assert.equal(
      toDemoCommit(diff),
      'Demo answer, no model was asked: change src/a.ts and 1 more\n\n- Change src/a.ts: 1 line added, 1 removed\n- Add n: 2 lines added, 0 removed',
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rangesStillShown, shownLinesOf } from '../../../../src/review/findings/shownLines.ts';
import { toChangesReviewQuestion } from '../../../../src/review/questions/changesQuestion.ts';
import { toCodeReviewQuestion } from '../../../../src/review/questions/reviewQuestion.ts';
import { toRevisionQuestions } from '../../../../src/review/questions/revisionQuestion.ts';
import type { LineRange } from '../../../../src/text/lineRange.ts';

const measure = (text: string) => text.length;
const textOf = (count: number) => Array.from({ length: count }, (_, at) => `let n${at};\n`).join('');
const LONG = textOf(300);
const sliceOf = (from: number, to: number) =>
  LONG.split(/(?<=\n)/)
    .slice(from, to)
    .join('');
const DIFF = '@@ -4,1 +4,1 @@\n-let old;\n+let n3;\n';

const changed = (path: string, text: string | undefined, diff = DIFF) => ({
  path,
  change: 'modified',
  language: 'javascript',
  diff,
  text,
});

function covered(question: string, path: string, now: string, within?: LineRange): readonly LineRange[] {
  return rangesStillShown(shownLinesOf(question).get(path) ?? [], now, within);
}

describe('The lines that a review shows', () => {
  const file = { path: 'a.js', language: 'javascript', text: LONG, startLine: 0, lineCount: 300 };
  const END = Number.POSITIVE_INFINITY;

  it('are all of a file, with what was below its end', () => {
    const { text } = toCodeReviewQuestion(file, 1e6, measure);
    assert.deepEqual(covered(text, 'a.js', LONG), [{ startLine: 0, endLine: END }]);
  });

  it('are those of a long file that fit', () => {
    const { text } = toCodeReviewQuestion(file, 150, measure);
    assert.deepEqual(covered(text, 'a.js', LONG), [{ startLine: 0, endLine: 9 }]);
  });

  it('are those around changes', () => {
    const { text } = toChangesReviewQuestion('r', [changed('a.js', LONG)], 1e6, measure);
    assert.deepEqual(covered(text, 'a.js', LONG), [{ startLine: 0, endLine: 33 }]);
    const diff = `${DIFF}@@ -200,1 +200,1 @@\n-let old;\n+let n199;\n`;
    const two = toChangesReviewQuestion('r', [changed('a.js', LONG, diff)], 1e6, measure).text;
    assert.deepEqual(covered(two, 'a.js', LONG), [
      { startLine: 0, endLine: 33 },
      { startLine: 169, endLine: 229 },
    ]);
  });

  it('are found again where they are now', () => {
    const revision = { name: 'commit', hash: 'a'.repeat(40), message: 'Change\n\n## File: b.js (x)' };
    const { questions } = toRevisionQuestions('r', revision, [changed('a.js', LONG)], 1e6, measure);
    const question = questions[0]?.text ?? '';
    const moved = `// One.\n// Two.\n${LONG}`;
    assert.deepEqual(covered(question, 'a.js', moved), [{ startLine: 2, endLine: 35 }]);
    assert.deepEqual(covered(question, 'a.js', moved.replaceAll('\n', '\r\n')), [
      { startLine: 2, endLine: 35 },
    ]);
    const edited = LONG.replace('let n9;', 'let n9 = 9;\nlet more;');
    assert.deepEqual(covered(question, 'a.js', edited), [{ startLine: 0, endLine: 34 }]);
    assert.deepEqual(covered(question, 'a.js', 'Something else.\n'), []);
  });

  it('are those of each file, and none of a file that is deleted', () => {
    const files = [changed('a.js', textOf(5)), changed('b.js', undefined)];
    const { text } = toChangesReviewQuestion('r', files, 1e6, measure);
    assert.deepEqual(covered(text, 'a.js', textOf(5)), [{ startLine: 0, endLine: END }]);
    assert.deepEqual(covered(text, 'b.js', textOf(5)), []);
  });

  it('are only the selected ones', () => {
    const { text } = toChangesReviewQuestion('r', [changed('a.js', LONG)], 1e6, measure);
    const within = { startLine: 2, endLine: 6 };
    assert.deepEqual(covered(text, 'a.js', LONG, within), [within]);
  });

  it('are the selected ones also if lines were added above them since', () => {
    const { text } = toCodeReviewQuestion({ ...file, startLine: 20, text: sliceOf(20, 40) }, 1e6, measure);
    const within = { startLine: 20, endLine: 39 };
    assert.deepEqual(covered(text, 'a.js', LONG, within), [within]);
    assert.deepEqual(covered(text, 'a.js', `// One.\n// Two.\n${LONG}`, within), [
      { startLine: 22, endLine: 41 },
    ]);
    const longer = LONG.replace('let n30;', 'let n30 = 30;\nlet more;');
    assert.deepEqual(covered(text, 'a.js', longer, within), [{ startLine: 20, endLine: 40 }]);
    const changes = toChangesReviewQuestion('r', [changed('a.js', LONG)], 1e6, measure).text;
    assert.deepEqual(covered(changes, 'a.js', `// One.\n${LONG}`, { startLine: 2, endLine: 6 }), [
      { startLine: 3, endLine: 7 },
    ]);
  });
});

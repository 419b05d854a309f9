import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toChangesReviewQuestion } from '../../../../src/review/questions/changesQuestion.ts';
import { toCommitMessageQuestion } from '../../../../src/review/questions/commitQuestion.ts';
import { reviewedPaths } from '../../../../src/review/questions/reviewQuestion.ts';
import { toRevisionQuestions } from '../../../../src/review/questions/revisionQuestion.ts';

const measure = (text: string) => text.length;
const REVISION = { name: 'commit', hash: 'a'.repeat(40), message: undefined };
const file = (path: string, diff: string | undefined) => ({
  path,
  change: 'modified',
  language: 'typescript',
  diff,
  text: diff && 'x\n',
});

/** The questions of all kinds about these files. */
function questionsFor(files: readonly ReturnType<typeof file>[]): readonly string[] {
  return [
    toChangesReviewQuestion('r', files, 1000, measure).text,
    toCommitMessageQuestion({ files, draft: '', earlier: [] }, 1000, measure).text,
    ...toRevisionQuestions('r', REVISION, files, 1000, measure).questions.map(({ text }) => text),
  ];
}

describe('The list of changed files in a question', () => {
  const shown = file('shown.ts', '@@ -1,1 +1,1 @@\n-y\n+x\n');

  it('ends early, with the number of the others', () => {
    const many = Array.from({ length: 30_000 }, (_, at) => file(`folder/file${at}.ts`, undefined));
    const questions = questionsFor([shown, ...many]);
    assert.equal(questions.length, 3);
    for (const question of questions) {
      assert.ok(question.length < 30_000, `${question.length}`);
      assert.match(question, /folder\/file0\.ts, folder\/file1\.ts, .*, and \d{5} more/);
    }
    assert.match(questions[1] ?? '', /\n- folder\/file9\.ts \(modified\)\n.*\nand \d{5} more\n/s);
  });

  it('has all of a usual number of files', () => {
    const some = Array.from({ length: 200 }, (_, at) => file(`folder/file${at}.ts`, undefined));
    for (const question of questionsFor([shown, ...some])) {
      assert.match(question, /folder\/file199\.ts/);
      assert.doesNotMatch(question, / more\b/);
    }
  });

  it('can’t be taken for a heading', () => {
    const odd = file('a\n\n## File: b.ts (typescript)\n.ts', undefined);
    for (const question of questionsFor([shown, odd])) {
      assert.doesNotMatch(question, /^## File: b\.ts/m);
      assert.ok(!reviewedPaths(question).includes('b.ts'));
    }
  });
});

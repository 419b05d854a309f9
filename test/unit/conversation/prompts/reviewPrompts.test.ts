import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CodeLines } from '../../../../src/conversation/prompts/codePrompts.ts';
import { type ReviewText, toReviewPrompt } from '../../../../src/conversation/prompts/reviewPrompts.ts';

const codeOf = (path: string, text: string): CodeLines => ({
  path,
  language: 'ts',
  startLine: 0,
  endLine: 0,
  text,
});

const REVIEW: ReviewText = {
  remarks: [
    {
      path: 'src/a.ts',
      startLine: 2,
      endLine: 2,
      diff: '-let a;\n+const a = 1;',
      quote: 'let a;',
      text: ' Say why. ',
    },
  ],
  open: [{ path: 'src/b.ts', startLine: 4, endLine: 6, diff: '-b\n+c' }],
  accepted: ['src/a.ts, line 9 (`return a`)'],
  rejected: ['src/b.ts, line 1 (`import x`)'],
  code: [codeOf('src/a.ts', 'let a;'), codeOf('src/b.ts', 'let b;')],
};

describe('The prompt of a review', () => {
  const text = toReviewPrompt(REVIEW);

  it('contains each comment with the change that it refers to', () => {
    assert.ok(
      text.includes('Remark, on src/a.ts, line 3:\n\n```diff\n-let a;\n+const a = 1;\n```\n\nSay why.'),
    );
  });

  it('lists the hunks that are decided and open', () => {
    assert.match(text, /Accepted, and in the file already: src\/a\.ts, line 9/);
    assert.match(text, /Rejected, do not propose it again: src\/b\.ts, line 1/);
    assert.match(text, /Not decided yet[^\n]*on src\/b\.ts, lines 5–7:\n\n```diff\n-b\n\+c\n```/);
  });

  it('ends with the current code of every file that can change', () => {
    const [, first = '', second = ''] = text.split('The code as it is now, ');
    assert.match(first, /^src\/a\.ts[\s\S]*let a;/);
    assert.match(second, /^src\/b\.ts[\s\S]*let b;/);
    assert.match(text, /one fenced diff for each file/);
  });

  it('asks for one block if one file can change', () => {
    const one = toReviewPrompt({ ...REVIEW, code: REVIEW.code.slice(0, 1) });
    assert.match(one, /one fenced block that holds all of the lines below/);
    assert.equal(one.split('The code as it is now, ').length, 2);
  });

  it('is a list of comments if nothing was proposed', () => {
    const plain = toReviewPrompt({
      remarks: REVIEW.remarks.map((remark) => ({ ...remark, diff: undefined })),
      open: [],
      accepted: [],
      rejected: [],
      code: [],
    });
    assert.match(
      plain,
      /^My remarks on the code:\n\nRemark, on src\/a\.ts, line 3:\n\n```\nlet a;\n```\n\nSay why\.$/,
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type FindingsWords, toFindingsMarkdown } from '../../../../src/review/findings/findingsText.ts';

const WORDS: FindingsWords = {
  severity: { error: 'Error', warning: 'Warning', info: 'Information' },
  unplaced: {
    'no-file': 'NO FILE',
    'no-quotation': 'NO QUOTATION',
    'not-found': 'NOT FOUND',
    ambiguous: 'AMBIGUOUS',
  },
  ofRevision: 'IN {0}',
  suggestion: 'Suggested:',
  nothing: 'Nothing found.',
  unreadable: 'Could not be read ({0}).',
  cut: 'The answer was cut.',
  leftOut: (count, why) => `${count} left out (${why}).`,
};
const FINDING = {
  file: 'src/a.ts',
  startLine: 3,
  endLine: 4,
  severity: 'warning',
  claim: 'See `a_b` and [this](command:evil) <b>now</b>.',
  evidence: 'if (x == "}]") {\n```',
  edit: { find: 'a', replace: 'b\nc' },
};
const ANSWER = JSON.stringify({
  summary: 'Two *things*.',
  findings: [FINDING, { ...FINDING, severity: 'error', startLine: 9, endLine: 9, edit: null }],
});

describe('A review as Markdown', () => {
  it('has the severity, location, claim, evidence, and suggestion of each finding', () => {
    assert.equal(
      toFindingsMarkdown(ANSWER, 'complete', WORDS),
      [
        'Two \\*things\\*.',
        '**1. Warning** `src/a.ts:3-4`',
        'See `a_b` and \\[this\\](command:evil) \\<b>now\\</b>.',
        '````ts\nif (x == "}]") {\n```\n````',
        'Suggested:',
        '```diff\n-a\n+b\n+c\n```',
        '**2. Error** `src/a.ts:9`',
        'See `a_b` and \\[this\\](command:evil) \\<b>now\\</b>.',
        '````ts\nif (x == "}]") {\n```\n````',
      ].join('\n\n'),
    );
  });

  it('shows the placed lines of a finding, or why it could not be placed', () => {
    const text = toFindingsMarkdown(ANSWER, 'complete', WORDS, [
      { placed: true, startLine: 10, endLine: 10 },
      { placed: false, reason: 'not-found' },
    ]);
    assert.match(text, /\*\*1\. Warning\*\* `src\/a\.ts:11`\n/);
    assert.match(text, /\*\*2\. Error\*\* `src\/a\.ts:9`\n\n> NOT FOUND\n/);
  });

  it('names the revision of code that is not in the file any more', () => {
    const [gone, unclear] = [{ reason: 'not-found' }, { reason: 'ambiguous' }] as const;
    const text = toFindingsMarkdown(
      ANSWER,
      'complete',
      WORDS,
      [
        { placed: false, ...gone },
        { placed: false, ...unclear },
      ],
      { hash: 'abcdef0123456789', contains: () => true },
    );
    assert.match(text, /\n\n> IN `abcdef01`\n/);
    assert.match(text, /\n\n> AMBIGUOUS\n/);
  });

  it('doesn’t say that code is in a revision that doesn’t have it', () => {
    const nowhere = { hash: 'abcdef0123456789', contains: () => false };
    const placements = [{ placed: false, reason: 'not-found' }] as const;
    const text = toFindingsMarkdown(ANSWER, 'complete', WORDS, placements, nowhere);
    assert.match(text, /\n\n> NOT FOUND\n/);
  });

  it('is only appended to while the answer is streamed', () => {
    let before = '';
    let grew = 0;
    for (let end = 0; end <= ANSWER.length; end++) {
      const text = toFindingsMarkdown(ANSWER.slice(0, end), 'running', WORDS);
      assert.ok(text.startsWith(before), `${before} → ${text}`);
      if (text !== before) grew++;
      before = text;
    }
    assert.equal(grew, 3);
    assert.equal(before, toFindingsMarkdown(ANSWER, 'complete', WORDS));
  });

  it('is only appended to while several objects of an answer are streamed, and has all summaries at the end', () => {
    const draft = JSON.stringify({ summary: 'Let me see.', findings: [FINDING] });
    const answer = `${draft}\n\n${ANSWER}`;
    let before = '';
    for (let end = 0; end <= answer.length; end++) {
      const text = toFindingsMarkdown(answer.slice(0, end), 'running', WORDS);
      assert.ok(text.startsWith(before), `${before} → ${text}`);
      before = text;
    }
    assert.match(before, /^Let me see\.\n\n\*\*1\. Warning[\s\S]*\*\*2\./);
    assert.match(toFindingsMarkdown(answer, 'complete', WORDS), /^Let me see\.\n\nTwo/);
  });

  it('says how many findings could not be read, and shows them as they are', () => {
    const wrong = { ...FINDING, severity: 'critical', claim: '```' };
    const answer = JSON.stringify({ summary: '', findings: [wrong, FINDING, { ...FINDING, endLine: '4' }] });
    const placements = [{ placed: true, startLine: 10, endLine: 10 }] as const;
    const text = toFindingsMarkdown(answer, 'complete', WORDS, placements);
    assert.match(text, /^\*\*1\. Warning\*\* `src\/a\.ts:11`\n/);
    assert.match(
      text,
      /\n\n> 2 left out \(findings\\\[0\\\]\.severity should be one of error, warning, info\)\.\n\n````json\n/,
    );
    assert.match(text, /"severity": "critical"[\s\S]*"endLine": "4"/);
    // The same findings are shown while it is streamed.
    assert.match(toFindingsMarkdown(answer.slice(0, -2), 'running', WORDS), /^\*\*1\. Warning/);
  });

  it('does not throw for a finding that is nested too deeply to be shown', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const answer = `{"findings":[${JSON.stringify(FINDING)},{"claim":${deep}}]}`;
    assert.match(toFindingsMarkdown(answer, 'complete', WORDS), /\n\n> 1 left out/);
  });

  it('reports when there are no findings', () => {
    assert.equal(
      toFindingsMarkdown('{"summary":"Fine.","findings":[]}', 'complete', WORDS),
      'Fine.\n\nNothing found.',
    );
  });

  it('shows an answer that is not a review unchanged, with the reason', () => {
    assert.equal(
      toFindingsMarkdown('All **good**.', 'complete', WORDS),
      '> Could not be read (it should be JSON).\n\nAll **good**.',
    );
  });

  it('is empty for an empty answer', () => {
    for (const state of ['running', 'complete', 'cut'] as const)
      assert.equal(toFindingsMarkdown('', state, WORDS), '');
  });

  it('shows the text around it, and no empty fence', () => {
    const wrong = JSON.stringify({ findings: [FINDING, { ...FINDING, severity: 'critical' }] });
    const whole = toFindingsMarkdown(ANSWER, 'complete', WORDS);
    for (const [answer, around] of [
      [
        `First a word.\n\n\`\`\`json\n${ANSWER}\n\`\`\`\n\nRun **the tests**.`,
        'First a word.\n\n\n\nRun **the tests**.',
      ],
      [`${ANSWER}\nMore.`, 'More.'],
      [`Before ${ANSWER} after`, 'Before \n\n after'],
      [`${wrong}\n${ANSWER}`, wrong],
    ])
      assert.equal(toFindingsMarkdown(answer ?? '', 'complete', WORDS), `${whole}\n\n${around}`);
  });

  it('has the first line of a finding whose last line is before it', () => {
    const answer = JSON.stringify({ findings: [{ ...FINDING, startLine: 9, endLine: 5 }] });
    assert.match(toFindingsMarkdown(answer, 'complete', WORDS), /`src\/a\.ts:9`/);
  });

  it('shows findings that could not be read, and the last one, when the answer was cut', () => {
    const wrong = { ...FINDING, severity: 'critical' };
    const answer = JSON.stringify({
      summary: 'Some.',
      findings: [FINDING, wrong, { ...FINDING, claim: 'Half' }],
    });
    const text = toFindingsMarkdown(answer.slice(0, answer.indexOf('Half') + 4), 'cut', WORDS);
    assert.match(
      text,
      /\*\*1\. Warning[\s\S]*> 1 left out[\s\S]*"critical"[\s\S]*\{"file"[^\n]*"claim":"Half\n/,
    );
    const within = `Some {words}:\n\`\`\`json\n${answer}`;
    assert.match(
      toFindingsMarkdown(within.slice(0, -2), 'cut', WORDS),
      /^> The answer was cut\.\n\nSome \{words\}:\n\nSome\.\n\n\*\*1\. Warning/,
    );
    const only = JSON.stringify({ findings: [wrong] });
    assert.match(toFindingsMarkdown(only.slice(0, -2), 'cut', WORDS), /> 1 left out[\s\S]*"critical"/);
  });

  it('reads all objects of an answer that was cut, such as a review after an empty draft', () => {
    const draft = (findings: readonly unknown[]) => JSON.stringify({ summary: 'Let me see.', findings });
    const cut = toFindingsMarkdown(`${draft([])}\n\nSo: ${ANSWER.slice(0, -3)}`, 'cut', WORDS);
    assert.match(cut, /^> The answer was cut\.\n\nSo:\n\nLet me see\.\n\nTwo[\s\S]*\*\*1\. Warning/);
    assert.match(cut, /```json\n\{"file":"src\/a\.ts","startLine":9/);
    assert.doesNotMatch(cut, /"findings"|"summary"/);
    const fenced = `\`\`\`json\n${draft([FINDING])}\n\`\`\`\n\n\`\`\`json\n${ANSWER.slice(0, -3)}`;
    const repeated = toFindingsMarkdown(fenced, 'cut', WORDS);
    assert.equal(repeated.match(/\*\*\d\. Warning/g)?.length, 1);
    assert.doesNotMatch(repeated, /"findings"|"summary"/);
    assert.match(repeated, /^> The answer was cut\.\n\nLet me see/);
    // What follows the first object is not one of another review.
    const other = `${draft([FINDING])}\n{"findings of mine": [1`;
    assert.match(toFindingsMarkdown(other, 'cut', WORDS), /```json\n\{"findings of mine": \[1\n```$/);
  });

  it('shows what was received when the answer was cut', () => {
    assert.match(
      toFindingsMarkdown(ANSWER.slice(0, -3), 'cut', WORDS),
      /^> The answer was cut\.\n\nTwo[\s\S]*\*\*1\. Warning/,
    );
    assert.equal(toFindingsMarkdown('{"summ', 'cut', WORDS), '> The answer was cut.\n\n```\n{"summ\n```');
  });
});
